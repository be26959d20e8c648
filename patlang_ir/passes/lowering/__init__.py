"""The parts of `tile-to-tl`: rewrites from `tile` to `tl`, grouped by what they are about."""
