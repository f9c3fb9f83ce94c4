"""The literature behind results: one table, as text and as BibTeX, and what a result used."""

import csv
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
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
    year: str
    volume: str = ""
    pages: str = ""
    doi: str = ""
    kind: str = "article"  # of BibTeX

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
        given = {name: value for name, value in fields.items() if value}
        signs = str.maketrans({"–": "--", "&": r"\&"})
        lines = [f"  {name} = {{{value.translate(signs)}}}," for name, value in given.items()]
        return "\n".join([f"@{self.kind}{{{key},", *lines, "}"])


def _bibtex_name(author: str) -> str:
    """``DeLong ER`` as ``DeLong, E. R.``; a group of people stays as it is."""
    family, _, initials = author.rpartition(" ")
    if not family or not initials.isupper():
        return f"{{{author}}}"
    return f"{family}, {' '.join(f'{each}.' for each in initials)}"


@cache
def entries() -> dict[str, Reference]:
    """The literature of `references.csv` by key, after rocwise itself."""
    own = "The rocwise developers", "rocwise: ROC analysis in Python", f"Version {VERSION}", ""
    found = {"rocwise": Reference(*own, kind="misc")}
    text = files("rocwise").joinpath("references.csv").read_text(encoding="utf-8")
    for key, *fields in csv.reader(text.splitlines()[1:]):
        found[key] = Reference(*fields)
    return found


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
    "MOVER": ("zou2008",),
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
METHOD_FIELDS = (
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
    found = {key: entries()[key] for key in keys}
    if format == "text":
        return "\n".join(each.text for each in found.values())
    return "\n\n".join(each.bibtex(key) for key, each in found.items())


def texts_of(keys: Iterable[str]) -> list[str]:
    """Entries of the table as text, each once."""
    return [entries()[key].text for key in dict.fromkeys(keys)]


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
        return [key for key, each in entries().items() if each.text in texts]
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
    for name, entry in getattr(value, "__dict__", {}).items():
        if name in METHOD_FIELDS:
            yield from ((word, False) for word in _texts_in(entry))
        elif hasattr(entry, "method") and hasattr(entry, "level"):  # an interval
            yield str(entry.method), False
        elif name in ("results", "areas", "bands") and isinstance(entry, Mapping):
            for each in entry.values():
                yield from _words_of(each)
        elif hasattr(entry, "_method_words"):
            yield from _words_of(entry)
        elif name in ("intervals", "pairwise", "table") and isinstance(entry, Mapping):
            parts = entry.get("method", ()) if "method" in entry else entry.values()
            yield from ((str(getattr(each, "method", each)), False) for each in parts)


def _texts_in(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if value is None:
        return []
    return list(map(str, value.values() if isinstance(value, Mapping) else value))
