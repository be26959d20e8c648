// RUN: patlang-opt --hide-locations --split-input-file -p tile-narrow-indices %s | filecheck %s

// The counter, its arithmetic and the literals take 32 bits; what may be larger keeps 64.
tile.kernel @k linear(%w "w" : !tile.buffer<f32>, %out "out" : !tile.buffer<f32>) {
  tile.stage {
    %zero = tile.constant 0 : i64
    %eight = tile.constant 8 : i64
    %one = tile.constant 1 : i64
    %n = tile.size n : i64
    scf.for %i = %zero to %eight step %one : i64 {
      %j = tile.add %i, %one : i64
      %far = tile.add %j, %n : i64
      %small = tile.compare lt %j, %eight : i64 -> i1
      %a = tile.cast %j : i64 -> f32
      tile.store %a, %out[%far] : f32, !tile.buffer<f32>, i64
    }
    scf.for %k = %zero to %n step %one : i64 {
      %b = tile.cast %k : i64 -> f32
      tile.store %b, %out[%k] : f32, !tile.buffer<f32>, i64
    }
  }
}
// CHECK:       scf.for %i = %zero_1 to %eight_1 step %one_1 : i32 {{[{]$}}
// CHECK:         %j = tile.add %i, %one_2 : i32{{$}}
// CHECK-NEXT:    %j_1 = tile.cast %j : i32 -> i64{{$}}
// CHECK-NEXT:    %far = tile.add %j_1, %n : i64{{$}}
// CHECK:         %small = tile.compare lt %j, %eight_2 : i32 -> i1{{$}}
// CHECK-NEXT:    %a = tile.cast %j : i32 -> f32{{$}}
// CHECK:       scf.for %k = %zero to %n step %one : i64 {{[{]$}}
// CHECK-NEXT:    %b = tile.cast %k : i64 -> f32{{$}}

// -----

// A counter that could pass the largest number with its last step stays.
tile.kernel @far linear(%out "out" : !tile.buffer<f32>) {
  tile.stage {
    %start = tile.constant 2147483640 : i64
    %end = tile.constant 2147483647 : i64
    %step = tile.constant 5 : i64
    scf.for %m = %start to %end step %step : i64 {
      %c = tile.cast %m : i64 -> f32
      tile.store %c, %out[%m] : f32, !tile.buffer<f32>, i64
    }
  }
}
// CHECK:       scf.for %m = %start to %end step %step : i64 {{[{]$}}
