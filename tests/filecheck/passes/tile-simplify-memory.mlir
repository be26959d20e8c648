// RUN: patlang-opt %s -p tile-simplify --split-input-file --hide-locations | filecheck %s

// The same value is computed once, and what nothing needs is not computed.
tile.kernel @once linear(%x "x" : !tile.buffer<f32>) {
  tile.stage {
    %i = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %a = tile.load %x[%i] : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>) -> !tile.tile<[BLOCK_SIZE], f32>
    %j = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %b = tile.load %x[%j] : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>) -> !tile.tile<[BLOCK_SIZE], f32>
    %unused = tile.exp %b : !tile.tile<[BLOCK_SIZE], f32>
    %c = tile.add %a, %b : !tile.tile<[BLOCK_SIZE], f32>
    tile.store %c, %x[%i] : !tile.tile<[BLOCK_SIZE], f32>, !tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>
  }
}

// CHECK:      builtin.module {{[{]$}}
// CHECK-NEXT:   tile.kernel @once linear(%x "x" : !tile.buffer<f32>) {{[{]$}}
// CHECK-NEXT:     tile.stage {{[{]$}}
// CHECK-NEXT:       %i = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:       %a = tile.load %x[%i] : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>) -> !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:       %c = tile.add %a, %a : !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK-NEXT:       tile.store %c, %x[%i] : !tile.tile<[BLOCK_SIZE], f32>, !tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:     }{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT: }{{$}}

// -----

// Between two loads of one element something may write it: in a statement, a branch or a loop.
tile.kernel @written linear(%x "x" : !tile.buffer<i64>, %c "c" : i1) {
  tile.stage {
    %0 = tile.constant 0 : i64
    %1 = tile.constant 1 : i64
    %a = tile.load %x[%0] : (!tile.buffer<i64>, i64) -> i64
    tile.store %1, %x[%a] : i64, !tile.buffer<i64>, i64
    %b = tile.load %x[%0] : (!tile.buffer<i64>, i64) -> i64
    scf.if %c {
      tile.store %1, %x[%b] : i64, !tile.buffer<i64>, i64
    } else {
    }
    %d = tile.load %x[%0] : (!tile.buffer<i64>, i64) -> i64
    scf.for %i = %0 to %d step %1 : i64 {
      %e = tile.load %x[%0] : (!tile.buffer<i64>, i64) -> i64
      tile.atomic add %e, %x[%0] : i64, !tile.buffer<i64>, i64
    }
    %f = tile.load %x[%0] : (!tile.buffer<i64>, i64) -> i64
    tile.store %f, %x[%1] : i64, !tile.buffer<i64>, i64
  }
}

// CHECK:      builtin.module {{[{]$}}
// CHECK-NEXT:   tile.kernel @written linear(%x "x" : !tile.buffer<i64>, %c "c" : i1) {{[{]$}}
// CHECK-NEXT:     tile.stage {{[{]$}}
// CHECK-NEXT:       %0 = tile.constant 0 : i64{{$}}
// CHECK-NEXT:       %1 = tile.constant 1 : i64{{$}}
// CHECK-NEXT:       %a = tile.load %x[%0] : (!tile.buffer<i64>, i64) -> i64{{$}}
// CHECK-NEXT:       tile.store %1, %x[%a] : i64, !tile.buffer<i64>, i64{{$}}
// CHECK-NEXT:       %b = tile.load %x[%0] : (!tile.buffer<i64>, i64) -> i64{{$}}
// CHECK-NEXT:       scf.if %c {{[{]$}}
// CHECK-NEXT:         tile.store %1, %x[%b] : i64, !tile.buffer<i64>, i64{{$}}
// CHECK-NEXT:       } else {{[{]$}}
// CHECK-NEXT:       }{{$}}
// CHECK-NEXT:       %d = tile.load %x[%0] : (!tile.buffer<i64>, i64) -> i64{{$}}
// CHECK-NEXT:       scf.for %i = %0 to %d step %1 : i64 {{[{]$}}
// CHECK-NEXT:         %e = tile.load %x[%0] : (!tile.buffer<i64>, i64) -> i64{{$}}
// CHECK-NEXT:         tile.atomic add %e, %x[%0] : i64, !tile.buffer<i64>, i64{{$}}
// CHECK-NEXT:       }{{$}}
// CHECK-NEXT:       %f = tile.load %x[%0] : (!tile.buffer<i64>, i64) -> i64{{$}}
// CHECK-NEXT:       tile.store %f, %x[%1] : i64, !tile.buffer<i64>, i64{{$}}
// CHECK-NEXT:     }{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT: }{{$}}

// -----

// What a loop does not change is computed before it; loads too, where it writes nothing.
tile.kernel @hoisted linear(%x "x" : !tile.buffer<f32>, %out "out" : !tile.buffer<f32>) {
  tile.stage {
    %0 = tile.constant 0 : i64
    %n = tile.size n : i64
    %1 = tile.constant 1 : i64
    %z = tile.constant 0.0 : f32
    %r = scf.for %i = %0 to %n step %1 iter_args(%a = %z) -> (f32) : i64 {
      %v = tile.load %x[%1] : (!tile.buffer<f32>, i64) -> f32
      %w = tile.exp %v : f32
      %u = tile.load %x[%i] : (!tile.buffer<f32>, i64) -> f32
      %t = tile.mul %w, %u : f32
      %b = tile.add %a, %t : f32
      scf.yield %b : f32
    }
    scf.for %i = %0 to %n step %1 : i64 {
      %v = tile.load %x[%0] : (!tile.buffer<f32>, i64) -> f32
      %w = tile.add %v, %r : f32
      tile.store %w, %out[%i] : f32, !tile.buffer<f32>, i64
    }
  }
}

