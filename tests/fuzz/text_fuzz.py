"""Broken programs through the whole compiler: `text_fuzz.py --count 20000 --seed 1 [--mlir]`.

Whatever the text, the answer is a result or diagnostics that say where; no other exception, and no
waiting. Programs are tokens at random, or real programs with some tokens, lines or characters
changed; with `--mlir` they are files of IR, given to `patlang-opt`. Prints what went wrong, and
ends with status 1 if anything did.
"""

from __future__ import annotations

import argparse
import re
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import cache
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from random import Random
from typing import Any

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS.parent), str(TESTS / "fuzz")]

from random_kernels import random_kernel  # noqa: E402
from xdsl.context import Context  # noqa: E402

from patlang_ir.backends.python import print_python  # noqa: E402
from patlang_ir.backends.triton import print_triton  # noqa: E402
from patlang_ir.diagnostics import CompileError  # noqa: E402
from patlang_ir.frontend import parse  # noqa: E402
from patlang_ir.passes.pipelines import PIPELINES  # noqa: E402
from patlang_ir.pipeline import parse_pipeline  # noqa: E402
from patlang_ir.runtime.compiler import kernels_of  # noqa: E402
from patlang_ir.tools.opt import main as patlang_opt  # noqa: E402
from patlang_ir.verify import verify  # noqa: E402

TOKEN = re.compile(r"\w+|\"[^\"\n]*\"|#[^\n]*|\n|[^\w\s]|[ \t]+")
WORDS = """
let mut if elif else end while do then begin return fn make a function called takes returns require
ensure and or not band bor bxor bnot shl shr true false x y out offs row col n mask i v k pid store
atomic_add atomic_max sum cumsum reduce_max argmax any select max min fma sqrt exp clamp print
list_push class field when emit ( ) [ ] { } , . ; : | + - * / % = == != < <= > >= 0 1 2 7 0.5 1e3
255 9223372036854775808 "text" "open include @ $ é NEWLINE NEWLINE NEWLINE # #@gpu_kernel
#@gpu_kernel_2d(math=fast)
"""
WORDS = ["\n" if word == "NEWLINE" else word for word in WORDS.split()]
PATIENCE = 20
"""Seconds after which a text is said to hang."""


class Broken(Exception):
    """The compiler did something else than to answer or to say what is wrong, and where."""


@cache
def programs() -> tuple[str, ...]:
    """Real programs: examples, tests, and some random kernels."""
    folders = (TESTS.parent / "examples", TESTS / "programs", TESTS / "filecheck")
    files = sorted(file for folder in folders for file in folder.rglob("*.patlang"))
    texts = [file.read_text(encoding="utf-8") for file in files]
    texts += [random_kernel(seed).text for seed in range(20)]
    return tuple(text for text in texts if len(text) < 6000)


@cache
def ir_files() -> tuple[str, ...]:
    """The chunks of the IR files of the tests."""
    files = sorted((TESTS / "filecheck").rglob("*.mlir"))
    chunks = [c for f in files for c in f.read_text(encoding="utf-8").split("// -----")]
    return tuple(chunk for chunk in chunks if len(chunk) < 4000)


def soup(rng: Random) -> str:
    """Words at random, in lines, and often in a kernel."""
    words = " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 60)))
    if rng.random() < 0.5:
        return words
    return f"# @gpu_kernel\nmake a function called k takes x, y, out\n{words}\nend\n"


def mutated(rng: Random, texts: tuple[str, ...]) -> str:
    """A text with a few changes."""
    text = rng.choice(texts)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        text = changed(rng, text, texts)
    return text


