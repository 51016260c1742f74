"""The formats a table can leave in: what each is called, and the module that writes it."""

from typing import Final, Literal, get_args

Format = Literal["csv", "xlsx", "md", "html", "parquet", "json", "svg", "png", "pdf"]
FORMATS: Final[tuple[Format, ...]] = get_args(Format)
BINARY: Final[frozenset[Format]] = frozenset({"xlsx", "parquet", "png", "pdf"})
SUFFIXES: Final[dict[str, Format]] = {
    **{f".{name}": name for name in FORMATS},
    ".htm": "html",
    ".markdown": "md",
}
MIME: Final[dict[Format, str]] = {
    "csv": "text/csv",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "md": "text/markdown",
    "html": "text/html",
    "parquet": "application/vnd.apache.parquet",
    "json": "application/json",
    "svg": "image/svg+xml",
    "png": "image/png",
    "pdf": "application/pdf",
}
