// RUN: patlang-opt %s | filecheck %s
// RUN: patlang-opt %s | patlang-opt - | filecheck %s
// RUN: patlang-opt %s --print-debuginfo | filecheck %s --check-prefix=ALL
// RUN: patlang-opt %s --print-debuginfo | patlang-opt - | filecheck %s --check-prefix=ALL

"test.op"() ({
^bb0(%x: i32, %y: i32 loc("k.patlang":1:4)):
  "test.termop"() : () -> ()
}) : () -> ()

// CHECK: ^bb0(%x: i32, %y: i32 loc("k.patlang":1:4)):{{$}}
// ALL:   ^bb0(%x: i32 loc("{{.*}}block-arguments.mlir":7:6), %y: i32 loc("k.patlang":1:4)):{{$}}

%c, %i32 = "test.op"() : () -> (i1, i32)
%0:2 = scf.while (%i = %c) : (i1) -> (i1, i32) {
  scf.condition(%i) %i, %i32 : i1, i32
} do {
^bb0(%k: i1, %l: i32):
  scf.yield %k : i1
} loc("k.patlang":2:6)

// A location stands after the whole operation, also where xDSL would put it before a region.
// CHECK:      scf.while (%i = %c) : (i1) -> (i1, i32) {{[{]$}}
// CHECK:      } loc("k.patlang":2:6){{$}}
// ALL:        scf.while (%i = %c) : (i1) -> (i1, i32) {{[{]$}}
// ALL:          scf.yield %k : i1 loc("{{.*}}block-arguments.mlir":19:3){{$}}
// ALL:        } loc("k.patlang":2:6){{$}}
