"""The evaluation: questions with known answers, asked of a navigator and of what people would use instead.

It loads graph, index and databases; whoever wants to start fast imports it when it is needed.
"""

from tocwalk.evals.baselines import BASELINES, check_baselines
from tocwalk.evals.cases import Case, Gold, read_cases
from tocwalk.evals.notes import evaluation_notes
from tocwalk.evals.report import Report, evaluation_record
from tocwalk.evals.running import Evaluation, Plan, evaluate
from tocwalk.evals.tables import evaluation_tables

__all__ = [
    "BASELINES",
    "Case",
    "Evaluation",
    "Gold",
    "Plan",
    "Report",
    "check_baselines",
    "evaluate",
    "evaluation_notes",
    "evaluation_record",
    "evaluation_tables",
    "read_cases",
]
