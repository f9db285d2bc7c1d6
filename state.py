"""Front door to what a run is given, remembers and returns: everything is in src/tocwalk/state."""

from tocwalk.state import *
from tocwalk.state import __all__
