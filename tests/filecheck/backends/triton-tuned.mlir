// RUN: patlang-opt %s -t triton | filecheck %s
// RUN: patlang-opt %s -t mlir --hide-locations | filecheck %s --check-prefix=AGAIN

// A launcher with candidates takes the block of the caller, or finds the fastest of them.

tl.kernel @turn_kernel(%x "x" : !tl.pointer<f32>, %n_rows "n_rows" : i64) constexprs ["BLOCK_R", "BLOCK_C"] {
}
tl.launcher @turn rank 2 params [#tl.parameter<"x", f32, "buffer", "exact", "written">, #tl.parameter<"block", f32, "scalar">] candidates [{BLOCK_R = 2 : i64, BLOCK_C = 128 : i64}, {BLOCK_R = 16 : i64, BLOCK_C = 128 : i64}] bitwise {
  tl.launch "turn_kernel" args [#tl.argument<pointer "x">, #tl.argument<n_rows "">] blocks ["BLOCK_R", "BLOCK_C"] plan {BLOCK_R = 8 : i64, BLOCK_C = 128 : i64, num_warps = 4 : i64}
}

// AGAIN:      tl.launcher @turn rank 2 params [{{.*}}] candidates [{BLOCK_R = 2 : i64, BLOCK_C = 128 : i64}, {BLOCK_R = 16 : i64, BLOCK_C = 128 : i64}] bitwise {{[{]$}}

// CHECK:      TUNED = {}{{$}}
// CHECK:      def same_bits(result, first):{{$}}
// CHECK-NOT:  about_same
// CHECK:      def milliseconds(run, reset):{{$}}
// CHECK:      def fastest(launcher, arguments, written, extents, agree, blocks):{{$}}
// CHECK:      def turn(x, block, *, block_1=None):{{$}}
// CHECK-NEXT:     """Run the kernel turn of triton-tuned.mlir; it writes x.{{$}}
// CHECK-EMPTY:
// CHECK-NEXT:     Without a `block_1` it finds the fastest one for inputs of about this size, once.{{$}}
// CHECK-NEXT:     """{{$}}
// CHECK:          with on_device_of(x):{{$}}
// CHECK-NEXT:         if block_1 is None:{{$}}
// CHECK-NEXT:             block_1 = fastest({{$}}
// CHECK-NEXT:                 turn,{{$}}
// CHECK-NEXT:                 (x, block),{{$}}
// CHECK-NEXT:                 (0,),{{$}}
// CHECK-NEXT:                 (n_rows, n_cols),{{$}}
// CHECK-NEXT:                 same_bits,{{$}}
// CHECK-NEXT:                 ({"BLOCK_R": 2, "BLOCK_C": 128}, {"BLOCK_R": 16, "BLOCK_C": 128}),{{$}}
// CHECK-NEXT:             ){{$}}
// CHECK-NEXT:         turn_kernel[(cdiv(n_rows, block_1["BLOCK_R"]) * cdiv(n_cols, block_1["BLOCK_C"]),)]({{$}}
// CHECK-NEXT:             x, n_rows, BLOCK_R=block_1["BLOCK_R"], BLOCK_C=block_1["BLOCK_C"], num_warps=4{{$}}
// CHECK-NEXT:         ){{$}}
