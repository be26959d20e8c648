// RUN: patlang-opt %s -p tile-canonicalize-loops --split-input-file --hide-locations | filecheck %s

// From 3 up to n; nothing needs the counter after the loop.
tile.kernel @up linear(%x "x" : !tile.buffer<f32>) {
  tile.stage {
    %start = tile.constant 3 : i64
    %zero = tile.constant 0.0 : f32
    %i, %a = scf.while (%i = %start, %a = %zero) : (i64, f32) -> (i64, f32) {
      %n = tile.size n : i64
      %c = tile.compare lt %i, %n : i64 -> i1
      scf.condition(%c) %i, %a : i64, f32
    } do {
    ^bb0(%i: i64, %a: f32):
      %v = tile.load %x[%i] : (!tile.buffer<f32>, i64) -> f32
      %two = tile.constant 2 : i64
      %next = tile.add %two, %i : i64
      %b = tile.add %a, %v : f32
      scf.yield %next, %b : i64, f32
    }
    %zero_index = tile.constant 0 : i64
    tile.store %a, %x[%zero_index] : f32, !tile.buffer<f32>, i64
  }
}

// CHECK:      builtin.module {{[{]$}}
// CHECK-NEXT:   tile.kernel @up linear(%x "x" : !tile.buffer<f32>) {{[{]$}}
// CHECK-NEXT:     tile.stage {{[{]$}}
// CHECK-NEXT:       %start = tile.constant 3 : i64{{$}}
// CHECK-NEXT:       %zero = tile.constant 0.0 : f32{{$}}
// CHECK-NEXT:       %n = tile.size n : i64{{$}}
// CHECK-NEXT:       %0 = tile.constant 2 : i64{{$}}
// CHECK-NEXT:       %a = scf.for %i = %start to %n step %0 iter_args(%a_1 = %zero) -> (f32) : i64 {{[{]$}}
// CHECK-NEXT:         %v = tile.load %x[%i] : (!tile.buffer<f32>, i64) -> f32{{$}}
// CHECK-NEXT:         %two = tile.constant 2 : i64{{$}}
// CHECK-NEXT:         %next = tile.add %two, %i : i64{{$}}
// CHECK-NEXT:         %b = tile.add %a_1, %v : f32{{$}}
// CHECK-NEXT:         scf.yield %b : f32{{$}}
// CHECK-NEXT:       }{{$}}
// CHECK-NEXT:       %zero_index = tile.constant 0 : i64{{$}}
// CHECK-NEXT:       tile.store %a, %x[%zero_index] : f32, !tile.buffer<f32>, i64{{$}}
// CHECK-NEXT:     }{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT: }{{$}}

// -----

// From n down to 1, both included, `1 <= i`. The turns count up, and the counter is what is left.
tile.kernel @down linear(%x "x" : !tile.buffer<i64>) {
  tile.stage {
    %n = tile.size n : i64
    %one = tile.constant 1 : i64
    %i = scf.while (%i = %n) : (i64) -> (i64) {
      %c = tile.compare le %one, %i : i64 -> i1
      scf.condition(%c) %i : i64
    } do {
    ^bb0(%i: i64):
      tile.store %i, %x[%i] : i64, !tile.buffer<i64>, i64
      %next = tile.sub %i, %one : i64
      scf.yield %next : i64
    }
  }
}

// CHECK:      builtin.module {{[{]$}}
// CHECK-NEXT:   tile.kernel @down linear(%x "x" : !tile.buffer<i64>) {{[{]$}}
// CHECK-NEXT:     tile.stage {{[{]$}}
// CHECK-NEXT:       %n = tile.size n : i64{{$}}
// CHECK-NEXT:       %one = tile.constant 1 : i64{{$}}
// CHECK-NEXT:       %0 = tile.constant 1 : i64{{$}}
// CHECK-NEXT:       %1 = tile.constant -1 : i64{{$}}
// CHECK-NEXT:       %2 = tile.add %one, %1 : i64{{$}}
// CHECK-NEXT:       %3 = tile.constant 0 : i64{{$}}
// CHECK-NEXT:       %4 = tile.sub %n, %2 : i64{{$}}
// CHECK-NEXT:       scf.for %5 = %3 to %4 step %0 : i64 {{[{]$}}
// CHECK-NEXT:         %i = tile.sub %n, %5 : i64{{$}}
// CHECK-NEXT:         tile.store %i, %x[%i] : i64, !tile.buffer<i64>, i64{{$}}
// CHECK-NEXT:         %next = tile.sub %i, %one : i64{{$}}
// CHECK-NEXT:       }{{$}}
// CHECK-NEXT:     }{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT: }{{$}}

// -----

// After the loop the counter is its start and as many steps as there were turns.
tile.kernel @after linear(%x "x" : !tile.buffer<i64>) {
  tile.stage {
    %start = tile.constant 0 : i64
    %n = tile.size n : i64
    %i = scf.while (%i = %start) : (i64) -> (i64) {
      %c = tile.compare lt %i, %n : i64 -> i1
      scf.condition(%c) %i : i64
    } do {
    ^bb0(%i: i64):
      %three = tile.constant 3 : i64
      %next = tile.add %i, %three : i64
      scf.yield %next : i64
    }
    tile.store %i, %x[%start] : i64, !tile.buffer<i64>, i64
  }
}

