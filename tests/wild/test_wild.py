"""No function of these packages gets a wrong gradient, and none crashes."""

import pytest

from tests.wild.judge import Outcome, measure, outcomes
from tests.wild.survey import Case, cases
from tests.wild.surveys import SURVEYS

pytestmark = pytest.mark.wild


@pytest.mark.parametrize("survey", SURVEYS, ids=lambda survey: survey.module)
def test_survey(survey):
    pytest.importorskip(survey.module.partition(".")[0])
    faults, tried = [], 0
    for case in cases(survey):
        if not isinstance(case, Case):
            continue
        truth = measure(case)
        if isinstance(truth, Outcome):
            continue
        tried += 1
        for door, outcome in outcomes(case, truth).items():
            if outcome.verdict in ("wrong", "crash"):
                faults.append(
                    f"{case.name} ({door}): {outcome.verdict}: {outcome.said}"
                )
    assert tried, f"nothing of {survey.module} could be tried"
    assert not faults, "\n".join(faults)
