"""Campaigns: the levels of many games, built in worker processes, as tables that grow while they run."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from . import _vaultwright
from .engine import at_least, options
from .errors import CampaignError, unknown

if TYPE_CHECKING:
    import pyarrow

AnyPath = Union[str, "PathLike[str]"]

TABLES: Tuple[str, ...] = tuple(_vaultwright.RawFolder.tables())
"""The tables of a campaign (docs/statistics.md)."""

_LOOK = 0.05
"""The interval in seconds at which the folder is checked."""


def program() -> List[str]:
    """Returns the command that starts this package's program; ``vaultwright`` need not be on the path."""
    root = str(Path(__file__).resolve().parent.parent)
    code = f"import sys; sys.path.insert(0, {root!r}); from vaultwright.__main__ import main; main()"
    return [sys.executable, "-c", code]


def _check_table(table: str) -> None:
    if table not in TABLES:
        raise unknown(f"no table is named {table!r}: {', '.join(TABLES)}", table, TABLES)


def _manifest_of(folder: Path) -> Optional[Tuple[int, int]]:
    """Returns what distinguishes the manifest of a folder from one that replaces it."""
    try:
        found = (folder / "manifest.json").stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


class Campaign:
    """The levels of many games, surveyed by worker processes; :func:`vaultwright.campaign` creates one.

    Iterating yields record batches of one table while the campaign runs, in the order of the games, so that
    the batches are the same for any number of workers. Each supports Arrow's C data interface: ``polars.DataFrame``,
    ``duckdb``, ``pandas`` and ``pyarrow.record_batch`` use the memory directly. If pyarrow is installed, the
    batches are pyarrow's.
    """

    def __init__(
        self,
        words: Sequence[str],
        folder: Optional[AnyPath],
        table: str,
        progress: bool,
    ) -> None:
        _check_table(table)
        self._temporary = tempfile.mkdtemp(prefix="vaultwright-") if folder is None else None
        self.folder = Path(self._temporary or fspath(folder or ""))
        """The folder for shards and, at the end, tables and report."""
        self._words = list(words)
        self._table = table
        self._progress = progress
        self._process: Optional[subprocess.Popen[bytes]] = None
        self._raw: Any = None
        self._before: Optional[Tuple[int, int]] = None
        self._ended = False

    # Running.

    def start(self) -> None:
        """Starts the workers, unless they are already running. Reading tables does so automatically."""
        if self._process is not None or self._ended:
            return
        self._before = _manifest_of(self.folder)
        said = tempfile.TemporaryFile()
        self._said = said
        self._process = subprocess.Popen(
            [*program(), *self._words, f"--out={self.folder}"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=said,
            # Ctrl-C is for this process, which then asks the campaign to stop.
            start_new_session=True,
        )

    def run(self) -> Campaign:
        """Runs it to the end, if it has not ended."""
        for _ in self._shards():
            pass
        return self

    def stop(self) -> None:
        """Stops the workers. What is finished is kept, and running the same campaign again continues with the rest."""
        process, self._process = self._process, None
        if process is not None and process.poll() is None:
            process.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def close(self) -> None:
        """Stops it, and removes its folder if none was given."""
        self.stop()
        if self._temporary is not None:
            shutil.rmtree(self._temporary, ignore_errors=True)
            self._temporary = None

    def __enter__(self) -> Campaign:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_temporary"):
            self.close()

    def _opened(self) -> Any:
        """Returns the folder once its manifest is written: that of an earlier campaign may contain less."""
        while self._raw is None:
            ended = self._check()
            if ended or _manifest_of(self.folder) != self._before:
                self._raw = _vaultwright.RawFolder.open(self.folder)
            if self._raw is None:
                if ended:
                    raise CampaignError(f"{self.folder} holds no campaign")
                time.sleep(_LOOK)
        return self._raw

    def _check(self) -> bool:
        """Returns whether the process has ended. Raises its error if it has failed."""
        if self._process is None:
            return True
        code = self._process.poll()
        if code is None:
            return False
        self._said.seek(0)
        said = self._said.read().decode("utf-8", "replace").strip()
        self._said.close()
        self._process = None
        errors = re.findall(r"^error: (.*)$", said, re.MULTILINE)
        if errors or code not in (0, 1):
            raise CampaignError(errors[-1] if errors else f"the campaign ended with code {code}: {said}")
        self._ended = True
        return True

    def _shards(self) -> Iterator[int]:
        """Yields the shards in order, each as soon as it exists."""
        self.start()
        try:
            raw = self._opened()
            shards = raw.shards()
            bar = _bar(sum(games for _, games in shards)) if self._progress else None
            for number, games in shards:
                while not raw.has(number):
                    if self._check() and not raw.has(number):
                        raise CampaignError(f"shard {number} is missing in {self.folder}; run it again")
                    time.sleep(_LOOK)
                if bar is not None:
                    bar.update(games)
                yield number
            while not self._check():
                time.sleep(_LOOK)
            if bar is not None:
                bar.close()
        except BaseException:
            self.stop()
            raise

    # Reading.

    def __iter__(self) -> Iterator[Any]:
        return self.batches(self._table)

    def batches(self, table: str) -> Iterator[Any]:
        """Yields the rows of a table, a record batch for each shard, as soon as the shard is made.

        The table ``picks`` is only known at the end, and is a single batch.
        """
        _check_table(table)
        if table == "picks":
            self.run()
            yield from self._pyarrow_parquet().read_table(self.folder / "tables" / "picks.parquet").to_batches()
            return
        try:
            import pyarrow
        except ImportError:
            pyarrow = None
        for number in self._shards():
            read = self._opened().batches(number, [table])
            if read is None:
                raise CampaignError(f"shard {number} of {self.folder} has been damaged since it was written")
            yield read[0] if pyarrow is None else pyarrow.record_batch(read[0])

    def table(self, table: Optional[str] = None) -> pyarrow.Table:
        """Returns all rows of a table, once the campaign has ended."""
        import pyarrow

        return pyarrow.Table.from_batches(list(self.batches(table or self._table)))

    def reader(self, table: Optional[str] = None) -> pyarrow.RecordBatchReader:
        """Returns a table as a stream while it runs: for ``duckdb.from_arrow``, ``polars.from_arrow``, a dataset."""
        import pyarrow

        batches = self.batches(table or self._table)
        first = next(batches)

        def every() -> Iterator[pyarrow.RecordBatch]:
            yield first
            yield from batches

        return pyarrow.RecordBatchReader.from_batches(first.schema, every())

    @staticmethod
    def _pyarrow_parquet() -> Any:
        import pyarrow.parquet

        return pyarrow.parquet

    @property
    def manifest(self) -> Mapping[str, Any]:
        """The description of the campaign: rules, a hash of the pack, the plan."""
        self.start()
        return json.loads(self._opened().manifest())  # type: ignore[no-any-return]

    @property
    def report(self) -> Path:
        """The page with pictures and figures, once the campaign has ended."""
        self.run()
        return self.folder / "report.html"

    def __repr__(self) -> str:
        return f"<Campaign in {self.folder}>"


def words_of(
    games: int,
    places: Union[str, Iterable[str], None],
    seed: int,
    jobs: Optional[int],
    shard: Optional[Tuple[int, int]],
    without: Iterable[str],
    force: Optional[str],
    pack: Sequence[str],
) -> List[str]:
    """Returns the program's arguments for a campaign."""
    at_least("games", games, 0)
    at_least("seed", seed, 0)
    at_least("jobs", jobs, 0)
    ranges = [places] if isinstance(places, str) else list(places or ())
    words = ["mapstat", str(games), *ranges, "--seed", str(seed), *pack]
    if jobs is not None:
        words += ["--jobs", str(jobs)]
    if shard is not None:
        words += ["--shard", f"{shard[0]}/{shard[1]}"]
    if force is not None:
        words.append(f"--force-map={force}")
    words += [f"--without={name}" for name in without]
    return words


def campaign(
    games: int = 100,
    places: Union[str, Iterable[str], None] = None,
    *,
    table: str = "levels",
    seed: int = 1,
    data: Optional[AnyPath] = None,
    rules: Optional[str] = None,
    files: Iterable[AnyPath] = (),
    jobs: Optional[int] = None,
    out: Optional[AnyPath] = None,
    shard: Optional[Tuple[int, int]] = None,
    without: Iterable[str] = (),
    force: Optional[str] = None,
    instructions: Optional[int] = None,
    memory: Optional[int] = None,
    cache: Optional[AnyPath] = None,
    progress: bool = True,
) -> Campaign:
    """Surveys the levels of many games in worker processes.

    :param games: the number of games; each has the seed after that of the previous one.
    :param places: ranges of levels, such as ``"D:1-4"`` or ``["D", "!D:2"]``; by default all levels.
    :param table: the table of :data:`vaultwright.TABLES` that iterating yields.
    :param seed: the seed of the first game.
    :param data: as for :class:`vaultwright.Engine`, also ``rules``, ``files``, ``instructions``, ``memory``, ``cache``.
    :param jobs: the number of workers; by default the number of cores.
    :param out: the folder for records, tables and the report; the same call continues where it was stopped. Without it
        they are removed together with the campaign.
    :param shard: part ``(i, k)`` of ``k`` parts, counted from 1; :func:`vaultwright.merge` joins them.
    :param without: maps to leave out.
    :param force: a map to place on every level.
    :param progress: whether to show the progress with tqdm, if it is installed.

    A map that hangs or makes a worker fail is left out of that game and recorded in the table ``casualties``.
    """
    files = [files] if isinstance(files, (str, PathLike)) else list(files)
    pack = options(data, rules, files, instructions, memory, cache)
    words = words_of(games, places, seed, jobs, shard, without, force, pack)
    return Campaign(words, out, table, progress)


def read_campaign(folder: AnyPath, *, table: str = "levels") -> Campaign:
    """Opens the campaign in a folder, to read its tables. Runs nothing."""
    read = Campaign([], folder, table, False)
    read._ended = True
    read._opened()
    return read


def merge(
    parts: Iterable[AnyPath], out: AnyPath, *, table: str = "levels", data: Optional[AnyPath] = None,
    rules: Optional[str] = None, files: Iterable[AnyPath] = (),
) -> Campaign:  # fmt: skip
    """Merges the parts of a campaign that were made with ``shard`` into one folder, with tables and report."""
    pack = options(data, rules, files, None, None, None)
    words = ["merge", f"--out={fspath(out)}", *pack, "--", *(fspath(part) for part in parts)]
    _run(words)
    return read_campaign(out, table=table)


def seeds_of(
    question: str, pack: Sequence[str], *, find: int = 1, search: int = 1000, seed: int = 1,
    jobs: Optional[int] = None,
) -> Iterator[int]:  # fmt: skip
    """Yields the seeds of games that match a question, in order."""
    for name, value in (("find", find), ("search", search), ("seed", seed), ("jobs", jobs)):
        at_least(name, value, 0)
    words = ["seeds", "--quiet", "--find", str(find), "--search", str(search), "--seed", str(seed), *pack]
    if jobs is not None:
        words += ["--jobs", str(jobs)]
    told = _run([*words, "--", question])
    yield from (int(number) for number in re.findall(r"^Seed (\d+)", told, re.MULTILINE))


def seeds(
    question: str, *, find: int = 1, search: int = 1000, seed: int = 1, jobs: Optional[int] = None,
    data: Optional[AnyPath] = None, rules: Optional[str] = None, files: Iterable[AnyPath] = (),
) -> Iterator[int]:  # fmt: skip
    """Yields the seeds of games that match a question such as ``"D:1-4 has vault moonlit_pond and shop"``.

    :param find: the number of games to find.
    :param search: the number of games to search, starting with ``seed``.
    """
    pack = options(data, rules, files, None, None, None)
    return seeds_of(question, pack, find=find, search=search, seed=seed, jobs=jobs)


@dataclass(frozen=True)
class Difference:
    """A difference between two campaigns."""

    subject: str
    """The subject."""
    name: str
    old: float
    new: float
    effect: float
    """The effect size: Cohen's *h* for shares, *d* for means; 0.2 is small, 0.5 medium, 0.8 large."""
    test: str
    """``Fisher``, ``chi²`` or ``KS``."""
    p: float
    """The probability of such a large difference if there is none."""
    q: float
    """The share of false alarms if this and all more significant differences are considered real."""
    real: bool
    """Whether it is significant, taking all comparisons into account."""


def compare(old: Union[AnyPath, Campaign], new: Union[AnyPath, Campaign]) -> List[Difference]:
    """Returns the differences between two campaigns, significant ones first."""

    def folder(of: Union[AnyPath, Campaign]) -> str:
        return str(of.run().folder) if isinstance(of, Campaign) else fspath(of)

    told: List[Dict[str, Any]] = json.loads(_vaultwright.compare(folder(old), folder(new)))
    return [Difference(**one) for one in told]


def _run(words: Sequence[str]) -> str:
    """Returns the program's output. Raises its error as an exception."""
    ended = subprocess.run([*program(), *words], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    said = ended.stderr.decode("utf-8", "replace")
    errors = re.findall(r"^error: (.*)", said, re.MULTILINE | re.DOTALL)
    if errors or ended.returncode not in (0, 1):
        raise CampaignError((errors[-1] if errors else said).strip())
    return ended.stdout.decode("utf-8", "replace")


def _bar(games: int) -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(total=games, unit="game")
