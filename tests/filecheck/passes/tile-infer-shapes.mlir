// RUN: patlang-opt %s -p tile-infer-shapes --split-input-file --hide-locations | filecheck %s

// A literal takes the type that it meets; the narrower buffer gives way to the wider one.
tile.kernel @promotion linear(%x "x" : !tile.buffer<f16>, %y "y" : !tile.buffer<f32>) {
  tile.stage {
    %i = tile.index offs : !tile.unknown
    %a = tile.load %x[%i] : (!tile.buffer<f16>, !tile.unknown) -> !tile.unknown
    %two = tile.constant 2 : !tile.unknown
    %b = tile.mul %a, %two : !tile.unknown
    %c = tile.load %y[%i] : (!tile.buffer<f32>, !tile.unknown) -> !tile.unknown
    %d = tile.add %b, %c : !tile.unknown
    tile.store %d, %x[%i] : !tile.unknown, !tile.buffer<f16>, !tile.unknown
  }
}

// CHECK:      builtin.module {{[{]$}}
// CHECK-NEXT:   tile.kernel @promotion linear(%x "x" : !tile.buffer<f16>, %y "y" : !tile.buffer<f32>) {{[{]$}}
// CHECK-NEXT:     tile.stage {{[{]$}}
// CHECK-NEXT:       %i = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:       %a = tile.load %x[%i] : (!tile.buffer<f16>, !tile.tile<[BLOCK_SIZE], i64>) -> !tile.tile<[BLOCK_SIZE], f16>{{$}}
// CHECK-NEXT:       %two = tile.constant 2.0 : f16{{$}}
// CHECK-NEXT:       %two_1 = tile.broadcast %two : f16 -> !tile.tile<[BLOCK_SIZE], f16>{{$}}
// CHECK-NEXT:       %b = tile.mul %a, %two_1 : !tile.tile<[BLOCK_SIZE], f16>{{$}}
// CHECK-NEXT:       %c = tile.load %y[%i] : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>) -> !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:       %b_1 = tile.cast %b : !tile.tile<[BLOCK_SIZE], f16> -> !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:       %d = tile.add %b_1, %c : !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:       %d_1 = tile.cast %d : !tile.tile<[BLOCK_SIZE], f32> -> !tile.tile<[BLOCK_SIZE], f16>{{$}}
// CHECK-NEXT:       tile.store %d_1, %x[%i] : !tile.tile<[BLOCK_SIZE], f16>, !tile.buffer<f16>, !tile.tile<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:     }{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT: }{{$}}

// -----

// A scalar parameter is weak; the quotient of integers is computed in f64.
tile.kernel @weak linear(%x "x" : !tile.buffer<i32>, %s "s" : !tile.weak<i64>) {
  tile.stage {
    %i = tile.index offs : !tile.unknown
    %k = tile.scalar %s : !tile.weak<i64>
    %a = tile.load %x[%i] : (!tile.buffer<i32>, !tile.unknown) -> !tile.unknown
    %b = tile.add %a, %k : !tile.unknown
    %c = tile.div %a, %k : !tile.unknown
    tile.store %b, %x[%i] : !tile.unknown, !tile.buffer<i32>, !tile.unknown
    tile.store %c, %x[%i] : !tile.unknown, !tile.buffer<i32>, !tile.unknown
  }
}

// CHECK:      builtin.module {{[{]$}}
// CHECK-NEXT:   tile.kernel @weak linear(%x "x" : !tile.buffer<i32>, %s "s" : i64) {{[{]$}}
// CHECK-NEXT:     tile.stage {{[{]$}}
// CHECK-NEXT:       %i = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:       %a = tile.load %x[%i] : (!tile.buffer<i32>, !tile.tile<[BLOCK_SIZE], i64>) -> !tile.tile<[BLOCK_SIZE], i32>{{$}}
// CHECK-NEXT:       %s_1 = tile.cast %s : i64 -> i32{{$}}
// CHECK-NEXT:       %s_2 = tile.broadcast %s_1 : i32 -> !tile.tile<[BLOCK_SIZE], i32>{{$}}
// CHECK-NEXT:       %b = tile.add %a, %s_2 : !tile.tile<[BLOCK_SIZE], i32>{{$}}
// CHECK-NEXT:       %a_1 = tile.cast %a : !tile.tile<[BLOCK_SIZE], i32> -> !tile.tile<[BLOCK_SIZE], f64>{{$}}
// CHECK-NEXT:       %s_3 = tile.cast %s : i64 -> f64{{$}}
// CHECK-NEXT:       %s_4 = tile.broadcast %s_3 : f64 -> !tile.tile<[BLOCK_SIZE], f64>{{$}}
// CHECK-NEXT:       %c = tile.div %a_1, %s_4 : !tile.tile<[BLOCK_SIZE], f64>{{$}}
// CHECK-NEXT:       tile.store %b, %x[%i] : !tile.tile<[BLOCK_SIZE], i32>, !tile.buffer<i32>, !tile.tile<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:       %c_1 = tile.cast %c : !tile.tile<[BLOCK_SIZE], f64> -> !tile.tile<[BLOCK_SIZE], i32>{{$}}
// CHECK-NEXT:       tile.store %c_1, %x[%i] : !tile.tile<[BLOCK_SIZE], i32>, !tile.buffer<i32>, !tile.tile<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:     }{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT: }{{$}}

