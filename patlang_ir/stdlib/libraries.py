"""The bundled libraries: which functions an `include` of their name makes available.

They are written in Python, like the other host functions. A function that is in no library here is
always available.
"""

from __future__ import annotations

from collections.abc import Mapping

TEXT = (
    *("str_trim", "str_split", "str_join", "str_find", "str_replace", "str_upper", "str_lower"),
    *("str_starts_with", "str_ends_with", "str_repeat"),
)
JSON = (
    *("json_parse", "json_get", "json_str", "json_num", "json_arr", "json_quote"),
    *("json_stringify", "json_make_obj", "json_make_arr", "json_make_str", "json_make_num"),
    *("json_make_bool", "json_make_null"),
)
LOWERING = (
    *("triton_lower_kernel_source", "triton_lower_kernel_source_2d"),
    *("triton_lower_kernel_source_autotune", "triton_lower_kernel_source_matmul"),
    "triton_src_has_reduction",
)
RUNNING = (
    *("triton_vector_add", "triton_run_kernel_source", "triton_run_kernel_source_timed"),
    *("triton_run_kernel_source_autotune", "triton_run_kernel_source_2d"),
    *("triton_matmul_kernel_source", "triton_run_matmul", "triton_run_matmul_from_source"),
)
SESSION = (
    *("triton_session_start", "triton_session_define", "triton_session_store"),
    *("triton_session_launch", "triton_session_fetch", "triton_session_stop"),
)
REGISTRY = (
    *("gpu_load_own_kernels", "gpu_extract_marked_kernels", "gpu_kernel_lookup"),
    *("gpu_call_1d", "gpu_call_1d_timed", "gpu_call_1d_autotune", "gpu_call_2d"),
)
GPU = (*REGISTRY, *RUNNING, *LOWERING, *SESSION, *JSON, *TEXT)

LIBRARIES: Mapping[str, tuple[str, ...]] = {
    "test": ("t_init", "check", "t_report"),
    "json": JSON,
    **dict.fromkeys(("text", "strings", "string", "str", "trim"), TEXT),
    "html": ("nl", "q"),
    "math": ("pi", "clamp", "sign", "gcd"),
    "list": (
        *("list_concat", "list_slice", "list_reverse", "list_index_of", "list_contains"),
        *("list_range", "list_sum"),
    ),
    "includes": (),
    "gpu_kernels": GPU,
    "triton": GPU,
    "triton_session": GPU,
    "lower_triton": GPU,
}
"""The functions of each library by the base name of its file. Libraries that include each other in
the original language have the same functions here."""

GPU_LIBRARIES = frozenset(("gpu_kernels", "triton", "triton_session", "lower_triton"))
"""The libraries that are never read from a folder `lib`: there they print and run Python."""

_FIRST: dict[str, str] = {}
for _library, _functions in LIBRARIES.items():
    for _function in _functions:
        _FIRST.setdefault(_function, _library)


def library_of(function: str) -> str:
    """The library to include for a function; empty if it needs none."""
    return _FIRST.get(function, "")
