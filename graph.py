"""Front door to the graphs: everything is in src/tocwalk/graph, and `langgraph.json` points here."""

from tocwalk.graph import *
from tocwalk.graph import __all__
