// RUN: patlang-opt %s | filecheck %s
// RUN: patlang-opt %s | patlang-opt - | filecheck %s
// RUN: patlang-opt %s --print-debuginfo | filecheck %s --check-prefix=ALL

"test.op"() ({
^bb0(%x: i32, %y: i32 loc("k.patlang":1:4)):
  "test.termop"() : () -> ()
}) : () -> ()

func.func @f(%a: i32 loc("k.patlang":2:6), %b: i32) {
  func.return
}

// CHECK: ^bb0(%x: i32, %y: i32 loc("k.patlang":1:4)):{{$}}
// ALL:   ^bb0(%x: i32 loc("{{.*}}block-arguments.mlir":6:6), %y: i32 loc("k.patlang":1:4)):{{$}}
// ALL:   func.func @f(%a: i32 loc("k.patlang":2:6), %b: i32 loc("{{.*}}block-arguments.mlir":10:44))
