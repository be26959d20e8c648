"""The parts of `tile-legalize-block-pointers`: where blocks lie, and how each one is accessed."""
