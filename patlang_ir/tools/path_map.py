"""The option `--path-map`, which several commands have."""

from __future__ import annotations

import argparse


def add_path_map(parser: argparse.ArgumentParser) -> None:
    """Add the option; its value is a list of pairs (OLD, NEW)."""
    parser.add_argument(
        "--path-map",
        metavar="OLD=NEW",
        action="append",
        default=[],
        type=_pair,
        help="where included files are found whose path starts with OLD",
    )


def _pair(text: str) -> tuple[str, str]:
    old, equals, new = text.partition("=")
    if not old or not equals:
        raise argparse.ArgumentTypeError(f"'{text}' is not of the form OLD=NEW")
    return old, new