// -----

// The quotient of two integers in an index is exact; another index is truncated.
tile.kernel @index linear(%x "x" : !tile.buffer<f32>) {
  tile.stage {
    %i = tile.index offs : !tile.unknown
    %two = tile.constant 2 : !tile.unknown
    %half = tile.div %i, %two : !tile.unknown
    %a = tile.load %x[%half] : (!tile.buffer<f32>, !tile.unknown) -> !tile.unknown
    %f = tile.constant 0.5 : !tile.unknown
    %j = tile.mul %i, %f : !tile.unknown
    tile.store %a, %x[%j] : !tile.unknown, !tile.buffer<f32>, !tile.unknown
  }
}

// CHECK:      builtin.module {{[{]$}}
// CHECK-NEXT:   tile.kernel @index linear(%x "x" : !tile.buffer<f32>) {{[{]$}}
// CHECK-NEXT:     tile.stage {{[{]$}}
// CHECK-NEXT:       %i = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:       %two = tile.constant 2 : i64{{$}}
// CHECK-NEXT:       %i_1 = tile.cast %i : !tile.tile<[BLOCK_SIZE], i64> -> !tile.tile<[BLOCK_SIZE], f64>{{$}}
// CHECK-NEXT:       %two_1 = tile.constant 2.0 : f64{{$}}
// CHECK-NEXT:       %two_2 = tile.broadcast %two_1 : f64 -> !tile.tile<[BLOCK_SIZE], f64>{{$}}
// CHECK-NEXT:       %half = tile.div %i_1, %two_2 : !tile.tile<[BLOCK_SIZE], f64>{{$}}
// CHECK-NEXT:       %two_3 = tile.broadcast %two : i64 -> !tile.tile<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:       %half_1 = tile.quotient %i, %two_3 : !tile.tile<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:       %a = tile.load %x[%half_1] : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>) -> !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:       %i_2 = tile.cast %i : !tile.tile<[BLOCK_SIZE], i64> -> !tile.tile<[BLOCK_SIZE], f64>{{$}}
// CHECK-NEXT:       %f = tile.constant 0.5 : f64{{$}}
// CHECK-NEXT:       %f_1 = tile.broadcast %f : f64 -> !tile.tile<[BLOCK_SIZE], f64>{{$}}
// CHECK-NEXT:       %j = tile.mul %i_2, %f_1 : !tile.tile<[BLOCK_SIZE], f64>{{$}}
// CHECK-NEXT:       %j_1 = tile.cast %j : !tile.tile<[BLOCK_SIZE], f64> -> !tile.tile<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:       tile.store %a, %x[%j_1] : !tile.tile<[BLOCK_SIZE], f32>, !tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:     }{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT: }{{$}}

// -----

// A variable of a loop has one type: its start value is converted.
tile.kernel @carried linear(%x "x" : !tile.buffer<f32>, %n "n" : i1) {
  tile.stage {
    %i = tile.index offs : !tile.unknown
    %zero = tile.constant 0 : !tile.unknown
    %go = tile.condition %n : i1
    %r = scf.while (%a = %zero) : (!tile.unknown) -> (!tile.unknown) {
      scf.condition(%go) %a : !tile.unknown
    } do {
    ^bb0(%a: !tile.unknown):
      %v = tile.load %x[%i] : (!tile.buffer<f32>, !tile.unknown) -> !tile.unknown
      %b = tile.add %a, %v : !tile.unknown
      scf.yield %b : !tile.unknown
    }
    tile.store %r, %x[%i] : !tile.unknown, !tile.buffer<f32>, !tile.unknown
  }
}

// CHECK:      builtin.module {{[{]$}}
// CHECK-NEXT:   tile.kernel @carried linear(%x "x" : !tile.buffer<f32>, %n "n" : i1) {{[{]$}}
// CHECK-NEXT:     tile.stage {{[{]$}}
// CHECK-NEXT:       %i = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:       %zero = tile.constant 0.0 : f32{{$}}
// CHECK-NEXT:       %zero_1 = tile.broadcast %zero : f32 -> !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:       %r = scf.while (%a = %zero_1) : (!tile.tile<[BLOCK_SIZE], f32>) -> !tile.tile<[BLOCK_SIZE], f32> {{[{]$}}
// CHECK-NEXT:         scf.condition(%n) %a : !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:       } do {{[{]$}}
// CHECK-NEXT:       ^bb0(%a_1: !tile.tile<[BLOCK_SIZE], f32>):{{$}}
// CHECK-NEXT:         %v = tile.load %x[%i] : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>) -> !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:         %b = tile.add %a_1, %v : !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:         scf.yield %b : !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:       }{{$}}
// CHECK-NEXT:       tile.store %r, %x[%i] : !tile.tile<[BLOCK_SIZE], f32>, !tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:     }{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT: }{{$}}

