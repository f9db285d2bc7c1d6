"""Front door to the steps of the walk: everything is in src/tocwalk/nodes, one file per node."""

from tocwalk.nodes import *
from tocwalk.nodes import __all__
