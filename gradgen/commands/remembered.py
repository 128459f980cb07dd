"""Verdicts of earlier checks, for files of which nothing has changed since.

As pytest's cache: beside the project, never committed, and no loss when deleted. A
verdict is kept where all that it was made of is the same: the file, what making it
again has read, gradgen, Python, NumPy, the seed, the processor. What was wrong is
measured every time.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gradgen.commands.files import replace_file, text_held
from gradgen.commands.reads import Reads, digest_of, forget
from gradgen.commands.records import FOLDER, setting_of

if TYPE_CHECKING:  # nothing of gradgen.verify is loaded for what is known
    from gradgen.verify.verdict import Verdict

FILE = "check.json"
BEFORE = " (measured before)"
# by these OpenBLAS and others are told to compute as on another processor
_KERNELS = ("OPENBLAS_CORETYPE", "MKL_CBWR", "NPY_DISABLE_CPU_FEATURES")


class Remembered:
    """What is known of the files that were checked from a folder, with a seed."""

    def __init__(self, folder: Path, seed: int) -> None:
        forget()
        self.file = folder / FOLDER / FILE
        kernels = [f"{name}={os.environ.get(name)}" for name in _KERNELS]
        processor = [platform.machine(), platform.processor(), *kernels]
        parts = [setting_of(folder), str(seed), *processor]
        self.made = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
        self.known = _read(self.file)

    def verdict(self, path: str) -> Verdict | None:
        """The verdict on a file, where it is known and nothing has changed."""
        known = self.known.get(path)
        if known is None or known["made"] != self.made:
            return None
        if known["text"] != digest_of(path) or not Reads(**known["reads"]).hold():
            return None
        from gradgen.verify.verdict import Verdict

        return Verdict(path, said=known["said"] + BEFORE, judged=known["judged"])

    def note(self, verdict: Verdict, reads: Reads) -> None:
        """Keeps a verdict without faults; forgets what is known of another file."""
        self.known.pop(verdict.path, None)
        if verdict.faults:
            return
        self.known[verdict.path] = {
            "made": self.made,
            "text": digest_of(verdict.path),
            "said": verdict.said,
            "judged": verdict.judged,
            "reads": reads.data(),
        }

    def save(self) -> None:
        """Writes what is known; where that fails, the next check measures again."""
        if self.file.parent.is_symlink() or self.file.is_symlink():
            return  # which may lead out of the project
        kept = {path: one for path, one in self.known.items() if os.path.exists(path)}
        try:
            self.file.parent.mkdir(exist_ok=True)
            ignored = self.file.parent / ".gitignore"
            if not ignored.exists():
                replace_file(str(ignored), b"*\n")
            replace_file(str(self.file), json.dumps(kept).encode())
        except OSError:
            pass


def _read(file: Path) -> dict[str, dict[Any, Any]]:
    try:
        known: dict[str, dict[Any, Any]] = json.loads(text_held(str(file)))
        for one in known.values():
            Reads(**one["reads"]), one["made"], one["text"], one["said"], one["judged"]
        return known
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}