// -----

// So has a variable that two branches set. A number as a condition is whether it is not 0.
tile.kernel @branches linear(%x "x" : !tile.buffer<f32>, %s "s" : !tile.weak<f64>) {
  tile.stage {
    %i = tile.index offs : !tile.unknown
    %k = tile.scalar %s : !tile.weak<f64>
    %c = tile.condition %k : !tile.unknown
    %r = scf.if %c -> (!tile.unknown) {
      %v = tile.load %x[%i] : (!tile.buffer<f32>, !tile.unknown) -> !tile.unknown
      scf.yield %v : !tile.unknown
    } else {
      %one = tile.constant 1 : !tile.unknown
      scf.yield %one : !tile.unknown
    }
    tile.store %r, %x[%i] : !tile.unknown, !tile.buffer<f32>, !tile.unknown
  }
}

// CHECK:      builtin.module {{[{]$}}
// CHECK-NEXT:   tile.kernel @branches linear(%x "x" : !tile.buffer<f32>, %s "s" : f64) {{[{]$}}
// CHECK-NEXT:     tile.stage {{[{]$}}
// CHECK-NEXT:       %i = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:       %c = tile.truth %s : f64 -> i1{{$}}
// CHECK-NEXT:       %r = scf.if %c -> (!tile.tile<[BLOCK_SIZE], f32>) {{[{]$}}
// CHECK-NEXT:         %v = tile.load %x[%i] : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>) -> !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:         scf.yield %v : !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:       } else {{[{]$}}
// CHECK-NEXT:         %one = tile.constant 1.0 : f32{{$}}
// CHECK-NEXT:         %one_1 = tile.broadcast %one : f32 -> !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:         scf.yield %one_1 : !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:       }{{$}}
// CHECK-NEXT:       tile.store %r, %x[%i] : !tile.tile<[BLOCK_SIZE], f32>, !tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:     }{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT: }{{$}}

// -----

// Rows and columns broadcast. A reduction along columns keeps its axis; sums of i8 are i64.
tile.kernel @grid grid(%x "x" : !tile.buffer<i8>) {
  tile.stage {
    %i = tile.index offs : !tile.unknown
    %r = tile.index row : !tile.unknown
    %c = tile.index col : !tile.unknown
    %a = tile.add %r, %c : !tile.unknown
    %v = tile.load %x[%i] : (!tile.buffer<i8>, !tile.unknown) -> !tile.unknown
    %s = tile.reduce sum %v axis 1 : !tile.unknown -> !tile.unknown
    %b = tile.add %a, %s : !tile.unknown
    tile.store %b, %x[%i] : !tile.unknown, !tile.buffer<i8>, !tile.unknown
  }
}

// CHECK:      builtin.module {{[{]$}}
// CHECK-NEXT:   tile.kernel @grid grid(%x "x" : !tile.buffer<i8>) {{[{]$}}
// CHECK-NEXT:     tile.stage {{[{]$}}
// CHECK-NEXT:       %i = tile.index offs : !tile.tile<[BLOCK_R, BLOCK_C], i64>{{$}}
// CHECK-NEXT:       %r = tile.index row : !tile.tile<[BLOCK_R, 1], i64>{{$}}
// CHECK-NEXT:       %c = tile.index col : !tile.tile<[1, BLOCK_C], i64>{{$}}
// CHECK-NEXT:       %r_1 = tile.broadcast %r : !tile.tile<[BLOCK_R, 1], i64> -> !tile.tile<[BLOCK_R, BLOCK_C], i64>{{$}}
// CHECK-NEXT:       %c_1 = tile.broadcast %c : !tile.tile<[1, BLOCK_C], i64> -> !tile.tile<[BLOCK_R, BLOCK_C], i64>{{$}}
// CHECK-NEXT:       %a = tile.add %r_1, %c_1 : !tile.tile<[BLOCK_R, BLOCK_C], i64>{{$}}
// CHECK-NEXT:       %v = tile.load %x[%i] : (!tile.buffer<i8>, !tile.tile<[BLOCK_R, BLOCK_C], i64>) -> !tile.tile<[BLOCK_R, BLOCK_C], i8>{{$}}
// CHECK-NEXT:       %v_1 = tile.cast %v : !tile.tile<[BLOCK_R, BLOCK_C], i8> -> !tile.tile<[BLOCK_R, BLOCK_C], i64>{{$}}
// CHECK-NEXT:       %s = tile.reduce sum %v_1 axis 1 : !tile.tile<[BLOCK_R, BLOCK_C], i64> -> !tile.tile<[BLOCK_R, 1], i64>{{$}}
// CHECK-NEXT:       %s_1 = tile.broadcast %s : !tile.tile<[BLOCK_R, 1], i64> -> !tile.tile<[BLOCK_R, BLOCK_C], i64>{{$}}
// CHECK-NEXT:       %b = tile.add %a, %s_1 : !tile.tile<[BLOCK_R, BLOCK_C], i64>{{$}}
// CHECK-NEXT:       %b_1 = tile.cast %b : !tile.tile<[BLOCK_R, BLOCK_C], i64> -> !tile.tile<[BLOCK_R, BLOCK_C], i8>{{$}}
// CHECK-NEXT:       tile.store %b_1, %x[%i] : !tile.tile<[BLOCK_R, BLOCK_C], i8>, !tile.buffer<i8>, !tile.tile<[BLOCK_R, BLOCK_C], i64>{{$}}
// CHECK-NEXT:     }{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT: }{{$}}

