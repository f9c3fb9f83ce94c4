"""The sources of the methods that a page used, as they are cited."""

from collections.abc import Mapping, Sequence
from typing import Any

from rocwise.about import VERSION

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
OF_METHODS = {  # by words in the name of a method
    "DeLong": (DELONG,),
    "Wilson (effective n)": (
        DELONG,
        WILSON,
        "Brunner E, Munzel U. The nonparametric Behrens-Fisher problem: asymptotic theory and a "
        "small-sample approximation. Biometrical Journal 2000;42:17–25",
    ),
    "cluster-robust": (
        "Obuchowski NA. Nonparametric analysis of clustered ROC curve data. Biometrics "
        "1997;53:567–578",
    ),
    "Hotelling": (
        "Krishnamoorthy K, Yu J. Modified Nel and Van der Merwe test for the multivariate "
        "Behrens-Fisher problem. Statistics and Probability Letters 2004;66:161–169",
    ),
    "t distribution": (
        "Satterthwaite FE. An approximate distribution of estimates of variance components. "
        "Biometrics Bulletin 1946;2:110–114",
    ),
}
OF_BANDS = {
    "simultaneous": (
        "Macskassy SA, Provost F, Rosset S. ROC confidence bands: an empirical evaluation. "
        "Proceedings of the 22nd International Conference on Machine Learning 2005:537–544"
    ),
    "joint-regions": (
        "Campbell G. Advances in statistical methodology for the evaluation of diagnostic and "
        "laboratory tests. Statistics in Medicine 1994;13:499–508"
    ),
    "working-hotelling": (
        "Ma G, Hall WJ. Confidence bands for receiver operating characteristic curves. Medical "
        "Decision Making 1993;13:191–197"
    ),
}
OF_BANDS |= dict.fromkeys(("fixed-width", "pointwise", "future"), OF_BANDS["simultaneous"])
OF_BANDS["pointwise-binormal"] = OF_BANDS["working-hotelling"]
BOOTSTRAP = "Efron B, Tibshirani RJ. An introduction to the bootstrap. Chapman & Hall 1993"
KISH = "Kish L. Survey sampling. Wiley 1965"
PREDICTIVE_VALUES = (
    "Mercaldo ND, Lau KF, Zhou XH. Confidence intervals for predictive values with an emphasis to "
    "case-control studies. Statistics in Medicine 2007;26:2170–2183"
)
ROCWISE = f"The rocwise developers. rocwise: ROC analysis in Python, version {VERSION}"
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

OF_TASKS: dict[str, tuple[str, ...]] = {
    "multiclass": (
        "Hand DJ, Till RJ. A simple generalisation of the area under the ROC curve for multiple "
        "class classification problems. Machine Learning 2001;45:171–186",
    ),
    "ordinal": (
        "Dreiseitl S, Ohno-Machado L, Binder M. Comparing three-class diagnostic tests by "
        "three-way ROC analysis. Medical Decision Making 2000;20:323–331",
        "Nakas CT, Yiannoutsos CT. Ordered multiple-class ROC analysis with continuous "
        "measurements. Statistics in Medicine 2004;23:3437–3449",
        "Waegeman W, De Baets B, Boullart L. ROC analysis in ordinal regression learning. Pattern "
        "Recognition Letters 2008;29:1–9",
    ),
    "regression": (
        "Bi J, Bennett KP. Regression error characteristic curves. Proceedings of the 20th "
        "International Conference on Machine Learning 2003:43–50",
        "Hernández-Orallo J. ROC curves for regression. Pattern Recognition 2013;46:3395–3411",
        "Massart P. The tight constant in the Dvoretzky-Kiefer-Wolfowitz inequality. Annals of "
        "Probability 1990;18:1269–1283",
    ),
}


def references(body: dict[str, Any]) -> list[str]:
    """Those that the numbers of two classes rest on."""
    methods = [model["auc"]["method"] for model in body["models"]]
    found = [ROCWISE, *of_methods(methods, body["comparison"])]
    clustered = body["cases"]["clusters"] is not None
    found += [BOOTSTRAP] if clustered else [WILSON, PREDICTIVE_VALUES, LIKELIHOOD_RATIOS]
    found += [KISH] if body["cases"]["weighted"] and not clustered else []
    kinds = body["settings"]["band_kinds"]
    found += [OF_BANDS[kind] for kind in kinds if any(kind in m["bands"] for m in body["models"])]
    found += [COST_CURVES, ABSTENTION]
    found += [OF_SECTIONS[part["id"]] for part in body["sections"] if part["id"] in OF_SECTIONS]
    return list(dict.fromkeys(found))


def of_methods(methods: Sequence[str | None], comparison: Mapping[str, Any] | None) -> list[str]:
    """Sources of the intervals of models and of the test that compares them."""
    used = [method for method in methods if method]
    used += [comparison["method"]] if comparison else []
    found = [OF_METHODS[words] for words in OF_METHODS if any(words in each for each in used)]
    holm = [HOLM] if comparison and comparison["adjusted"] else []
    return list(dict.fromkeys([each for sources in found for each in sources] + holm))
