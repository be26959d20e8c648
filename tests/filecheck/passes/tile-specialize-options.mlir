// RUN: patlang-opt %s -p 'tile-specialize{default=f64 math=fast}' --hide-locations | filecheck %s

// From lists: f64, and i64 where the elements are indices. `math` replaces what the marker says.
tile.kernel @lists linear(%x "x" : !tile.buffer<!tile.unknown>, %at "at" : !tile.buffer<!tile.unknown>) options {autotune = [256 : i64], math = "strict"} {
  tile.stage {
    %i = tile.index offs : !tile.unknown
    %j = tile.load %at[%i] : (!tile.buffer<!tile.unknown>, !tile.unknown) -> !tile.unknown
    tile.store %i, %x[%j] : !tile.unknown, !tile.buffer<!tile.unknown>, !tile.unknown
  }
}

// CHECK:      builtin.module {{[{]$}}
// CHECK-NEXT:   tile.kernel @lists linear(%x "x" : !tile.buffer<f64>, %at "at" : !tile.buffer<i64>) options {autotune = [256 : i64], math = "fast"} {{[{]$}}
// CHECK-NEXT:     tile.stage {{[{]$}}
// CHECK-NEXT:       %i = tile.index offs : !tile.unknown{{$}}
// CHECK-NEXT:       %j = tile.load %at[%i] : (!tile.buffer<i64>, !tile.unknown) -> !tile.unknown{{$}}
// CHECK-NEXT:       tile.store %i, %x[%j] : !tile.unknown, !tile.buffer<f64>, !tile.unknown{{$}}
// CHECK-NEXT:     }{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT: }{{$}}
