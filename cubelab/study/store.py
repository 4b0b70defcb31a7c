"""Decisions kept in Parquet: a row group a match, readable by pandas, Polars, DuckDB."""

from __future__ import annotations

from io import RawIOBase
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from ..errors import DataMissing
from .decisions import COLUMNS, decisions_frame

if TYPE_CHECKING:
    import pandas as pd


class DecisionWriter:
    """Writes frames of decisions one after the other.

    Parameters
    ----------
    target : Path or binary stream
        A stream need not be seekable.

    Raises
    ------
    DataMissing
        pyarrow is not installed.
    """

    def __init__(self, target: Path | BinaryIO):
        try:
            import pyarrow as pa
            import pyarrow.parquet as pq
        except ImportError:
            raise DataMissing("Parquet needs pyarrow, which is not installed: pip install pyarrow") from None
        self._pa = pa
        sink: Any = target if isinstance(target, Path) else pa.PythonFile(_Counted(target), mode="w")
        self._schema = _schema(pa)
        self._writer = pq.ParquetWriter(sink, self._schema)
        self._sink, self._rows = sink, 0

    def write(self, decisions: pd.DataFrame) -> None:
        """Append a frame with the columns of `study.decisions`."""
        if not len(decisions):
            return
        texts = {name: decisions[name].astype(object) for name, kind in COLUMNS.items() if kind in ("category", "str")}
        table = self._pa.Table.from_pandas(decisions.assign(**texts), schema=self._schema, preserve_index=False)
        self._writer.write_table(table)
        self._rows += len(decisions)

    def close(self) -> int:
        """Finish the file; returns the number of rows."""
        self._writer.close()
        return self._rows


def read_decisions(path: str | Path) -> pd.DataFrame:
    """Decisions of a Parquet file, with the column types of `study.decisions`.

    Raises
    ------
    DataMissing
        pyarrow is not installed, or the file holds other columns.
    """
    try:
        import pyarrow.parquet as pq
    except ImportError:
        raise DataMissing("Parquet needs pyarrow, which is not installed: pip install pyarrow") from None
    table = pq.read_table(path)
    if table.column_names != list(COLUMNS):
        raise DataMissing(f"{path} does not hold the columns of cubelab's decisions")
    return decisions_frame(table.to_pylist())


def _schema(pa: Any) -> Any:
    kinds = {
        "category": pa.string(),
        "str": pa.string(),
        "int8": pa.int8(),
        "int32": pa.int32(),
        "float64": pa.float64(),
        "bool": pa.bool_(),
    }
    return pa.schema([(name, kinds[kind]) for name, kind in COLUMNS.items()])


class _Counted(RawIOBase):
    """A stream that knows its place, such as a pipe does not."""

    def __init__(self, stream: BinaryIO):
        self._stream, self._place = stream, 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        view = memoryview(data)
        self._stream.write(view)
        self._place += view.nbytes
        return view.nbytes

    def tell(self) -> int:
        return self._place

    def flush(self) -> None:
        self._stream.flush()
