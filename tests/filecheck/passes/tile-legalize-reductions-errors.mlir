// RUN: patlang-opt %s -p tile-legalize-reductions --verify-diagnostics

tile.kernel @mixed linear(%x "x" : !tile.buffer<f32>, %out "out" : !tile.buffer<f32>) {
  // expected-error@+1 {{P902: a stage combines both its whole input and blocks of it}}
  tile.stage {
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %v = tile.load %x[%offs] : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>) -> !tile.tile<[BLOCK_SIZE], f32>
    %c = tile.scan %v axis 0 in_block : !tile.tile<[BLOCK_SIZE], f32>
    %s = tile.reduce sum %c : !tile.tile<[BLOCK_SIZE], f32> -> f32
    %i = tile.constant 0 : i64
    tile.store %s, %out[%i] : f32, !tile.buffer<f32>, i64
  }
}
