"""Facts about the IR that passes share. An analysis changes nothing."""
