// RUN: patlang-opt %s -p 'tile-specialize{signature="x=f16,s=i64"}' \
// RUN:   --split-input-file --hide-locations | filecheck %s

// Named buffers have their type, others the default; a scalar is weak.
tile.kernel @named linear(%x "x" : !tile.buffer<!tile.unknown>, %y "y" : !tile.buffer<!tile.unknown>, %s "s" : !tile.unknown, %t "t" : !tile.unknown) {
  tile.stage {
    %i = tile.index offs : !tile.unknown
    %a = tile.load %x[%i] : (!tile.buffer<!tile.unknown>, !tile.unknown) -> !tile.unknown
    %b = tile.scalar %s : !tile.unknown
    tile.store %a, %y[%i] : !tile.unknown, !tile.buffer<!tile.unknown>, !tile.unknown
  }
}

// CHECK:      builtin.module {{[{]$}}
// CHECK-NEXT:   tile.kernel @named linear(%x "x" : !tile.buffer<f16>, %y "y" : !tile.buffer<f32>, %s "s" : !tile.weak<i64>, %t "t" : !tile.weak<f64>) {{[{]$}}
// CHECK-NEXT:     tile.stage {{[{]$}}
// CHECK-NEXT:       %i = tile.index offs : !tile.unknown{{$}}
// CHECK-NEXT:       %a = tile.load %x[%i] : (!tile.buffer<f16>, !tile.unknown) -> !tile.unknown{{$}}
// CHECK-NEXT:       %b = tile.scalar %s : !tile.weak<i64>{{$}}
// CHECK-NEXT:       tile.store %a, %y[%i] : !tile.unknown, !tile.buffer<f32>, !tile.unknown{{$}}
// CHECK-NEXT:     }{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT: }{{$}}

// -----

// Elements that reach an index or a bitwise word are integers, also through variables of loops.
tile.kernel @indices linear(%x "x" : !tile.buffer<!tile.unknown>, %at "at" : !tile.buffer<!tile.unknown>, %word "word" : !tile.buffer<!tile.unknown>, %in_loop "in_loop" : !tile.buffer<!tile.unknown>, %compared "compared" : !tile.buffer<!tile.unknown>) {
  tile.stage {
    %i = tile.index offs : !tile.unknown
    %j = tile.load %at[%i] : (!tile.buffer<!tile.unknown>, !tile.unknown) -> !tile.unknown
    %w = tile.load %word[%i] : (!tile.buffer<!tile.unknown>, !tile.unknown) -> !tile.unknown
    %v = tile.bnot %w : !tile.unknown
    %c = tile.load %compared[%i] : (!tile.buffer<!tile.unknown>, !tile.unknown) -> !tile.unknown
    %d = tile.compare lt %c, %v : !tile.unknown -> !tile.unknown
    %k = tile.select %d, %j, %i : !tile.unknown, !tile.unknown
    %true = tile.constant true : !tile.unknown
    %go = tile.condition %true : !tile.unknown
    %l = scf.while (%m = %k) : (!tile.unknown) -> (!tile.unknown) {
      scf.condition(%go) %m : !tile.unknown
    } do {
    ^bb0(%m: !tile.unknown):
      %e = tile.load %in_loop[%i] : (!tile.buffer<!tile.unknown>, !tile.unknown) -> !tile.unknown
      %f = tile.add %m, %e : !tile.unknown
      scf.yield %f : !tile.unknown
    }
    tile.store %v, %x[%l] : !tile.unknown, !tile.buffer<!tile.unknown>, !tile.unknown
  }
}

// CHECK:      builtin.module {{[{]$}}
// CHECK-NEXT:   tile.kernel @indices linear(%x "x" : !tile.buffer<f16>, %at "at" : !tile.buffer<i32>, %word "word" : !tile.buffer<i32>, %in_loop "in_loop" : !tile.buffer<i32>, %compared "compared" : !tile.buffer<f32>) {{[{]$}}
// CHECK-NEXT:     tile.stage {{[{]$}}
// CHECK-NEXT:       %i = tile.index offs : !tile.unknown{{$}}
// CHECK-NEXT:       %j = tile.load %at[%i] : (!tile.buffer<i32>, !tile.unknown) -> !tile.unknown{{$}}
// CHECK-NEXT:       %w = tile.load %word[%i] : (!tile.buffer<i32>, !tile.unknown) -> !tile.unknown{{$}}
// CHECK-NEXT:       %v = tile.bnot %w : !tile.unknown{{$}}
// CHECK-NEXT:       %c = tile.load %compared[%i] : (!tile.buffer<f32>, !tile.unknown) -> !tile.unknown{{$}}
// CHECK-NEXT:       %d = tile.compare lt %c, %v : !tile.unknown -> !tile.unknown{{$}}
// CHECK-NEXT:       %k = tile.select %d, %j, %i : !tile.unknown, !tile.unknown{{$}}
// CHECK-NEXT:       %true = tile.constant true : !tile.unknown{{$}}
// CHECK-NEXT:       %go = tile.condition %true : !tile.unknown{{$}}
// CHECK-NEXT:       %l = scf.while (%m = %k) : (!tile.unknown) -> !tile.unknown {{[{]$}}
// CHECK-NEXT:         scf.condition(%go) %m : !tile.unknown{{$}}
// CHECK-NEXT:       } do {{[{]$}}
// CHECK-NEXT:       ^bb0(%m_1: !tile.unknown):{{$}}
// CHECK-NEXT:         %e = tile.load %in_loop[%i] : (!tile.buffer<i32>, !tile.unknown) -> !tile.unknown{{$}}
// CHECK-NEXT:         %f = tile.add %m_1, %e : !tile.unknown{{$}}
// CHECK-NEXT:         scf.yield %f : !tile.unknown{{$}}
// CHECK-NEXT:       }{{$}}
// CHECK-NEXT:       tile.store %v, %x[%l] : !tile.unknown, !tile.buffer<f16>, !tile.unknown{{$}}
// CHECK-NEXT:     }{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT: }{{$}}

// -----

// The marker may choose another default. Types that are known stay.
tile.kernel @marked linear(%y "y" : !tile.buffer<!tile.unknown>, %z "z" : !tile.buffer<bf16>, %s "s" : f32) options {types = "f64"} {
  tile.stage {
  }
}

// CHECK:      builtin.module {{[{]$}}
// CHECK-NEXT:   tile.kernel @marked linear(%y "y" : !tile.buffer<f64>, %z "z" : !tile.buffer<bf16>, %s "s" : f32) options {types = "f64"} {{[{]$}}
// CHECK-NEXT:     tile.stage {{[{]$}}
// CHECK-NEXT:     }{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT: }{{$}}
