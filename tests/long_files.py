"""Which files of tests come first: a worker that began a long one last would go on alone."""

# the longest first; each takes more than ten seconds
LONG_FILES = (
    "tests/test_docs_build.py",
    "tests/end_to_end/test_clean_install.py",
    "tests/browser/test_studio.py",
    "tests/unit/engines/spark/test_spark_clusters.py",
    "tests/unit/engines/conformance/test_results_at_scale.py",
    "tests/unit/engines/conformance/test_tallies.py",
    "tests/test_pages.py",
    "papers/test_papers.py",
    "tests/fuzz/test_short_walk.py",
    "tests/end_to_end/test_demo.py",
    "tests/unit/engines/spark/test_spark_frames.py",
    "tests/browser/test_report_page.py",
    "tests/unit/kernels/test_bands.py",
    "tests/redteam/test_file_laws.py",
    "tests/unit/engines/test_memory_limit.py",
    "tests/redteam/test_interruptions.py",
)


def turn(node: str) -> int:
    """The place of a test's file among the long ones; all others come after them."""
    name = node.partition("::")[0]
    return LONG_FILES.index(name) if name in LONG_FILES else len(LONG_FILES)
