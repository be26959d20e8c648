// RUN: patlang-opt %s -p tile-infer-shapes --split-input-file --verify-diagnostics

// Shapes that no program can have.
tile.kernel @shapes linear(%x "x" : !tile.tile<[BLOCK_R], f32>, %y "y" : !tile.tile<[BLOCK_C], f32>) {
  tile.stage {
    %0 = tile.scalar %x : !tile.tile<[BLOCK_R], f32>
    %1 = tile.scalar %y : !tile.tile<[BLOCK_C], f32>
    %2 = tile.add %0, %1 : !tile.unknown // expected-error {{P310: the shapes [BLOCK_R] and [BLOCK_C] cannot be combined}}
  }
}

// -----

tile.kernel @shapes grid(%x "x" : !tile.tile<[BLOCK_R, 1], f32>, %y "y" : !tile.tile<[BLOCK_C], f32>, %z "z" : !tile.tile<[BLOCK_C, 1], f32>) {
  tile.stage {
    %0 = tile.scalar %x : !tile.tile<[BLOCK_R, 1], f32>
    %1 = tile.scalar %y : !tile.tile<[BLOCK_C], f32>
    %2 = tile.scalar %z : !tile.tile<[BLOCK_C, 1], f32>
    %3 = tile.mul %0, %1 : !tile.unknown
    %4 = tile.mul %0, %2 : !tile.unknown // expected-error {{P310}}
  }
}

// -----

// A buffer without an element type, which tile-specialize would have given.
// expected-error@+1 {{P902: the elements of 'x' have no type yet}}
tile.kernel @untyped linear(%x "x" : !tile.buffer<!tile.unknown>) {
  tile.stage {
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %v = tile.load %x[%offs] : (!tile.buffer<!tile.unknown>, !tile.tile<[BLOCK_SIZE], i64>) -> !tile.unknown
    %b = tile.bnot %v : !tile.unknown
  }
}
