"""The nodes of the retrieval graph, one file each, and the edges that leave them."""

from tocwalk.nodes.budget_check import after_budget_check, budget_check
from tocwalk.nodes.cancelling import cancel_run
from tocwalk.nodes.emit_landed import emit_landed
from tocwalk.nodes.navigator_decide import navigator_decide
from tocwalk.nodes.present_children import after_present_children, present_children
from tocwalk.nodes.services import Services
from tocwalk.nodes.start_walk import start_walk
from tocwalk.nodes.validate_choice import after_validate_choice, validate_choice

__all__ = [
    "Services",
    "after_budget_check",
    "after_present_children",
    "after_validate_choice",
    "budget_check",
    "cancel_run",
    "emit_landed",
    "navigator_decide",
    "present_children",
    "start_walk",
    "validate_choice",
]
