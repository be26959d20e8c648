// RUN: patlang-opt %s --split-input-file -p tl-name-values | filecheck %s
// RUN: patlang-opt %s --split-input-file -p tl-name-values,tl-name-values | filecheck %s

// What is used once stays without a name. A load is a variable, and so is what is used twice or
// inside a loop. Names that are there are kept, but those of literals.

tl.kernel @uses(%x "x" : !tl.pointer<f32>, %k "k" : i32) constexprs ["BLOCK_SIZE"] {
  %0 = tl.arange : !tl.tensor<[BLOCK_SIZE], i32>
  %1 = tl.binary add %x, %0 : !tl.pointer<f32>, !tl.tensor<[BLOCK_SIZE], i32> -> !tl.tensor<[BLOCK_SIZE], !tl.pointer<f32>>
  %2 = tl.load %1 : !tl.tensor<[BLOCK_SIZE], !tl.pointer<f32>> -> !tl.tensor<[BLOCK_SIZE], f32>
  %half = tl.constant 0.5 : f32
  %3 = tl.binary mul %2, %half : !tl.tensor<[BLOCK_SIZE], f32>, f32 -> !tl.tensor<[BLOCK_SIZE], f32>
  %mine = tl.binary mul %3, %3 : !tl.tensor<[BLOCK_SIZE], f32>, !tl.tensor<[BLOCK_SIZE], f32> -> !tl.tensor<[BLOCK_SIZE], f32>
  %4 = tl.binary add %k, %k : i32, i32 -> i32
  %zero = tl.constant 0 : i32
  %one = tl.constant 1 : i32
  %5 = tl.full %half : f32 -> !tl.tensor<[BLOCK_SIZE], f32>
  %6 = scf.for %7 = %zero to %k step %one iter_args(%8 = %5) -> (!tl.tensor<[BLOCK_SIZE], f32>) : i32 {
    %9 = tl.binary add %8, %4 : !tl.tensor<[BLOCK_SIZE], f32>, i32 -> !tl.tensor<[BLOCK_SIZE], f32>
    scf.yield %9 : !tl.tensor<[BLOCK_SIZE], f32>
  }
  %10 = tl.binary add %6, %mine : !tl.tensor<[BLOCK_SIZE], f32>, !tl.tensor<[BLOCK_SIZE], f32> -> !tl.tensor<[BLOCK_SIZE], f32>
  tl.store %10, %1 : !tl.tensor<[BLOCK_SIZE], f32>, !tl.tensor<[BLOCK_SIZE], !tl.pointer<f32>>
}

// CHECK:      tl.kernel @uses(%x "x" : !tl.pointer<f32>, %k "k" : i32) constexprs ["BLOCK_SIZE"] {{[{]$}}
// CHECK-NEXT:   %0 = tl.arange : !tl.tensor<[BLOCK_SIZE], i32>{{$}}
// CHECK-NEXT:   %value = tl.binary add %x, %0 : !tl.pointer<f32>, !tl.tensor<[BLOCK_SIZE], i32> -> !tl.tensor<[BLOCK_SIZE], !tl.pointer<f32>>{{$}}
// CHECK-NEXT:   %x_value = tl.load %value : !tl.tensor<[BLOCK_SIZE], !tl.pointer<f32>> -> !tl.tensor<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:   %1 = tl.constant 0.5 : f32{{$}}
// CHECK-NEXT:   %value_1 = tl.binary mul %x_value, %1 : !tl.tensor<[BLOCK_SIZE], f32>, f32 -> !tl.tensor<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:   %mine = tl.binary mul %value_1, %value_1 : !tl.tensor<[BLOCK_SIZE], f32>, !tl.tensor<[BLOCK_SIZE], f32> -> !tl.tensor<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:   %value_2 = tl.binary add %k, %k : i32, i32 -> i32{{$}}
// CHECK-NEXT:   %2 = tl.constant 0 : i32{{$}}
// CHECK-NEXT:   %3 = tl.constant 1 : i32{{$}}
// CHECK-NEXT:   %4 = tl.full %1 : f32 -> !tl.tensor<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:   %value_3 = scf.for %i = %2 to %k step %3 iter_args(%value_4 = %4) -> (!tl.tensor<[BLOCK_SIZE], f32>) : i32 {{[{]$}}
// CHECK-NEXT:     %5 = tl.binary add %value_4, %value_2 : !tl.tensor<[BLOCK_SIZE], f32>, i32 -> !tl.tensor<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:     scf.yield %5 : !tl.tensor<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT:   %6 = tl.binary add %value_3, %mine : !tl.tensor<[BLOCK_SIZE], f32>, !tl.tensor<[BLOCK_SIZE], f32> -> !tl.tensor<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:   tl.store %6, %value : !tl.tensor<[BLOCK_SIZE], f32>, !tl.tensor<[BLOCK_SIZE], !tl.pointer<f32>>{{$}}
// CHECK-NEXT: }{{$}}

