// RUN: patlang-opt %s -p tile-simplify | filecheck %s

// Equal values once, constants at compile time, nothing that is not used.
tile.kernel @values linear(%x "x" : !tile.buffer<f32>, %out "out" : !tile.buffer<f32>) {
  tile.stage {
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %again = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %a = tile.constant 3 : i64
    %b = tile.constant 4 : i64
    %c = tile.mul %a, %b : i64
    %unused = tile.load %x[%a] : (!tile.buffer<f32>, i64) -> f32
    %v = tile.load %x[%c] : (!tile.buffer<f32>, i64) -> f32
    %w = tile.broadcast %v : f32 -> !tile.tile<[BLOCK_SIZE], f32>
    tile.store %w, %out[%offs] : !tile.tile<[BLOCK_SIZE], f32>, !tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>
    tile.store %w, %out[%again] : !tile.tile<[BLOCK_SIZE], f32>, !tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>
  }
}

// CHECK-LABEL: tile.kernel @values
// CHECK-NEXT:    tile.stage {{[{]$}}
// CHECK-NEXT:      %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:      %c = tile.constant 12 : i64{{$}}
// CHECK-NEXT:      %v = tile.load %x[%c]
// CHECK-NEXT:      %w = tile.broadcast %v
// CHECK-NEXT:      tile.store %w, %out[%offs]
// CHECK-NEXT:      tile.store %w, %out[%offs]
// CHECK-NEXT:    }{{$}}

// A load is not the same after a store.
tile.kernel @memory linear(%x "x" : !tile.buffer<f32>) {
  tile.stage {
    %i = tile.constant 0 : i64
    %a = tile.load %x[%i] : (!tile.buffer<f32>, i64) -> f32
    %b = tile.add %a, %a : f32
    tile.store %b, %x[%i] : f32, !tile.buffer<f32>, i64
    %c = tile.load %x[%i] : (!tile.buffer<f32>, i64) -> f32
    %d = tile.add %a, %c : f32
    tile.store %d, %x[%i] : f32, !tile.buffer<f32>, i64
  }
}

// CHECK-LABEL: tile.kernel @memory
// CHECK:         %a = tile.load
// CHECK:         %c = tile.load
// CHECK:         %d = tile.add %a, %c : f32{{$}}

// What a loop does not change is computed before it; what nothing needs is not carried.
tile.kernel @loop linear(%x "x" : !tile.buffer<f32>, %n "n" : i64) {
  tile.stage {
    %zero = tile.constant 0 : i64
    %one = tile.constant 1 : i64
    %start = tile.constant 0.0 : f32
    %sum, %same, %lost = scf.for %i = %zero to %n step %one iter_args(%s = %start, %t = %n, %u = %zero) -> (f32, i64, i64) : i64 {
      %v = tile.load %x[%n] : (!tile.buffer<f32>, i64) -> f32
      %next = tile.add %s, %v : f32
      %more = tile.add %u, %one : i64
      scf.yield %next, %t, %more : f32, i64, i64
    }
    tile.store %sum, %x[%same] : f32, !tile.buffer<f32>, i64
  }
}

// CHECK-LABEL: tile.kernel @loop
// CHECK:         %v = tile.load %x[%n]
// CHECK-NEXT:    %sum = scf.for %i = %zero to %n step %one iter_args(%s = %start) -> (f32) : i64 {{[{]$}}
// CHECK-NEXT:      %next = tile.add %s, %v : f32{{$}}
// CHECK-NEXT:      scf.yield %next : f32{{$}}
// CHECK-NEXT:    }{{$}}
// CHECK-NEXT:    tile.store %sum, %x[%n]

// A load stays in a loop that writes.
tile.kernel @writes linear(%x "x" : !tile.buffer<f32>, %n "n" : i64) {
  tile.stage {
    %zero = tile.constant 0 : i64
    %one = tile.constant 1 : i64
    scf.for %i = %zero to %n step %one : i64 {
      %v = tile.load %x[%zero] : (!tile.buffer<f32>, i64) -> f32
      %w = tile.add %v, %v : f32
      tile.store %w, %x[%zero] : f32, !tile.buffer<f32>, i64
    }
  }
}

// CHECK-LABEL: tile.kernel @writes
// CHECK:         scf.for
// CHECK-NEXT:      %v = tile.load
