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
