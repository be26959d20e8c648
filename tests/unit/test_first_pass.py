"""docs/first-pass.md does what it says: its files are written, its commands run in a copy."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "first-pass.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(?P<kind>[^\n]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of what the page works on."""
    ignored = shutil.ignore_patterns("__pycache__")
    for name in ("patlang_ir", "tests/filecheck"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)
    for name in ("pyproject.toml", "tests/conftest.py", "tests/run_lines.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    shutil.copy(ROOT / "tests/test_filecheck.py", tmp_path / "tests/test_filecheck.py")
    return tmp_path


def shell(command: str, folder: Path) -> str:
    """All that a command prints, run in `folder` with the tools of this environment."""
    scripts = os.path.dirname(sys.executable)
    environment = {
        **os.environ,
        "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(folder),
        "PYTEST_ADDOPTS": "-p no:cacheprovider",
        "COLUMNS": "200",
    }
    result = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return result.stdout


def test_the_page(checkout: Path):
    shown = 0
    for block in BLOCK.finditer(PAGE):
        kind, body = block["kind"], block["body"]
        if "file=" in kind:
            (checkout / kind.partition("file=")[2]).write_text(body, encoding="utf-8")
        if kind != "console":
            continue
        for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
            command, *lines = part.splitlines()
            output = shell(command, checkout)
            for line in lines:
                assert line in output, f"{command}\n{output}"
                shown += 1
    assert shown == 6
