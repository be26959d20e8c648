"""What all tests share."""

from __future__ import annotations

import pytest
from hypothesis import settings

settings.register_profile("same", derandomize=True, print_blob=True)
settings.load_profile("same")  # `--hypothesis-profile=default` draws other examples each time


@pytest.fixture(autouse=True)
def _quiet_environment(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore
    """A developer's settings must not decide a test."""
    monkeypatch.delenv("PATLANG_DEBUG", raising=False)
