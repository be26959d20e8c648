"""The code of every message, with the one line that names its kind.

P1xx text and syntax, P2xx names and calls, P3xx kernels, P4xx legality of loops and launches,
P5xx launches, P6xx run time, P9xx the IR and the tools.
"""

CODES: dict[str, str] = {
    # text and syntax
    "P101": "the file cannot be read",
    "P102": "the text is not UTF-8",
    "P103": "the program is empty",
    "P104": "an unexpected character",
    "P105": "a string is not closed",
    "P106": "a number is too large",
    "P107": "an include cannot be followed",
    "P110": "an unexpected word or sign",
    "P111": "a block is not closed",
    "P112": "a bracket is not closed",
    "P113": "else if, where elif was meant",
    "P114": "a form that is not supported yet",
    "P115": "a function inside another block",
    "P116": "an element cannot be assigned",
    "P117": "a name that a function cannot have",
    "P118": "an option of a marker is wrong",
    "P119": "a marker marks no function",
    "P120": "the nesting is too deep",
    "P121": "a function is defined twice",
    # names and calls
    "P201": "a name is not bound",
    "P202": "a function is not known",
    "P203": "the number of arguments is wrong",
    "P204": "an implicit name is assigned",
    "P205": "one name stands for two things",
    "P206": "a function name is used as a value",
    "P207": "a written argument is not a variable",
    "P208": "a name has no value in this kind of kernel",
    "P209": "a parameter is given twice",
    # kernels
    "P301": "this form cannot be used in a kernel",
    "P302": "a condition differs from lane to lane",
    "P303": "a variable may have no value here",
    "P304": "two types cannot be joined",
    "P305": "an operation does not take this type",
    "P306": "a buffer is used as a value",
    "P307": "a value of each lane is stored to one place",
    "P308": "a literal does not fit its type",
    "P309": "a parameter is never used",
    "P310": "two shapes cannot be combined",
    # legality
    "P401": "the loop never ends",
    "P402": "two accesses to one buffer depend on each other",
    "P403": "the result depends on the block size",
    # launches
    "P501": "the shapes of the arguments do not fit",
    "P502": "an argument has the wrong type",
    "P503": "arguments overlap",
    "P504": "the GPU refused the kernel",
    "P505": "no such device",
    # run time
    "P601": "an operation does not take these values",
    "P602": "division by zero",
    "P603": "a host function failed",
    "P604": "a variable was assigned twice",
    "P605": "a contract was violated",
    "P606": "the program nests too many calls",
    # the IR and the tools
    "P901": "the IR is not valid",
    "P902": "an operation was not lowered",
    "P903": "a pass or target is not known",
    "P904": "an expected error did not come",
    "P905": "the arguments of the tool are wrong",
    "P999": "an error inside the compiler",
}
