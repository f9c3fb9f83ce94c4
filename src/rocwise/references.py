"""The literature behind results: one table, as text and as BibTeX, and what a result used."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, get_args

from rocwise import checks
from rocwise.about import VERSION
from rocwise.errors import InputError, shown

CitationFormat = Literal["text", "bibtex"]


class Reference(NamedTuple):
    """An article, a paper in proceedings, a book or software."""

    authors: str
    title: str
    source: str
    year: int | None
    volume: str = ""
    pages: str = ""
    doi: str = ""
    kind: str = "article"

    @property
    def text(self) -> str:
        """The entry in one line, without a point at its end."""
        where = f"{self.source} {self.year}" if self.year else self.source
        if self.volume:
            where += f";{self.volume}"
        if self.pages:
            where += f":{self.pages}"
        doi = f". doi:{self.doi}" if self.doi else ""
        return f"{self.authors}. {self.title}. {where}{doi}"

    def bibtex(self, key: str) -> str:
        """The entry for BibTeX."""
        container = {"article": "journal", "inproceedings": "booktitle", "book": "publisher"}
        fields = {
            "author": " and ".join(map(_bibtex_name, self.authors.split(", "))),
            "title": f"{{{self.title}}}",
            container.get(self.kind, "note"): self.source,
            "year": self.year,
            "volume": self.volume,
            "pages": self.pages,
            "doi": self.doi,
        }
        given = {name: str(value) for name, value in fields.items() if value}
        signs = str.maketrans({"–": "--", "&": r"\&"})
        lines = [f"  {name} = {{{value.translate(signs)}}}," for name, value in given.items()]
        return "\n".join([f"@{self.kind}{{{key},", *lines, "}"])


def _bibtex_name(author: str) -> str:
    """``DeLong ER`` as ``DeLong, E. R.``; a group of people stays as it is."""
    family, _, initials = author.rpartition(" ")
    if not family or not initials.isupper():
        return f"{{{author}}}"
    return f"{family}, {' '.join(f'{each}.' for each in initials)}"


ICML_ROC = "Proceedings of the ICML workshop on ROC analysis in machine learning"
SIM = "Statistics in Medicine"
JASA = "Journal of the American Statistical Association"
IN_PROCEEDINGS: Any = {"kind": "inproceedings"}
BOOK: Any = {"kind": "book"}
REFERENCES: dict[str, Reference] = {
    "rocwise": Reference(
        "The rocwise developers",
        "rocwise: ROC analysis in Python",
        f"Version {VERSION}",
        None,
        kind="misc",
    ),
    "angelopoulos2021": Reference(
        "Angelopoulos AN, Bates S, Candès EJ, Jordan MI, Lei L",
        "Learn then test: calibrating predictive algorithms to achieve risk control",
        "arXiv",
        2021,
        doi="10.48550/arXiv.2110.01052",
    ),
    "austin2020": Reference(
        "Austin PC, Harrell FE, van Klaveren D",
        "Graphical calibration curves and the integrated calibration index (ICI) for survival "
        "models",
        "Statistics in Medicine",
        2020,
        "39",
        "2714–2742",
        "10.1002/sim.8570",
    ),
    "bamber1975": Reference(
        "Bamber D",
        "The area above the ordinal dominance graph and the area below the receiver operating "
        "characteristic graph",
        "Journal of Mathematical Psychology",
        1975,
        "12",
        "387–415",
        "10.1016/0022-2496(75)90001-2",
    ),
    "bandos2005": Reference(
        "Bandos AI, Rockette HE, Gur D",
        "A permutation test sensitive to differences in areas for comparing ROC curves from a "
        "paired design",
        SIM,
        2005,
        "24",
        "2873–2893",
    ),
    "bandos2006": Reference(
        "Bandos AI, Rockette HE, Gur D",
        "Resampling methods for the area under the ROC curve",
        ICML_ROC,
        2006,
        **IN_PROCEEDINGS,
    ),
    "bi2003": Reference(
        "Bi J, Bennett KP",
        "Regression error characteristic curves",
        "Proceedings of the 20th International Conference on Machine Learning",
        2003,
        "",
        "43–50",
        **IN_PROCEEDINGS,
    ),
    "birnbaum1957": Reference(
        "Birnbaum ZW, Klose OM",
        "Bounds for the variance of the Mann-Whitney statistic",
        "Annals of Mathematical Statistics",
        1957,
        "28",
        "933–945",
    ),
    "blanche2013": Reference(
        "Blanche P, Dartigues JF, Jacqmin-Gadda H",
        "Estimating and comparing time-dependent areas under receiver operating characteristic "
        "curves for censored event times with competing risks",
        "Statistics in Medicine",
        2013,
        "32",
        "5381–5397",
        "10.1002/sim.5958",
    ),
    "blancovega2006": Reference(
        "Blanco-Vega R, Ferri C, Hernández-Orallo J, Ramírez-Quintana MJ",
        "Estimating the class probability threshold without training data",
        ICML_ROC,
        2006,
        **IN_PROCEEDINGS,
    ),
    "boyd2013": Reference(
        "Boyd K, Eng KH, Page CD",
        "Area under the precision-recall curve: point estimates and confidence intervals",
        "ECML PKDD",
        2013,
        **IN_PROCEEDINGS,
    ),
    "brown2001": Reference(
        "Brown LD, Cai TT, DasGupta A",
        "Interval estimation for a binomial proportion",
        "Statistical Science",
        2001,
        "16",
        "101–133",
    ),
    "brunner2000": Reference(
        "Brunner E, Munzel U",
        "The nonparametric Behrens-Fisher problem: asymptotic theory and a small-sample "
        "approximation",
        "Biometrical Journal",
        2000,
        "42",
        "17–25",
    ),
    "campbell1994": Reference(
        "Campbell G",
        "Advances in statistical methodology for the evaluation of diagnostic and laboratory tests",
        SIM,
        1994,
        "13",
        "499–508",
    ),
    "chakraborty2017": Reference(
        "Chakraborty DP",
        "Observer Performance Methods for Diagnostic Imaging",
        "CRC Press",
        2017,
        doi="10.1201/9781351228190",
        kind="book",
    ),
    "clopper1934": Reference(
        "Clopper CJ, Pearson ES",
        "The use of confidence or fiducial limits illustrated in the case of the binomial",
        "Biometrika",
        1934,
        "26",
        "404–413",
        "10.1093/biomet/26.4.404",
    ),
    "cox1958": Reference(
        "Cox DR",
        "Two further applications of a model for binary regression",
        "Biometrika",
        1958,
        "45",
        "562–565",
    ),
    "delong1988": Reference(
        "DeLong ER, DeLong DM, Clarke-Pearson DL",
        "Comparing the areas under two or more correlated receiver operating characteristic "
        "curves: a nonparametric approach",
        "Biometrics",
        1988,
        "44",
        "837–845",
        "10.2307/2531595",
    ),
    "deng2006": Reference(
        "Deng K, Bourke C, Scott S, Vinodchandran NV",
        "New algorithms for optimizing multi-class classifiers via ROC surfaces",
        ICML_ROC,
        2006,
        **IN_PROCEEDINGS,
    ),
    "diebold1995": Reference(
        "Diebold FX, Mariano RS",
        "Comparing predictive accuracy",
        "Journal of Business and Economic Statistics",
        1995,
        "13",
        "253–263",
        "10.1080/07350015.1995.10524599",
    ),
    "dixon1946": Reference(
        "Dixon WJ, Mood AM",
        "The statistical sign test",
        JASA,
        1946,
        "41",
        "557–566",
    ),
    "dorfman1969": Reference(
        "Dorfman DD, Alf E",
        "Maximum-likelihood estimation of parameters of signal-detection theory and determination "
        "of confidence intervals: rating-method data",
        "Journal of Mathematical Psychology",
        1969,
        "6",
        "487–496",
        "10.1016/0022-2496(69)90019-4",
    ),
    "dreiseitl2000": Reference(
        "Dreiseitl S, Ohno-Machado L, Binder M",
        "Comparing three-class diagnostic tests by three-way ROC analysis",
        "Medical Decision Making",
        2000,
        "20",
        "323–331",
    ),
    "drummond2006": Reference(
        "Drummond C, Holte RC",
        "Cost curves: an improved method for visualizing classifier performance",
        "Machine Learning",
        2006,
        "65",
        "95–130",
        "10.1007/s10994-006-8199-5",
    ),
    "efron1987": Reference(
        "Efron B",
        "Better bootstrap confidence intervals",
        JASA,
        1987,
        "82",
        "171–185",
        "10.1080/01621459.1987.10478410",
    ),
    "efron1993": Reference(
        "Efron B, Tibshirani RJ",
        "An introduction to the bootstrap",
        "Chapman & Hall",
        1993,
        **BOOK,
    ),
    "elazmeh2006": Reference(
        "Elazmeh W, Japkowicz N, Matwin S",
        "A framework for comparative evaluation of classifiers in the presence of class imbalance",
        ICML_ROC,
        2006,
        **IN_PROCEEDINGS,
    ),
    "friedel2006": Reference(
        "Friedel CC, Rückert U, Kramer S",
        "Cost curves for abstaining classifiers",
        ICML_ROC,
        2006,
        "",
        "33–40",
        **IN_PROCEEDINGS,
    ),
    "gallas2009": Reference(
        "Gallas BD, Bandos A, Samuelson FW, Wagner RF",
        "A framework for random-effects ROC analysis: biases with the bootstrap and other variance "
        "estimators",
        "Communications in Statistics – Theory and Methods",
        2009,
        "38",
        "2586–2603",
        "10.1080/03610920802610084",
    ),
    "graf1999": Reference(
        "Graf E, Schmoor C, Sauerbrei W, Schumacher M",
        "Assessment and comparison of prognostic classification schemes for survival data",
        "Statistics in Medicine",
        1999,
        "18",
        "2529–2545",
    ),
    "grier1971": Reference(
        "Grier JB",
        "Nonparametric indexes for sensitivity and bias: computing formulas",
        "Psychological Bulletin",
        1971,
        "75",
        "424–429",
        "10.1037/h0031246",
    ),
    "hall1992": Reference(
        "Hall P",
        "On the removal of skewness by transformation",
        "Journal of the Royal Statistical Society Series B",
        1992,
        "54",
        "221–228",
    ),
    "hand2001": Reference(
        "Hand DJ, Till RJ",
        "A simple generalisation of the area under the ROC curve for multiple class "
        "classification problems",
        "Machine Learning",
        2001,
        "45",
        "171–186",
        "10.1023/A:1010920819831",
    ),
    "hanley1982": Reference(
        "Hanley JA, McNeil BJ",
        "The meaning and use of the area under a receiver operating characteristic (ROC) curve",
        "Radiology",
        1982,
        "143",
        "29–36",
        "10.1148/radiology.143.1.7063747",
    ),
    "harrell1996": Reference(
        "Harrell FE, Lee KL, Mark DB",
        "Multivariable prognostic models: issues in developing models, evaluating assumptions and "
        "adequacy, and measuring and reducing errors",
        "Statistics in Medicine",
        1996,
        "15",
        "361–387",
    ),
    "harvey1997": Reference(
        "Harvey D, Leybourne S, Newbold P",
        "Testing the equality of prediction mean squared errors",
        "International Journal of Forecasting",
        1997,
        "13",
        "281–291",
        "10.1016/S0169-2070(96)00719-4",
    ),
    "hernandez2013": Reference(
        "Hernández-Orallo J",
        "ROC curves for regression",
        "Pattern Recognition",
        2013,
        "46",
        "3395–3411",
    ),
    "hillis2007": Reference(
        "Hillis SL",
        "A comparison of denominator degrees of freedom methods for multiple observer ROC analysis",
        "Statistics in Medicine",
        2007,
        "26",
        "596–619",
        "10.1002/sim.2532",
    ),
    "hillis2011": Reference(
        "Hillis SL, Obuchowski NA, Berbaum KS",
        "Power estimation for multireader ROC methods: an updated and unified approach",
        "Academic Radiology",
        2011,
        "18",
        "129–142",
        "10.1016/j.acra.2010.09.007",
    ),
    "hoeffding1963": Reference(
        "Hoeffding W",
        "Probability inequalities for sums of bounded random variables",
        JASA,
        1963,
        "58",
        "13–30",
    ),
    "holm1979": Reference(
        "Holm S",
        "A simple sequentially rejective multiple test procedure",
        "Scandinavian Journal of Statistics",
        1979,
        "6",
        "65–70",
    ),
    "janes2009": Reference(
        "Janes H, Pepe MS",
        "Adjusting for covariate effects on classification accuracy using the covariate-adjusted "
        "receiver operating characteristic curve",
        "Biometrika",
        2009,
        "96",
        "371–382",
        "10.1093/biomet/asp002",
    ),
    "kattan2018": Reference(
        "Kattan MW, Gerds TA",
        "The index of prediction accuracy: an intuitive measure useful for evaluating risk "
        "prediction models",
        "Diagnostic and Prognostic Research",
        2018,
        "2",
        "7",
        "10.1186/s41512-018-0029-2",
    ),
    "kish1965": Reference("Kish L", "Survey sampling", "Wiley", 1965, **BOOK),
    "klement2011": Reference(
        "Klement W, Flach P, Japkowicz N, Matwin S",
        "Smooth receiver operating characteristics (smROC) curves",
        "ECML PKDD 2011, LNCS 6912",
        2011,
        "",
        "193–208",
        "10.1007/978-3-642-23783-6_13",
        **IN_PROCEEDINGS,
    ),
    "krishnamoorthy2004": Reference(
        "Krishnamoorthy K, Yu J",
        "Modified Nel and Van der Merwe test for the multivariate Behrens-Fisher problem",
        "Statistics and Probability Letters",
        2004,
        "66",
        "161–169",
    ),
    "komarek2004": Reference(
        "Komarek P",
        "Logistic regression for data mining and high-dimensional classification",
        "PhD thesis, Carnegie Mellon University",
        2004,
        kind="phdthesis",
    ),
    "lachiche2003": Reference(
        "Lachiche N, Flach PA",
        "Improving accuracy and cost of two-class and multi-class probabilistic classifiers using "
        "ROC curves",
        "International Conference on Machine Learning",
        2003,
        **IN_PROCEEDINGS,
    ),
    "lazarus2018": Reference(
        "Lazarus E, Lewis DJ, Stock JH, Watson MW",
        "HAR inference: recommendations for practice",
        "Journal of Business and Economic Statistics",
        2018,
        "36",
        "541–559",
        "10.1080/07350015.2018.1506926",
    ),
    "ledell2015": Reference(
        "LeDell E, Petersen M, van der Laan M",
        "Computationally efficient confidence intervals for cross-validated area under the ROC "
        "curve estimates",
        "Electronic Journal of Statistics",
        2015,
        "9",
        "1583–1607",
        "10.1214/15-EJS1035",
    ),
    "ma1993": Reference(
        "Ma G, Hall WJ",
        "Confidence bands for receiver operating characteristic curves",
        "Medical Decision Making",
        1993,
        "13",
        "191–197",
    ),
    "mann1947": Reference(
        "Mann HB, Whitney DR",
        "On a test of whether one of two random variables is stochastically larger than the other",
        "Annals of Mathematical Statistics",
        1947,
        "18",
        "50–60",
        "10.1214/aoms/1177730491",
    ),
    "macskassy2005": Reference(
        "Macskassy SA, Provost F, Rosset S",
        "ROC confidence bands: an empirical evaluation",
        "Proceedings of the 22nd International Conference on Machine Learning",
        2005,
        "",
        "537–544",
        **IN_PROCEEDINGS,
    ),
    "massart1990": Reference(
        "Massart P",
        "The tight constant in the Dvoretzky-Kiefer-Wolfowitz inequality",
        "Annals of Probability",
        1990,
        "18",
        "1269–1283",
        "10.1214/aop/1176990746",
    ),
    "mcclish1989": Reference(
        "McClish DK",
        "Analyzing a portion of the ROC curve",
        "Medical Decision Making",
        1989,
        "9",
        "190–195",
        "10.1177/0272989X8900900307",
    ),
    "mcnemar1947": Reference(
        "McNemar Q",
        "Note on the sampling error of the difference between correlated proportions or "
        "percentages",
        "Psychometrika",
        1947,
        "12",
        "153–157",
        "10.1007/BF02295996",
    ),
    "mercaldo2007": Reference(
        "Mercaldo ND, Lau KF, Zhou XH",
        "Confidence intervals for predictive values with an emphasis to case-control studies",
        SIM,
        2007,
        "26",
        "2170–2183",
        "10.1002/sim.2677",
    ),
    "metz1998": Reference(
        "Metz CE, Herman BA, Shen JH",
        "Maximum likelihood estimation of receiver operating characteristic (ROC) curves from "
        "continuously-distributed data",
        SIM,
        1998,
        "17",
        "1033–1053",
    ),
    "nadeau2003": Reference(
        "Nadeau C, Bengio Y",
        "Inference for the generalization error",
        "Machine Learning",
        2003,
        "52",
        "239–281",
        "10.1023/A:1024068626366",
    ),
    "mueller2006": Reference(
        "Mueller ST, Zhang J",
        "Upper and lower bounds of area under ROC curves and index of discriminability of "
        "classifier performance",
        ICML_ROC,
        2006,
        **IN_PROCEEDINGS,
    ),
    "nakas2004": Reference(
        "Nakas CT, Yiannoutsos CT",
        "Ordered multiple-class ROC analysis with continuous measurements",
        SIM,
        2004,
        "23",
        "3437–3449",
    ),
    "newcombe1998": Reference(
        "Newcombe RG",
        "Interval estimation for the difference between independent proportions: comparison of "
        "eleven methods",
        SIM,
        1998,
        "17",
        "873–890",
    ),
    "newcombe2006": Reference(
        "Newcombe RG",
        "Confidence intervals for an effect size measure based on the Mann-Whitney statistic. "
        "Part 2: asymptotic methods and evaluation",
        SIM,
        2006,
        "25",
        "559–573",
        "10.1002/sim.2324",
    ),
    "obrien2005": Reference(
        "O'Brien DB, Gray RM",
        "Improving classification performance by exploring the role of cost matrices in "
        "partitioning the estimated class probability space",
        ICML_ROC,
        2005,
        **IN_PROCEEDINGS,
    ),
    "obuchowski1994": Reference(
        "Obuchowski NA",
        "Computing sample size for receiver operating characteristic studies",
        "Investigative Radiology",
        1994,
        "29",
        "238–243",
        "10.1097/00004424-199402000-00020",
    ),
    "obuchowski1995": Reference(
        "Obuchowski NA, Rockette HE",
        "Hypothesis testing of diagnostic accuracy for multiple readers and multiple tests: an "
        "ANOVA approach with dependent observations",
        "Communications in Statistics – Simulation and Computation",
        1995,
        "24",
        "285–308",
        "10.1080/03610919508813243",
    ),
    "obuchowski1997": Reference(
        "Obuchowski NA",
        "Nonparametric analysis of clustered ROC curve data",
        "Biometrics",
        1997,
        "53",
        "567–578",
        "10.2307/2533958",
    ),
    "pencina2008": Reference(
        "Pencina MJ, D'Agostino RB, D'Agostino RB, Vasan RS",
        "Evaluating the added predictive ability of a new marker: from area under the ROC curve "
        "to reclassification and beyond",
        SIM,
        2008,
        "27",
        "157–172",
        "10.1002/sim.2929",
    ),
    "pietraszek2005": Reference(
        "Pietraszek T",
        "Optimizing abstaining classifiers using ROC analysis",
        "International Conference on Machine Learning",
        2005,
        **IN_PROCEEDINGS,
    ),
    "saha2013": Reference(
        "Saha-Chaudhuri P, Heagerty PJ",
        "Non-parametric estimation of a time-dependent predictive accuracy curve",
        "Biostatistics",
        2013,
        "14",
        "42–59",
        "10.1093/biostatistics/kxs021",
    ),
    "satterthwaite1946": Reference(
        "Satterthwaite FE",
        "An approximate distribution of estimates of variance components",
        "Biometrics Bulletin",
        1946,
        "2",
        "110–114",
        "10.2307/3002019",
    ),
    "silverman1987": Reference(
        "Silverman BW, Young GA",
        "The bootstrap: to smooth or not to smooth?",
        "Biometrika",
        1987,
        "74",
        "469–479",
        "10.1093/biomet/74.3.469",
    ),
    "simel1991": Reference(
        "Simel DL, Samsa GP, Matchar DB",
        "Likelihood ratios with confidence: sample size estimation for diagnostic test studies",
        "Journal of Clinical Epidemiology",
        1991,
        "44",
        "763–770",
    ),
    "tango1998": Reference(
        "Tango T",
        "Equivalence test and confidence interval for the difference in proportions for the "
        "paired-sample design",
        SIM,
        1998,
        "17",
        "891–908",
    ),
    "timotius2014": Reference(
        "Timotius IK",
        "Predicting receiver operating characteristic curve, area under curve, and arithmetic "
        "means of accuracies based on the distribution of data samples",
        "Satya Wacana Christian University, Salatiga",
        2014,
    ),
    "uno2007": Reference(
        "Uno H, Cai T, Tian L, Wei LJ",
        "Evaluating prediction rules for t-year survivors with censored regression models",
        "Journal of the American Statistical Association",
        2007,
        "102",
        "527–537",
        "10.1198/016214507000000149",
    ),
    "uno2011": Reference(
        "Uno H, Cai T, Pencina MJ, D'Agostino RB, Wei LJ",
        "On the C-statistics for evaluating overall adequacy of risk prediction procedures with "
        "censored survival data",
        "Statistics in Medicine",
        2011,
        "30",
        "1105–1117",
        "10.1002/sim.4154",
    ),
    "vanderlooy2006": Reference(
        "Vanderlooy S, Sprinkhuizen-Kuyper IG, Smirnov EN",
        "An analysis of reliable classifiers through ROC isometrics",
        ICML_ROC,
        2006,
        **IN_PROCEEDINGS,
    ),
    "venkatraman1996": Reference(
        "Venkatraman ES, Begg CB",
        "A distribution-free procedure for comparing receiver operating characteristic curves "
        "from a paired experiment",
        "Biometrika",
        1996,
        "83",
        "835–848",
        "10.1093/biomet/83.4.835",
    ),
    "venkatraman2000": Reference(
        "Venkatraman ES",
        "A permutation test to compare receiver operating characteristic curves",
        "Biometrics",
        2000,
        "56",
        "1134–1138",
    ),
    "vickers2006": Reference(
        "Vickers AJ, Elkin EB",
        "Decision curve analysis: a novel method for evaluating prediction models",
        "Medical Decision Making",
        2006,
        "26",
        "565–574",
        "10.1177/0272989X06295361",
    ),
    "waegeman2006": Reference(
        "Waegeman W, De Baets B, Boullart L",
        "A comparison of different ROC measures for ordinal regression",
        ICML_ROC,
        2006,
        **IN_PROCEEDINGS,
    ),
    "waegeman2008": Reference(
        "Waegeman W, De Baets B, Boullart L",
        "ROC analysis in ordinal regression learning",
        "Pattern Recognition Letters",
        2008,
        "29",
        "1–9",
        "10.1016/j.patrec.2007.07.019",
    ),
    "welch1951": Reference(
        "Welch BL",
        "On the comparison of several mean values: an alternative approach",
        "Biometrika",
        1951,
        "38",
        "330–336",
    ),
    "wilson1927": Reference(
        "Wilson EB",
        "Probable inference, the law of succession, and statistical inference",
        JASA,
        1927,
        "22",
        "209–212",
        "10.1080/01621459.1927.10502953",
    ),
    "wu2007": Reference(
        "Wu S, Flach P, Ferri C",
        "An improved model selection heuristic for AUC",
        "European Conference on Machine Learning",
        2007,
        doi="10.1007/978-3-540-74958-5_44",
        **IN_PROCEEDINGS,
    ),
    "youden1950": Reference(
        "Youden WJ", "Index for rating diagnostic tests", "Cancer", 1950, "3", "32–35"
    ),
    "zhang2005": Reference(
        "Zhang J, Mueller ST",
        "A note on ROC analysis and non-parametric estimate of sensitivity",
        "Psychometrika",
        2005,
        "70",
        "203–212",
        "10.1007/s11336-003-1119-8",
    ),
    "zou2007": Reference(
        "Zou GY",
        "Toward using confidence intervals to compare correlations",
        "Psychological Methods",
        2007,
        "12",
        "399–413",
        "10.1037/1082-989X.12.4.399",
    ),
}

OF_METHODS: dict[str, tuple[str, ...]] = {  # by words in the name of a method
    "DeLong": ("delong1988",),
    "Wilson": ("wilson1927",),
    "Obuchowski-Rockette": ("obuchowski1995", "hillis2007"),
    "U-statistics": ("gallas2009",),
    "free-response ROC": ("chakraborty2017",),
    "Wilson (effective": ("birnbaum1957", "brunner2000"),
    "unpaired Wilson": ("newcombe1998", "zou2007"),
    "paired Wilson": ("newcombe1998", "zou2007"),
    "Hanley-McNeil": ("hanley1982",),
    "exact bootstrap": ("bandos2006",),
    "unbiased variance": ("bamber1975",),
    "bootstrap": ("efron1993",),
    "BCa": ("efron1987",),
    "smoothed bootstrap": ("silverman1987",),
    "Newcombe": ("newcombe2006",),
    "Hoeffding": ("hoeffding1963",),
    "cluster-robust": ("obuchowski1997",),
    "Hotelling's": ("krishnamoorthy2004",),
    "t distribution": ("satterthwaite1946",),
    "permutation test": ("bandos2005",),
    "genetic": ("deng2006",),
    "cost-columns": ("obrien2005",),
    "cost-rows": ("obrien2005",),
    "Venkatraman": ("venkatraman1996", "venkatraman2000"),
    "sign test": ("dixon1946",),
    "Tango": ("tango1998",),
    "wilcoxon": ("mann1947",),
    "McNemar": ("mcnemar1947",),
    "Holm": ("holm1979",),
    "clopper-pearson": ("clopper1934",),
    "jeffreys": ("brown2001",),
    "agresti-coull": ("brown2001",),
    "Mercaldo": ("mercaldo2007",),
    "Simel": ("simel1991",),
    "Kish": ("kish1965",),
    "corrected t over folds": ("nadeau2003",),
    "corrected-t": ("nadeau2003",),
    "influence of rows": ("ledell2015",),
    "partial AUC": ("mcclish1989",),
    "diebold-mariano": ("diebold1995", "harvey1997"),
    "diebold-mariano-hac": ("lazarus2018",),
    "dkw": ("massart1990",),
    "Hall 1992": ("hall1992",),
    "youden": ("youden1950",),
    "learn then test": ("angelopoulos2021",),
    "cumulative/dynamic": ("uno2007", "blanche2013"),
    "incident/dynamic": ("saha2013",),
}
OF_BANDS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("simultaneous", "fixed-width", "pointwise", "future"), ("macskassy2005",)),
    "joint-regions": ("campbell1994",),
    **dict.fromkeys(
        ("working-hotelling", "pointwise-binormal"), ("dorfman1969", "metz1998", "ma1993")
    ),
}
ORDINAL = ("dreiseitl2000", "nakas2004", "waegeman2006", "waegeman2008")
OF_RESULTS: dict[str, tuple[str, ...]] = {  # by the name of a result class
    "ComparableGroups": ("welch1951",),
    "BinormalFit": ("dorfman1969", "metz1998"),
    "AdjustedRoc": ("janes2009",),
    **dict.fromkeys(
        ("SurvivalCurve", "SurvivalPoints", "SurvivalComparison"), ("uno2007", "blanche2013")
    ),
    "SurvivalBrier": ("graf1999", "kattan2018"),
    "SurvivalCalibration": ("austin2020",),
    "Concordance": ("uno2011", "harrell1996"),
    "SmoothRoc": ("klement2011",),
    "Calibration": ("cox1958",),
    "DecisionCurve": ("vickers2006",),
    "DecisionBand": ("vickers2006",),
    **dict.fromkeys(("CostCurve", "CostBand", "CostLines"), ("drummond2006",)),
    "AbstentionWindow": ("friedel2006",),
    "AbstentionSurface": ("friedel2006",),
    "AbstentionDifference": ("friedel2006",),
    "BoundedWindow": ("pietraszek2005",),
    **dict.fromkeys(("ReliableRule", "IsometricFan"), ("vanderlooy2006",)),
    "ConfidentSegment": ("elazmeh2006", "tango1998"),
    **dict.fromkeys(("PredictedRoc", "FeatureRanking"), ("timotius2014",)),
    "ScoredRoc": ("wu2007",),
    "StepArea": ("komarek2004",),
    "UnlabeledRule": ("blancovega2006",),
    "NrocCurve": ("blancovega2006",),
    **dict.fromkeys(("AucBounds", "BoundContours"), ("zhang2005", "mueller2006")),
    "SignalDetection": ("grier1971",),
    "StudyPlan": ("obuchowski1994",),
    "PowerCurve": ("obuchowski1994",),
    "AveragePrecisionResult": ("boyd2013",),
    "Reclassification": ("pencina2008",),
    "FrocCurve": ("chakraborty2017",),
    "ReaderPlan": ("hillis2011",),
    "MulticlassAuc": ("hand2001",),
    "ClassWeights": ("lachiche2003",),
    "MetaClass": ("deng2006",),
    "OrderedResult": ORDINAL,
    "RecCurve": ("bi2003",),
    "RecBand": ("bi2003",),
    "RecComparison": ("bi2003",),
    "RrocCurve": ("hernandez2013",),
}
OF_TASKS: dict[str, tuple[str, ...]] = {
    "multiclass": ("hand2001",),
    "ordinal": ORDINAL,
    "regression": ("bi2003", "hernandez2013", "massart1990"),
    "survival": ("uno2007", "blanche2013", "uno2011"),
}
OF_SECTIONS = {
    "calibration": OF_RESULTS["Calibration"],
    "confident-segment": OF_RESULTS["ConfidentSegment"],
    "decision-curve": OF_RESULTS["DecisionCurve"],
    "smooth-roc": OF_RESULTS["SmoothRoc"],
}
SAYING = (
    "method",
    "methods",
    "auc_method",
    "test",
    "advice",
    "quantity",
    "rule",
)  # fields about methods


def cite(result: Any = None, *, format: CitationFormat = "text") -> str:
    """Cite rocwise and the methods that a result was computed with.

    Parameters
    ----------
    result : result, optional
        Result of a function of rocwise, or a report; by default rocwise alone is cited.
    format : {"text", "bibtex"}
        One reference per line, or entries for BibTeX.

    Returns
    -------
    str
        The same references are in `to_dict()` of the result, under `references`.

    See Also
    --------
    report : HTML report with a methods paragraph and references.

    Examples
    --------
    >>> import rocwise as rw
    >>> found = rw.auc([0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6], method="delong")
    >>> print(rw.cite(found).splitlines()[1][:49])
    DeLong ER, DeLong DM, Clarke-Pearson DL. Comparin
    >>> rw.cite(found, format="bibtex").splitlines()[0]
    '@misc{rocwise,'
    """
    checks.one_of(format, "format", get_args(CitationFormat))
    keys = ["rocwise"] if result is None else _known_keys(result)
    found = {key: REFERENCES[key] for key in keys}
    if format == "text":
        return "\n".join(each.text for each in found.values())
    return "\n\n".join(each.bibtex(key) for key, each in found.items())


def texts_of(keys: Iterable[str]) -> list[str]:
    """Entries of the table as text, each once."""
    return [REFERENCES[key].text for key in dict.fromkeys(keys)]


def keys_of_methods(methods: Iterable[str]) -> list[str]:
    """Keys of the sources of methods, in the order of the table of methods."""
    names = [method.casefold() for method in methods]
    found = [
        keys for words, keys in OF_METHODS.items() if any(words.casefold() in n for n in names)
    ]
    return list(dict.fromkeys(key for keys in found for key in keys))


def keys_of_result(result: Any) -> list[str]:
    """Keys of the sources of a result: rocwise, its kind, and its methods."""
    kinds: dict[str, None] = {}
    methods: dict[str, None] = {}
    for name, is_kind in _words_of(result):
        (kinds if is_kind else methods)[name] = None
    keys = ["rocwise", *(key for kind in kinds for key in OF_RESULTS.get(kind, ()))]
    keys += [key for kind in methods for key in OF_BANDS.get(kind, ())]
    return list(dict.fromkeys([*keys, *keys_of_methods(methods)]))


def _known_keys(result: Any) -> list[str]:
    payload = getattr(result, "payload", None)
    if isinstance(payload, Mapping):  # of a report
        texts = payload["methods"]["references"]
        return [key for key, each in REFERENCES.items() if each.text in texts]
    if not hasattr(result, "to_dict") or not hasattr(result, "to_frame"):
        raise InputError(
            f"`result` must be what a function of rocwise returned; got {shown(result, 60)}."
        )
    return keys_of_result(result)


def _words_of(value: Any) -> Iterator[tuple[str, bool]]:
    """Names of classes of results (True) and words about methods (False) of a result."""
    for kind in type(value).__mro__:
        if kind.__name__ in OF_RESULTS:
            yield kind.__name__, True
    for word in getattr(value, "_method_words", tuple)():
        yield word, False
    for name, held in getattr(value, "__dict__", {}).items():
        if name in SAYING:
            yield from ((word, False) for word in _texts_in(held))
        elif hasattr(held, "method") and hasattr(held, "level"):  # an interval
            yield str(held.method), False
        elif name in ("results", "areas", "bands") and isinstance(held, Mapping):
            for each in held.values():
                yield from _words_of(each)
        elif hasattr(held, "_method_words"):
            yield from _words_of(held)
        elif name in ("intervals", "pairwise", "table") and isinstance(held, Mapping):
            parts = held.get("method", ()) if "method" in held else held.values()
            yield from ((str(getattr(each, "method", each)), False) for each in parts)


def _texts_in(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if value is None:
        return []
    return list(map(str, value.values() if isinstance(value, Mapping) else value))
