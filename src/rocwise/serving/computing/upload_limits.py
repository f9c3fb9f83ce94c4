"""Limits of uploads: a small file may unpack to more than the memory of this machine."""

import gzip
import zipfile
from collections.abc import Mapping
from contextlib import suppress

from rocwise.engines.parquet_files import bytes_of_texts, n_rows
from rocwise.engines.paths import TABLES, files_of
from rocwise.engines.text_files import BROKEN_GZIP, zst_lines
from rocwise.serving.computing.worker import FieldError

LARGEST_UNPACKED = 500_000_000  # bytes of text, or of 8 for each cell of the chosen columns
LONGEST_COLUMN = 1_000  # letters of a name
CHUNK = 1 << 20


def check_text(path: str, name: str) -> None:
    """Raise an error for packed text that is too long, also of an Excel or Parquet file."""
    size = 0
    if path.lower().endswith(".gz"):
        try:
            with gzip.open(path) as text:
                while size <= LARGEST_UNPACKED and (chunk := text.read(CHUNK)):
                    size += len(chunk)
        except (OSError, *BROKEN_GZIP):
            return  # an error of reading
    elif path.lower().endswith(".zst"):
        with zst_lines(path) as lines:
            for line in lines:
                size += len(line)
                if size > LARGEST_UNPACKED:
                    break
    elif path.lower().endswith(".xlsx"):
        with suppress(OSError, zipfile.BadZipFile), zipfile.ZipFile(path) as archive:
            size = sum(part.file_size for part in archive.infolist())
    elif path.lower().endswith(TABLES):
        size = bytes_of_texts(files_of(path))
    if size > LARGEST_UNPACKED:
        raise _too_large(name)


def check_names(columns: Mapping[str, object]) -> None:
    """Raise an error for a name that no page can show."""
    longest = max(map(len, columns), default=0)
    if longest > LONGEST_COLUMN:
        raise FieldError(
            "file",
            f"The name of a column has {longest:,} letters, more than {LONGEST_COLUMN:,}: the "
            "first line must contain the names of the columns.",
        )


def check_cells(path: str, name: str, n_columns: int) -> None:
    """Raise an error for a Parquet file with too many cells in the chosen columns."""
    files = files_of(path)
    if not files.is_text and 8 * n_columns * n_rows(files) > LARGEST_UNPACKED:
        raise _too_large(name)


def _too_large(name: str) -> FieldError:
    return FieldError(
        "file",
        f"{name} is too large: the studio unpacks up to {LARGEST_UNPACKED / 1e6:,.0f} MB. Keep "
        "only the columns with the label and the scores, or start `rocwise studio FILE`, which "
        "reads the file in place.",
    )
