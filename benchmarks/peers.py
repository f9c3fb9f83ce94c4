"""Who rocwise is compared with, which version is here, and how to get the missing ones."""

import importlib.metadata
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Peer:
    """Another implementation: its name, the language it runs in, the command that installs it.

    `otherwise` says what stands for it where it cannot be installed.
    """

    name: str
    install: str
    language: str = "Python"
    otherwise: str = ""


ROCWISE = Peer("rocwise", "pip install -e .")
NUMPY = Peer("numpy", "pip install numpy")
SKLEARN = Peer("scikit-learn", "pip install scikit-learn")
TORCHMETRICS = Peer("torchmetrics", "pip install torch==2.13.0 torchmetrics")
CONFIDENCEINTERVAL = Peer("confidenceinterval", "pip install confidenceinterval")
MLSTATKIT = Peer("MLstatkit", "pip install MLstatkit")
ROCCI = Peer("rocci", "pip install rocci")
PROC = Peer(
    "pROC",
    "apt-get install r-base-core r-cran-proc",
    language="R",
    otherwise="; answers of it are stored in tests/reference, and the tests compare with them",
)
FBROC = Peer("fbroc", "Rscript -e 'install.packages(\"fbroc\")'", language="R")

ALL_PEERS = (
    ROCWISE,
    NUMPY,
    SKLEARN,
    TORCHMETRICS,
    CONFIDENCEINTERVAL,
    MLSTATKIT,
    ROCCI,
    PROC,
    FBROC,
)


def find_versions(r_versions: Mapping[str, str]) -> dict[str, str | None]:
    """Name -> version, None for what is not installed; R's are asked of R by the caller."""
    return {
        peer.name: r_versions.get(peer.name)
        if peer.language == "R"
        else _distribution_version(peer.name)
        for peer in ALL_PEERS
    }


def _distribution_version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None