// CHECK:      builtin.module {{[{]$}}
// CHECK-NEXT:   tile.kernel @after linear(%x "x" : !tile.buffer<i64>) {{[{]$}}
// CHECK-NEXT:     tile.stage {{[{]$}}
// CHECK-NEXT:       %start = tile.constant 0 : i64{{$}}
// CHECK-NEXT:       %n = tile.size n : i64{{$}}
// CHECK-NEXT:       %0 = tile.constant 3 : i64{{$}}
// CHECK-NEXT:       scf.for %i = %start to %n step %0 : i64 {{[{]$}}
// CHECK-NEXT:         %three = tile.constant 3 : i64{{$}}
// CHECK-NEXT:         %next = tile.add %i, %three : i64{{$}}
// CHECK-NEXT:       }{{$}}
// CHECK-NEXT:       %1 = tile.constant 0 : i64{{$}}
// CHECK-NEXT:       %2 = tile.constant 1 : i64{{$}}
// CHECK-NEXT:       %3 = tile.sub %n, %start : i64{{$}}
// CHECK-NEXT:       %4 = tile.sub %0, %2 : i64{{$}}
// CHECK-NEXT:       %5 = tile.add %3, %4 : i64{{$}}
// CHECK-NEXT:       %6 = tile.quotient %5, %0 : i64{{$}}
// CHECK-NEXT:       %7 = tile.max %6, %1 : i64{{$}}
// CHECK-NEXT:       %8 = tile.constant 3 : i64{{$}}
// CHECK-NEXT:       %9 = tile.mul %7, %8 : i64{{$}}
// CHECK-NEXT:       %i_1 = tile.add %start, %9 : i64{{$}}
// CHECK-NEXT:       tile.store %i_1, %x[%start] : i64, !tile.buffer<i64>, i64{{$}}
// CHECK-NEXT:     }{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT: }{{$}}

// -----

// By steps of 1 it ends at the bound, whatever that is.
tile.kernel @one linear(%x "x" : !tile.buffer<i64>, %s "s" : i64) {
  tile.stage {
    %start = tile.constant 0 : i64
    %i = scf.while (%i = %start) : (i64) -> (i64) {
      %c = tile.compare lt %i, %s : i64 -> i1
      scf.condition(%c) %i : i64
    } do {
    ^bb0(%i: i64):
      %step = tile.constant 1 : i64
      %next = tile.add %i, %step : i64
      scf.yield %next : i64
    }
    tile.store %i, %x[%start] : i64, !tile.buffer<i64>, i64
  }
}
// CHECK:            scf.for %i = %start to %s step %0 : i64 {{[{]$}}
// CHECK:            %i_1 = tile.max %start, %s : i64{{$}}
// CHECK-NEXT:       tile.store %i_1, %x[%start] : i64, !tile.buffer<i64>, i64{{$}}

// -----

// A start or bound so far out that the number of turns could wrap keeps its `while`.
tile.kernel @far linear(%x "x" : !tile.buffer<i64>, %s "s" : i64) {
  tile.stage {
    %end = tile.constant -5 : i64
    %i = scf.while (%i = %s) : (i64) -> (i64) {
      %c = tile.compare gt %i, %end : i64 -> i1
      scf.condition(%c) %i : i64
    } do {
    ^bb0(%i: i64):
      %step = tile.constant 1 : i64
      %next = tile.sub %i, %step : i64
      scf.yield %next : i64
    }
    tile.store %i, %x[%i] : i64, !tile.buffer<i64>, i64
  }
}
// CHECK:            %i = scf.while (%i_1 = %s) : (i64) -> i64 {{[{]$}}

// -----

// These stay: a step that is no literal, a counter of floats, a bound that is loaded, `!=`, and
// `<=` where the bound could be the largest integer.
tile.kernel @others linear(%x "x" : !tile.buffer<i64>, %s "s" : i64, %f "f" : f64) {
  tile.stage {
    %one = tile.constant 1 : i64
    %half = tile.constant 0.5 : f64
    %0 = scf.while (%i = %one) : (i64) -> (i64) {
      %c = tile.compare lt %i, %s : i64 -> i1
      scf.condition(%c) %i : i64
    } do {
    ^bb0(%i: i64):
      %next = tile.add %i, %i : i64
      scf.yield %next : i64
    }
    %1 = scf.while (%i = %half) : (f64) -> (f64) {
      %c = tile.compare lt %i, %f : f64 -> i1
      scf.condition(%c) %i : f64
    } do {
    ^bb0(%i: f64):
      %next = tile.add %i, %half : f64
      scf.yield %next : f64
    }
    %2 = scf.while (%i = %one) : (i64) -> (i64) {
      %bound = tile.load %x[%one] : (!tile.buffer<i64>, i64) -> i64
      %c = tile.compare lt %i, %bound : i64 -> i1
      scf.condition(%c) %i : i64
    } do {
    ^bb0(%i: i64):
      %next = tile.add %i, %one : i64
      scf.yield %next : i64
    }
    %3 = scf.while (%i = %one) : (i64) -> (i64) {
      %c = tile.compare ne %i, %s : i64 -> i1
      scf.condition(%c) %i : i64
    } do {
    ^bb0(%i: i64):
      %next = tile.add %i, %one : i64
      scf.yield %next : i64
    }
    %4 = scf.while (%i = %one) : (i64) -> (i64) {
      %c = tile.compare le %i, %s : i64 -> i1
      scf.condition(%c) %i : i64
    } do {
    ^bb0(%i: i64):
      %next = tile.add %i, %one : i64
      scf.yield %next : i64
    }
  }
}

