"""The sources of the methods that a page used, as they are cited."""

from __future__ import annotations

from typing import Any

DELONG = (
    "DeLong ER, DeLong DM, Clarke-Pearson DL. Comparing the areas under two or more correlated "
    "receiver operating characteristic curves: a nonparametric approach. Biometrics 1988;44:837–845"
)
HOLM = (
    "Holm S. A simple sequentially rejective multiple test procedure. Scandinavian Journal of "
    "Statistics 1979;6:65–70"
)
WILSON = (
    "Wilson EB. Probable inference, the law of succession, and statistical inference. Journal of "
    "the American Statistical Association 1927;22:209–212"
)
LIKELIHOOD_RATIOS = (
    "Simel DL, Samsa GP, Matchar DB. Likelihood ratios with confidence: sample size estimation for "
    "diagnostic test studies. Journal of Clinical Epidemiology 1991;44:763–770"
)
COST_CURVES = (
    "Drummond C, Holte RC. Cost curves: an improved method for visualizing classifier performance. "
    "Machine Learning 2006;65:95–130"
)
ABSTENTION = (
    "Friedel CC, Rückert U, Kramer S. Cost curves for abstaining classifiers. Proceedings of the "
    "ICML workshop on ROC analysis in machine learning 2006:33–40"
)
OF_SECTIONS = {
    "decision-curve": (
        "Vickers AJ, Elkin EB. Decision curve analysis: a novel method for evaluating prediction "
        "models. Medical Decision Making 2006;26:565–574"
    ),
    "smooth-roc": (
        "Klement W, Flach P, Japkowicz N, Matwin S. Smooth receiver operating characteristics "
        "(smROC) curves. ECML PKDD 2011, LNCS 6912:193–208"
    ),
    "confident-segment": (
        "Tango T. Equivalence test and confidence interval for the difference in proportions for "
        "the paired-sample design. Statistics in Medicine 1998;17:891–908"
    ),
}


def references(body: dict[str, Any]) -> list[str]:
    """Those that the payload's numbers rest on.

    >>> len(references({"models": [], "comparison": None, "sections": []}))
    4
    """
    cited = [WILSON, LIKELIHOOD_RATIOS, COST_CURVES, ABSTENTION]
    comparison = body["comparison"]
    methods = [model["auc"]["method"] for model in body["models"]]
    methods += [comparison["method"]] if comparison else []
    if any("delong" in method.lower() for method in methods):
        cited.insert(0, DELONG)
    if comparison and comparison["adjusted"]:
        cited.append(HOLM)
    return cited + [
        OF_SECTIONS[part["id"]] for part in body["sections"] if part["id"] in OF_SECTIONS
    ]