// -----

// An expression that becomes too wide is cut.

tl.kernel @wide(%p "an_address" : !tl.pointer<f32>, %a "the_first_number" : f32, %b "the_second_number" : f32) constexprs [] {
  %0 = tl.binary mul %a, %b : f32, f32 -> f32
  %1 = tl.binary add %0, %a : f32, f32 -> f32
  %2 = tl.binary mul %1, %b : f32, f32 -> f32
  %3 = tl.binary add %2, %a : f32, f32 -> f32
  tl.store %3, %p : f32, !tl.pointer<f32>
}

// CHECK:      tl.kernel @wide(%an_address "an_address" : !tl.pointer<f32>, %the_first_number "the_first_number" : f32, %the_second_number "the_second_number" : f32) constexprs [] {{[{]$}}
// CHECK-NEXT:   %0 = tl.binary mul %the_first_number, %the_second_number : f32, f32 -> f32{{$}}
// CHECK-NEXT:   %1 = tl.binary add %0, %the_first_number : f32, f32 -> f32{{$}}
// CHECK-NEXT:   %value = tl.binary mul %1, %the_second_number : f32, f32 -> f32{{$}}
// CHECK-NEXT:   %2 = tl.binary add %value, %the_first_number : f32, f32 -> f32{{$}}
// CHECK-NEXT:   tl.store %2, %an_address : f32, !tl.pointer<f32>{{$}}
// CHECK-NEXT: }{{$}}

// -----

// A loop's variable has one name, and its test is an expression without names.

tl.kernel @test(%p "p" : !tl.pointer<i32>, %k "k" : i32) constexprs [] {
  %r = scf.while (%a = %k) : (i32) -> i32 {
    %limit = tl.constant 9 : i32
    %b = tl.binary mul %a, %a : i32, i32 -> i32
    %c = tl.binary lt %b, %limit : i32, i32 -> i1
    scf.condition(%c) %a : i32
  } do {
  ^body(%count : i32):
    %d = tl.binary add %count, %count : i32, i32 -> i32
    scf.yield %d : i32
  }
  tl.store %r, %p : i32, !tl.pointer<i32>
}

// CHECK:      tl.kernel @test(%p "p" : !tl.pointer<i32>, %k "k" : i32) constexprs [] {{[{]$}}
// CHECK-NEXT:   %a = scf.while (%a_1 = %k) : (i32) -> i32 {{[{]$}}
// CHECK-NEXT:     %0 = tl.constant 9 : i32{{$}}
// CHECK-NEXT:     %1 = tl.binary mul %a_1, %a_1 : i32, i32 -> i32{{$}}
// CHECK-NEXT:     %2 = tl.binary lt %1, %0 : i32, i32 -> i1{{$}}
// CHECK-NEXT:     scf.condition(%2) %a_1 : i32{{$}}
// CHECK-NEXT:   } do {{[{]$}}
// CHECK-NEXT:   ^body(%a_2: i32):{{$}}
// CHECK-NEXT:     %d = tl.binary add %a_2, %a_2 : i32, i32 -> i32{{$}}
// CHECK-NEXT:     scf.yield %d : i32{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT:   tl.store %a, %p : i32, !tl.pointer<i32>{{$}}
// CHECK-NEXT: }{{$}}
