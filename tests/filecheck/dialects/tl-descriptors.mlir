// RUN: patlang-opt %s --split-input-file | filecheck %s
// RUN: patlang-opt %s --split-input-file | patlang-opt - --split-input-file | filecheck %s
// RUN: patlang-opt %s --split-input-file --print-op-generic \
// RUN:   | patlang-opt - --split-input-file | filecheck %s

tl.kernel @copy(%a "a" : !tl.descriptor<[BLOCK_M, 64], f16>, %c "c" : !tl.descriptor<[BLOCK_M, 64], f16>) constexprs ["BLOCK_M", "A_TURNED"] {
  %0 = tl.program_id 0 : i32
  %1 = tl.descriptor_load %a[%0, %0] turned "A_TURNED" : !tl.descriptor<[BLOCK_M, 64], f16>, i32, i32 -> !tl.tensor<[BLOCK_M, 64], f16>
  tl.descriptor_store %1, %c[%0, %0] : !tl.tensor<[BLOCK_M, 64], f16>, !tl.descriptor<[BLOCK_M, 64], f16>, i32, i32
}

// CHECK:      tl.kernel @copy(%a "a" : !tl.descriptor<[BLOCK_M, 64], f16>, %c "c" : !tl.descriptor<[BLOCK_M, 64], f16>) constexprs ["BLOCK_M", "A_TURNED"] {{[{]$}}
// CHECK-NEXT:   %0 = tl.program_id 0 : i32{{$}}
// CHECK-NEXT:   %1 = tl.descriptor_load %a[%0, %0] turned "A_TURNED" : !tl.descriptor<[BLOCK_M, 64], f16>, i32, i32 -> !tl.tensor<[BLOCK_M, 64], f16>{{$}}
// CHECK-NEXT:   tl.descriptor_store %1, %c[%0, %0] : !tl.tensor<[BLOCK_M, 64], f16>, !tl.descriptor<[BLOCK_M, 64], f16>, i32, i32{{$}}
// CHECK-NEXT: }{{$}}

// -----

tl.matmul_launcher @copy params [#tl.parameter<"a", f16, "buffer">] matrices [#tl.matrix<"a", [M, 64]>] {
  tl.matmul_launch "copy" args [#tl.argument<descriptor "a">] cuts ["BLOCK_M", ""] plans [{BLOCK_M = 128 : i64, speed = 100 : i64}] options {} described {a = "load"}
}

// CHECK:      tl.matmul_launcher @copy params [#tl.parameter<"a", f16, "buffer">] matrices [#tl.matrix<"a", [M, 64]>] {{[{]$}}
// CHECK-NEXT:   tl.matmul_launch "copy" args [#tl.argument<descriptor "a">] cuts ["BLOCK_M", ""] plans [{BLOCK_M = 128 : i64, speed = 100 : i64}] options {} described {a = "load"}{{$}}
// CHECK-NEXT: }{{$}}

// -----

tl.matmul_launcher @copied params [#tl.parameter<"a", f16, "buffer">] matrices [#tl.matrix<"a", [M, 64]>] {
  tl.matmul_launch "copied" args [#tl.argument<descriptor "a">] cuts ["BLOCK_M", ""] plans [{BLOCK_M = 128 : i64, speed = 100 : i64}] options {} described {a = "load"} copies <{a = "either"}, 1, 1>
}

// CHECK:      tl.matmul_launcher @copied params [#tl.parameter<"a", f16, "buffer">] matrices [#tl.matrix<"a", [M, 64]>] {{[{]$}}
// CHECK-NEXT:   tl.matmul_launch "copied" args [#tl.argument<descriptor "a">] cuts ["BLOCK_M", ""] plans [{BLOCK_M = 128 : i64, speed = 100 : i64}] options {} described {a = "load"} copies <{a = "either"}, 1, 1>{{$}}
// CHECK-NEXT: }{{$}}
