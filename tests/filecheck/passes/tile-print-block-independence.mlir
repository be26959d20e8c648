// RUN: patlang-opt %s -p tile-print-block-independence | filecheck %s

tile.kernel @map linear(%x "x" : !tile.buffer<f32>, %out "out" : !tile.buffer<f32>) {
  tile.stage {
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %v = tile.load %x[%offs] : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>) -> !tile.tile<[BLOCK_SIZE], f32>
    %n = tile.size n : i64
    tile.store %v, %out[%offs] : !tile.tile<[BLOCK_SIZE], f32>, !tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>
  }
}

// CHECK:      @map: independent{{$}}
// CHECK-NEXT:   lane: tile.index{{$}}
// CHECK-NEXT:   lane: tile.load{{$}}
// CHECK-NEXT:   uniform: tile.size{{$}}

tile.kernel @total linear(%x "x" : !tile.buffer<f32>, %out "out" : !tile.buffer<f32>) {
  tile.stage {
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %v = tile.load %x[%offs] : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>) -> !tile.tile<[BLOCK_SIZE], f32>
    %sum = tile.reduce sum %v : !tile.tile<[BLOCK_SIZE], f32> -> f32
    %zero = tile.constant 0 : i64
    tile.store %sum, %out[%zero] : f32, !tile.buffer<f32>, i64
  }
}

// CHECK-NEXT: @total: block-dependent{{$}}
// CHECK-NEXT:   lane: tile.index{{$}}
// CHECK-NEXT:   lane: tile.load{{$}}
// CHECK-NEXT:   block: tile.reduce{{$}}
// CHECK-NEXT:   uniform: tile.constant{{$}}

// What a loop carries, and what a branch gives, depends on what steers it. A block that covers the
// input settles a reduction.
tile.kernel @steered linear(%x "x" : !tile.buffer<f32>, %out "out" : !tile.buffer<f32>) {
  tile.stage cover [0] upto 64 {
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %v = tile.load %x[%offs] : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>) -> !tile.tile<[BLOCK_SIZE], f32>
    %sum = tile.reduce sum %v : !tile.tile<[BLOCK_SIZE], f32> -> f32
    %zero = tile.constant 0 : i64
    tile.store %sum, %out[%zero] : f32, !tile.buffer<f32>, i64
  }
  tile.stage above 64 {
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %v = tile.load %x[%offs] : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>) -> !tile.tile<[BLOCK_SIZE], f32>
    %any = tile.constant true : i1
    %one = tile.constant 1 : i64
    %program = tile.program 0 : i64
    %a = scf.if %any -> (i64) {
      scf.yield %one : i64
    } else {
      scf.yield %program : i64
    }
    %first = tile.compare eq %program, %one : i64 -> i1
    %b = scf.if %first -> (i64) {
      scf.yield %one : i64
    } else {
      scf.yield %one : i64
    }
    %c = scf.for %i = %one to %program step %one iter_args(%n = %one) -> (i64) : i64 {
      scf.yield %n : i64
    }
    %sum = tile.reduce sum %v in_block : !tile.tile<[BLOCK_SIZE], f32> -> f32
  }
}

// CHECK-NEXT: @steered: block-dependent{{$}}
// CHECK-NEXT:   lane: tile.index{{$}}
// CHECK-NEXT:   lane: tile.load{{$}}
// CHECK-NEXT:   uniform: tile.reduce{{$}}
// CHECK-NEXT:   uniform: tile.constant{{$}}
// CHECK-NEXT:   lane: tile.index{{$}}
// CHECK-NEXT:   lane: tile.load{{$}}
// CHECK-NEXT:   uniform: tile.constant{{$}}
// CHECK-NEXT:   uniform: tile.constant{{$}}
// CHECK-NEXT:   block: tile.program{{$}}
// CHECK-NEXT:   block: scf.if{{$}}
// CHECK-NEXT:   block: tile.compare{{$}}
// CHECK-NEXT:   block: scf.if{{$}}
// CHECK-NEXT:   block: scf.for{{$}}
// CHECK-NEXT:   block: tile.reduce{{$}}