// CHECK:      builtin.module {{[{]$}}
// CHECK-NEXT:   tile.kernel @hoisted linear(%x "x" : !tile.buffer<f32>, %out "out" : !tile.buffer<f32>) {{[{]$}}
// CHECK-NEXT:     tile.stage {{[{]$}}
// CHECK-NEXT:       %0 = tile.constant 0 : i64{{$}}
// CHECK-NEXT:       %n = tile.size n : i64{{$}}
// CHECK-NEXT:       %1 = tile.constant 1 : i64{{$}}
// CHECK-NEXT:       %z = tile.constant 0.0 : f32{{$}}
// CHECK-NEXT:       %v = tile.load %x[%1] : (!tile.buffer<f32>, i64) -> f32{{$}}
// CHECK-NEXT:       %w = tile.exp %v : f32{{$}}
// CHECK-NEXT:       %r = scf.for %i = %0 to %n step %1 iter_args(%a = %z) -> (f32) : i64 {{[{]$}}
// CHECK-NEXT:         %u = tile.load %x[%i] : (!tile.buffer<f32>, i64) -> f32{{$}}
// CHECK-NEXT:         %t = tile.mul %w, %u : f32{{$}}
// CHECK-NEXT:         %b = tile.add %a, %t : f32{{$}}
// CHECK-NEXT:         scf.yield %b : f32{{$}}
// CHECK-NEXT:       }{{$}}
// CHECK-NEXT:       scf.for %i_1 = %0 to %n step %1 : i64 {{[{]$}}
// CHECK-NEXT:         %v_1 = tile.load %x[%0] : (!tile.buffer<f32>, i64) -> f32{{$}}
// CHECK-NEXT:         %w_1 = tile.add %v_1, %r : f32{{$}}
// CHECK-NEXT:         tile.store %w_1, %out[%i_1] : f32, !tile.buffer<f32>, i64{{$}}
// CHECK-NEXT:       }{{$}}
// CHECK-NEXT:     }{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT: }{{$}}

// -----

// A variable that a loop only passes on is no variable of it, nor is one that nothing needs.
tile.kernel @variables linear(%x "x" : !tile.buffer<f32>) {
  tile.stage {
    %0 = tile.constant 0 : i64
    %n = tile.size n : i64
    %1 = tile.constant 1 : i64
    %z = tile.constant 0.0 : f32
    %w = tile.constant 2.0 : f32
    %r, %s, %t = scf.for %i = %0 to %n step %1 iter_args(%a = %z, %same = %w, %unused = %z) -> (f32, f32, f32) : i64 {
      %b = tile.add %a, %same : f32
      %c = tile.mul %unused, %a : f32
      scf.yield %b, %same, %c : f32, f32, f32
    }
    %u = tile.add %r, %s : f32
    tile.store %u, %x[%0] : f32, !tile.buffer<f32>, i64
  }
}

// CHECK:      builtin.module {{[{]$}}
// CHECK-NEXT:   tile.kernel @variables linear(%x "x" : !tile.buffer<f32>) {{[{]$}}
// CHECK-NEXT:     tile.stage {{[{]$}}
// CHECK-NEXT:       %0 = tile.constant 0 : i64{{$}}
// CHECK-NEXT:       %n = tile.size n : i64{{$}}
// CHECK-NEXT:       %1 = tile.constant 1 : i64{{$}}
// CHECK-NEXT:       %z = tile.constant 0.0 : f32{{$}}
// CHECK-NEXT:       %w = tile.constant 2.0 : f32{{$}}
// CHECK-NEXT:       %r = scf.for %i = %0 to %n step %1 iter_args(%a = %z) -> (f32) : i64 {{[{]$}}
// CHECK-NEXT:         %b = tile.add %a, %w : f32{{$}}
// CHECK-NEXT:         scf.yield %b : f32{{$}}
// CHECK-NEXT:       }{{$}}
// CHECK-NEXT:       %u = tile.add %r, %w : f32{{$}}
// CHECK-NEXT:       tile.store %u, %x[%0] : f32, !tile.buffer<f32>, i64{{$}}
// CHECK-NEXT:     }{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT: }{{$}}

// -----

// Choosing between a value and itself.
tile.kernel @chosen linear(%x "x" : !tile.buffer<f32>, %c "c" : i1) {
  tile.stage {
    %0 = tile.constant 0 : i64
    %a = tile.load %x[%0] : (!tile.buffer<f32>, i64) -> f32
    %b = tile.select %c, %a, %a : i1, f32
    tile.store %b, %x[%0] : f32, !tile.buffer<f32>, i64
  }
}

// CHECK:      builtin.module {{[{]$}}
// CHECK-NEXT:   tile.kernel @chosen linear(%x "x" : !tile.buffer<f32>, %c "c" : i1) {{[{]$}}
// CHECK-NEXT:     tile.stage {{[{]$}}
// CHECK-NEXT:       %0 = tile.constant 0 : i64{{$}}
// CHECK-NEXT:       %a = tile.load %x[%0] : (!tile.buffer<f32>, i64) -> f32{{$}}
// CHECK-NEXT:       tile.store %a, %x[%0] : f32, !tile.buffer<f32>, i64{{$}}
// CHECK-NEXT:     }{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT: }{{$}}
