// RUN: patlang-opt %s -p tile-infer-shapes | filecheck %s

// A literal takes the type that it meets, and a scalar the shape.
tile.kernel @shapes linear(%x "x" : !tile.buffer<f16>, %s "s" : !tile.weak<f64>) {
  tile.stage {
    %s_1 = tile.scalar %s : !tile.weak<f64>
    %offs = tile.index offs : !tile.unknown
    %v = tile.load %x[%offs] : (!tile.buffer<f16>, !tile.unknown) -> !tile.unknown
    %two = tile.constant 2 : !tile.unknown
    %w = tile.mul %v, %two : !tile.unknown
    %u = tile.add %w, %s_1 : !tile.unknown
    tile.store %u, %x[%offs] : !tile.unknown, !tile.buffer<f16>, !tile.unknown
  }
}

// CHECK-LABEL: tile.kernel @shapes linear(%x "x" : !tile.buffer<f16>, %s "s" : f64)
// CHECK:         %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>{{$}}
// CHECK-NEXT:    %v = tile.load %x[%offs] : (!tile.buffer<f16>, !tile.tile<[BLOCK_SIZE], i64>) -> !tile.tile<[BLOCK_SIZE], f16>{{$}}
// CHECK:         tile.constant 2.0 : f16{{$}}
// CHECK:         %w = tile.mul %v, {{%.*}} : !tile.tile<[BLOCK_SIZE], f16>{{$}}
// CHECK:         tile.cast {{%.*}} : f64 -> f16{{$}}
// CHECK:         %u = tile.add %w, {{%.*}} : !tile.tile<[BLOCK_SIZE], f16>{{$}}
// CHECK-NOT:     unknown

// The start of a loop is widened to what the loop makes of it.
tile.kernel @loop linear(%x "x" : !tile.buffer<f32>) {
  tile.stage {
    %offs = tile.index offs : !tile.unknown
    %zero = tile.constant 0.0 : !tile.unknown
    %end = scf.while (%a = %zero) : (!tile.unknown) -> (!tile.unknown) {
      %true = tile.constant true : !tile.unknown
      %c = tile.condition %true : !tile.unknown
      scf.condition(%c) %a : !tile.unknown
    } do {
    ^bb0(%b: !tile.unknown):
      %v = tile.load %x[%offs] : (!tile.buffer<f32>, !tile.unknown) -> !tile.unknown
      %next = tile.add %b, %v : !tile.unknown
      scf.yield %next : !tile.unknown
    }
    tile.store %end, %x[%offs] : !tile.unknown, !tile.buffer<f32>, !tile.unknown
  }
}

// CHECK-LABEL: tile.kernel @loop
// CHECK:         [[ZERO:%\w+]] = tile.broadcast {{%.*}} : f32 -> !tile.tile<[BLOCK_SIZE], f32>{{$}}
// CHECK:         %end = scf.while (%a = [[ZERO]]) : (!tile.tile<[BLOCK_SIZE], f32>) -> !tile.tile<[BLOCK_SIZE], f32> {{[{]$}}

// In a grid, rows and columns broadcast to the whole block.
tile.kernel @grid grid(%x "x" : !tile.buffer<f32>) {
  tile.stage {
    %row = tile.index row : !tile.unknown
    %col = tile.index col : !tile.unknown
    %offs = tile.index offs : !tile.unknown
    %sum = tile.add %row, %col : !tile.unknown
    tile.store %sum, %x[%offs] : !tile.unknown, !tile.buffer<f32>, !tile.unknown
  }
}

// CHECK-LABEL: tile.kernel @grid
// CHECK:         %row = tile.index row : !tile.tile<[BLOCK_R, 1], i64>{{$}}
// CHECK-NEXT:    %col = tile.index col : !tile.tile<[1, BLOCK_C], i64>{{$}}
// CHECK-NEXT:    %offs = tile.index offs : !tile.tile<[BLOCK_R, BLOCK_C], i64>{{$}}
// CHECK:         %sum = tile.add {{%.*}}, {{%.*}} : !tile.tile<[BLOCK_R, BLOCK_C], i64>{{$}}
// CHECK:         tile.cast %sum : !tile.tile<[BLOCK_R, BLOCK_C], i64> -> !tile.tile<[BLOCK_R, BLOCK_C], f32>{{$}}