// CHECK:      builtin.module {{[{]$}}
// CHECK-NEXT:   tile.kernel @others linear(%x "x" : !tile.buffer<i64>, %s "s" : i64, %f "f" : f64) {{[{]$}}
// CHECK-NEXT:     tile.stage {{[{]$}}
// CHECK-NEXT:       %one = tile.constant 1 : i64{{$}}
// CHECK-NEXT:       %half = tile.constant 0.5 : f64{{$}}
// CHECK-NEXT:       %0 = scf.while (%i = %one) : (i64) -> i64 {{[{]$}}
// CHECK-NEXT:         %c = tile.compare lt %i, %s : i64 -> i1{{$}}
// CHECK-NEXT:         scf.condition(%c) %i : i64{{$}}
// CHECK-NEXT:       } do {{[{]$}}
// CHECK-NEXT:       ^bb0(%i_1: i64):{{$}}
// CHECK-NEXT:         %next = tile.add %i_1, %i_1 : i64{{$}}
// CHECK-NEXT:         scf.yield %next : i64{{$}}
// CHECK-NEXT:       }{{$}}
// CHECK-NEXT:       %1 = scf.while (%i_2 = %half) : (f64) -> f64 {{[{]$}}
// CHECK-NEXT:         %c_1 = tile.compare lt %i_2, %f : f64 -> i1{{$}}
// CHECK-NEXT:         scf.condition(%c_1) %i_2 : f64{{$}}
// CHECK-NEXT:       } do {{[{]$}}
// CHECK-NEXT:       ^bb0(%i_3: f64):{{$}}
// CHECK-NEXT:         %next_1 = tile.add %i_3, %half : f64{{$}}
// CHECK-NEXT:         scf.yield %next_1 : f64{{$}}
// CHECK-NEXT:       }{{$}}
// CHECK-NEXT:       %2 = scf.while (%i_4 = %one) : (i64) -> i64 {{[{]$}}
// CHECK-NEXT:         %bound = tile.load %x[%one] : (!tile.buffer<i64>, i64) -> i64{{$}}
// CHECK-NEXT:         %c_2 = tile.compare lt %i_4, %bound : i64 -> i1{{$}}
// CHECK-NEXT:         scf.condition(%c_2) %i_4 : i64{{$}}
// CHECK-NEXT:       } do {{[{]$}}
// CHECK-NEXT:       ^bb0(%i_5: i64):{{$}}
// CHECK-NEXT:         %next_2 = tile.add %i_5, %one : i64{{$}}
// CHECK-NEXT:         scf.yield %next_2 : i64{{$}}
// CHECK-NEXT:       }{{$}}
// CHECK-NEXT:       %3 = scf.while (%i_6 = %one) : (i64) -> i64 {{[{]$}}
// CHECK-NEXT:         %c_3 = tile.compare ne %i_6, %s : i64 -> i1{{$}}
// CHECK-NEXT:         scf.condition(%c_3) %i_6 : i64{{$}}
// CHECK-NEXT:       } do {{[{]$}}
// CHECK-NEXT:       ^bb0(%i_7: i64):{{$}}
// CHECK-NEXT:         %next_3 = tile.add %i_7, %one : i64{{$}}
// CHECK-NEXT:         scf.yield %next_3 : i64{{$}}
// CHECK-NEXT:       }{{$}}
// CHECK-NEXT:       %4 = scf.while (%i_8 = %one) : (i64) -> i64 {{[{]$}}
// CHECK-NEXT:         %c_4 = tile.compare le %i_8, %s : i64 -> i1{{$}}
// CHECK-NEXT:         scf.condition(%c_4) %i_8 : i64{{$}}
// CHECK-NEXT:       } do {{[{]$}}
// CHECK-NEXT:       ^bb0(%i_9: i64):{{$}}
// CHECK-NEXT:         %next_4 = tile.add %i_9, %one : i64{{$}}
// CHECK-NEXT:         scf.yield %next_4 : i64{{$}}
// CHECK-NEXT:       }{{$}}
// CHECK-NEXT:     }{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT: }{{$}}
