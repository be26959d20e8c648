"""What all tests share."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _quiet_environment(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore
    """A developer's settings must not decide a test."""
    monkeypatch.delenv("PATLANG_DEBUG", raising=False)
