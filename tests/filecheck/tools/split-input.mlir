// RUN: patlang-opt %s --split-input-file --print-debuginfo | filecheck %s

%0 = pat.constant 1

// -----

%1 = pat.constant 2

// CHECK:      pat.constant 1 loc("{{.*}}split-input.mlir":3:1)
// CHECK:      // -----{{$}}
// CHECK:      pat.constant 2 loc("{{.*}}split-input.mlir":7:1)
