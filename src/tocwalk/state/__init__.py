"""What a run is given, remembers and returns. Knows nothing of documents, indexes or models."""

from tocwalk.state.context import DEFAULT_MODEL, VISITS_CEILING, WalkContext
from tocwalk.state.input import FilterScalar, FilterValue, WalkInput
from tocwalk.state.landing import CUT_SHORT, Failure, LandedSection, StopReason, TextScope
from tocwalk.state.usage import StepUsage, UsageRecord, UsageTotals
from tocwalk.state.walk import (
    DecisionRecord,
    Landing,
    Opened,
    PickRecord,
    Place,
    PlaceKind,
    Request,
    Update,
    WalkOutput,
    WalkState,
    by_id,
)

__all__ = [
    "CUT_SHORT",
    "DEFAULT_MODEL",
    "VISITS_CEILING",
    "DecisionRecord",
    "Failure",
    "FilterScalar",
    "FilterValue",
    "LandedSection",
    "Landing",
    "Opened",
    "PickRecord",
    "Place",
    "PlaceKind",
    "Request",
    "StepUsage",
    "StopReason",
    "TextScope",
    "Update",
    "UsageRecord",
    "UsageTotals",
    "WalkContext",
    "WalkInput",
    "WalkOutput",
    "WalkState",
    "by_id",
]