// -----

// Truth values: rounding an integer and the truth of one change nothing.
tile.kernel @flags linear(%x "x" : !tile.buffer<i32>, %out "out" : !tile.buffer<i1>) {
  tile.stage {
    %i = tile.index offs : !tile.unknown
    %v = tile.load %x[%i] : (!tile.buffer<i32>, !tile.unknown) -> !tile.unknown
    %f = tile.floor %v : !tile.unknown
    %t = tile.truth %f : !tile.unknown -> !tile.unknown
    %u = tile.truth %t : !tile.unknown -> !tile.unknown
    %n = tile.not %u : !tile.unknown
    tile.store %n, %out[%i] : !tile.unknown, !tile.buffer<i1>, !tile.unknown
    tile.store %v, %out[%i] : !tile.unknown, !tile.buffer<i1>, !tile.unknown
  }
}

// CHECK:      builtin.module {{[{]$}}
// CHECK-NEXT:   tile.kernel @flags linear(%x "x" : !tile.buffer<i32>, %out "out" : !tile.buffer<i1>) {{[{]$}}
// CHECK-NEXT:     tile.stage {{[{]$}}
// CHECK-NEXT:       %i = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:       %v = tile.load %x[%i] : (!tile.buffer<i32>, !tile.tile<[BLOCK_SIZE], i64>) -> !tile.tile<[BLOCK_SIZE], i32>{{$}}
// CHECK-NEXT:       %t = tile.truth %v : !tile.tile<[BLOCK_SIZE], i32> -> !tile.tile<[BLOCK_SIZE], i1>{{$}}
// CHECK-NEXT:       %n = tile.not %t : !tile.tile<[BLOCK_SIZE], i1>{{$}}
// CHECK-NEXT:       tile.store %n, %out[%i] : !tile.tile<[BLOCK_SIZE], i1>, !tile.buffer<i1>, !tile.tile<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:       %v_1 = tile.cast %v : !tile.tile<[BLOCK_SIZE], i32> -> !tile.tile<[BLOCK_SIZE], i1>{{$}}
// CHECK-NEXT:       tile.store %v_1, %out[%i] : !tile.tile<[BLOCK_SIZE], i1>, !tile.buffer<i1>, !tile.tile<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:     }{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT: }{{$}}

// -----

// All lanes combine at one index.
tile.kernel @atomic linear(%x "x" : !tile.buffer<i32>) {
  tile.stage {
    %i = tile.index offs : !tile.unknown
    %zero = tile.constant 0 : !tile.unknown
    tile.atomic max %i, %x[%zero] : !tile.unknown, !tile.buffer<i32>, !tile.unknown
  }
}

// CHECK:      builtin.module {{[{]$}}
// CHECK-NEXT:   tile.kernel @atomic linear(%x "x" : !tile.buffer<i32>) {{[{]$}}
// CHECK-NEXT:     tile.stage {{[{]$}}
// CHECK-NEXT:       %i = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:       %zero = tile.constant 0 : i64{{$}}
// CHECK-NEXT:       %i_1 = tile.cast %i : !tile.tile<[BLOCK_SIZE], i64> -> !tile.tile<[BLOCK_SIZE], i32>{{$}}
// CHECK-NEXT:       %zero_1 = tile.broadcast %zero : i64 -> !tile.tile<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:       tile.atomic max %i_1, %x[%zero_1] : !tile.tile<[BLOCK_SIZE], i32>, !tile.buffer<i32>, !tile.tile<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:     }{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT: }{{$}}