def changed(rng: Random, text: str, texts: tuple[str, ...]) -> str:
    tokens: list[str] = TOKEN.findall(text)
    lines = text.splitlines(keepends=True)
    if not tokens or not lines:
        return soup(rng)
    at, line = rng.randrange(len(tokens)), rng.randrange(len(lines))
    match rng.randint(0, 9):
        case 0 | 1:
            tokens[at] = rng.choice((rng.choice(tokens), rng.choice(WORDS)))
        case 2:
            del tokens[at]
        case 3:
            tokens.insert(at, rng.choice((rng.choice(tokens), rng.choice(WORDS))))
        case 4:
            other = rng.randrange(len(tokens))
            tokens[at], tokens[other] = tokens[other], tokens[at]
        case 5:
            del lines[line]
            return "".join(lines)
        case 6:
            lines.insert(line, rng.choice(rng.choice(texts).splitlines(keepends=True) or ["\n"]))
            return "".join(lines)
        case 7:
            end = min(line + rng.randint(1, 5), len(lines))
            return "".join(lines[:end] + lines[line:])
        case 8:
            return text[: rng.randrange(len(text) + 1)]
        case _:
            place = rng.randrange(len(text))
            return text[:place] + chr(rng.choice((rng.randint(1, 126), 233))) + text[place + 1 :]
    return "".join(tokens)


def compile_all(text: str) -> None:
    """What `patlang run` and `patlang compile` do with a program, without running it."""
    module = parse(text, "fuzz.patlang").module
    for name in kernels_of(module):
        print_triton(_after(module, "patlang-kernel-to-triton", f"{{kernel={name}}}"))
    print_python(_after(module, "patlang-host", ""))


def _after(module: Any, pipeline: str, options: str) -> Any:
    result, context = module.clone(), Context()
    for step in parse_pipeline(pipeline + options):
        step.apply(context, result)
        verify(result)
    return result


def outcome(text: str) -> str:
    """`compiled`, or `refused` with diagnostics of which each has a code and a place."""
    try:
        compile_all(text)
    except CompileError as error:
        for found in error.diagnostics:
            if not re.fullmatch(r"P\d{3}", found.code) or found.code in ("P901", "P902", "P999"):
                raise Broken(f"{found.code}: {found.message}") from None
            if found.place is None or found.place.line < 1:
                raise Broken(f"no place for {found.code}: {found.message}") from None
        return "refused"
    return "compiled"


def outcome_of_ir(text: str, pipeline: str) -> str:
    """`compiled` or `refused`, from the exit status of `patlang-opt`."""
    out, errors = StringIO(), StringIO()
    stdin, sys.stdin = sys.stdin, TextIOWrapper(BytesIO(text.encode()))
    try:
        with redirect_stdout(out), redirect_stderr(errors):
            status = patlang_opt(["-p", pipeline, "--split-input-file"])
    finally:
        sys.stdin = stdin
    if status not in (0, 1) or "P999" in errors.getvalue() or "Traceback" in errors.getvalue():
        raise Broken(f"status {status}: {errors.getvalue()[:600]}")
    return "refused" if status else "compiled"


@contextmanager
def patience() -> Iterator[None]:
    """Raises Broken in whatever takes too long."""

    def give_up(*_: Any) -> None:
        raise Broken(f"no answer after {PATIENCE} s")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def text_of(seed: int) -> str:
    rng = Random(seed)
    return soup(rng) if rng.random() < 0.15 else mutated(rng, programs())


def ir_of(seed: int) -> tuple[str, str]:
    """A file of IR, and the passes that it goes through."""
    rng = Random(seed)
    names = [*PIPELINES["patlang-kernel-to-triton"], *PIPELINES]
    passes = rng.sample(names, rng.randint(1, 3))
    return mutated(rng, ir_files()), ",".join(passes)


def main(arguments: argparse.Namespace) -> int:
    started, counts = time.time(), Counter[str]()
    first = arguments.seed * 1_000_000
    for seed in range(first, first + arguments.count):
        try:
            with patience():
                counts[
                    outcome_of_ir(*ir_of(seed)) if arguments.mlir else outcome(text_of(seed))
                ] += 1
        except Exception as error:
            counts["broken"] += 1
            trace = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{Path(trace.filename).name}:{trace.lineno}"
            print(f"seed {seed}: {type(error).__name__} at {where}: {str(error)[:300]}", flush=True)
    print(f"{sum(counts.values())} texts in {time.time() - started:.0f} s: {dict(counts)}")
    return int(counts["broken"] > 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mlir", action="store_true")
    sys.exit(main(parser.parse_args()))
