"""The search box of the built pages finds the terms of the field."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from sphinx.search.en import SearchEnglish

ACRONYMS = ("cauc", "fwb", "sjr", "vacc", "whb")  # of papers
QUERIES = {
    "partial auc": "guide/auc",
    "confidence interval auc": "guide/auc",
    "statistical significance": "guide/comparison",
    "optimal cutoff": "guide/thresholds",
    "cut-off": "guide/thresholds",
    "cutpoint": "guide/thresholds",
    "youden": "guide/thresholds",
    "reject option": "guide/abstention",
    "decision curve analysis": "guide/costs",
    "cost curve": "guide/costs",
    "reliability diagram": "guide/calibration",
    "brier score": "guide/calibration",
    "calibration": "guide/calibration",
    "confusion matrix": "guide/operating-points",
    "sensitivity at fixed specificity": "guide/operating-points",
    "predictive value": "guide/operating-points",
    "clustered data": "guide/weights-and-clusters",
    "sample weights": "guide/weights-and-clusters",
    "export latex table": "guide/tables",
    "csv": "guide/data",
    "missing values": "guide/data",
    "quickstart": "quickstart",
    "example": "gallery",
    "conformal": "guide/guaranteed-thresholds",
    "imbalanced": "guide/precision-recall",
    "precision recall": "guide/precision-recall",
    "sample size": "guide/sample-size",
    "multiclass": "guide/multiclass",
    "ordinal": "guide/ordinal",
    "confidence band": "guide/bands",
    "delong": "guide/comparison",
    "permutation test": "guide/comparison",
    "non-inferiority": "guide/comparison",
    "cross-validation": "guide/cross-validation",
    "bootstrap": "validation/bootstrap",
    "command line": "guide/command-line",
    "kalman filter": "guide/kalman-filters",
    **dict.fromkeys(ACRONYMS, "glossary"),
}
TITLE, PARTIAL_TITLE, TERM, PARTIAL_TERM = 15, 7, 5, 2
OBJECT_NAME, PART_OF_NAME, PRIORITIES = 11, 6, {0: 15, 1: 5, 2: -5}


class Index:
    """The index of the search, read as `searchtools.js` of Sphinx does."""

    def __init__(self, path: Path) -> None:
        text = path.read_text(encoding="utf-8")
        self.data = json.loads(text[text.index("(") + 1 : text.rindex(")")])
        self.pages: list[str] = self.data["docnames"]
        self.english = SearchEnglish({})

    def found(self, query: str) -> list[str]:
        """Pages in the order in which they are shown, every page once."""
        scored = [*self.in_titles(query), *self.in_objects(query), *self.in_texts(query)]
        ranked = [(-self.boosted(query, *one), one[1].lower(), one[2]) for one in scored]
        return list(dict.fromkeys(self.pages[page] for _, _, page in sorted(ranked)))

    def boosted(self, query: str, score: float, title: str, page: int) -> float:
        """The score of `docs/extensions/search_scorer.js`."""
        named = all(word[:5] in title.lower() for word in re.findall("[a-z0-9]+", query))
        return score + 2 * self.pages[page].startswith("guide/") + 6 * named

    def in_titles(self, query: str) -> Iterator[tuple[float, str, int]]:
        for title, places in self.data["alltitles"].items():
            if query in title.lower() and len(query) >= len(title) / 2:
                for page, _ in places:
                    of_page = self.data["titles"][page]
                    score = round(TITLE * len(query) / len(title)) + (of_page == title)
                    yield score, title if of_page == title else f"{of_page} > {title}", page

    def in_objects(self, query: str) -> Iterator[tuple[float, str, int]]:
        words = set(re.findall(r"[\w]+", query))
        for word in words:
            for prefix, entries in self.data["objects"].items():
                for page, kind, priority, _, name in entries:
                    whole = f"{prefix}.{name}".lower()
                    last = whole.rpartition(".")[2]
                    where = f"{whole} {self.data['objnames'][str(kind)][2]} "
                    where += self.data["titles"][page]
                    if word in whole and all(each in where.lower() for each in words):
                        score = OBJECT_NAME if word in (whole, last) else 0
                        score = score or (PART_OF_NAME if word in last else 0)
                        yield score + PRIORITIES.get(priority, 0), whole, page

    def in_texts(self, query: str) -> Iterator[tuple[float, str, int]]:
        words = re.findall(r"\w+", query)
        stems = {self.english.stem(word) for word in words if word not in self.english.stopwords}
        scores: dict[int, dict[str, int]] = defaultdict(dict)
        for stem in stems:
            for table, score, partial in (
                ("terms", TERM, PARTIAL_TERM),
                ("titleterms", TITLE, PARTIAL_TITLE),
            ):
                for page in self.pages_of(table, stem):
                    scores[page][stem] = score
                if len(stem) > 2 and stem not in self.data[table]:
                    for term in self.data[table]:
                        if stem in term:
                            for page in self.pages_of(table, term):
                                scores[page][stem] = partial
        for page, of_page in scores.items():
            if len(of_page) in (len(stems), sum(len(stem) > 2 for stem in stems)):
                yield max(of_page.values()), self.data["titles"][page], page

    def pages_of(self, table: str, term: str) -> list[int]:
        pages: Any = self.data[table].get(term, [])
        return pages if isinstance(pages, list) else [pages]

    @cached_property
    def ranks(self) -> dict[str, int]:
        """Rank of the right page for each query; 0 if it is not found."""
        found = {query: self.found(query) for query in QUERIES}
        return {
            query: found[query].index(page) + 1 if page in found[query] else 0
            for query, page in QUERIES.items()
        }
