// RUN: patlang-opt %s -p tile-guard-accesses | filecheck %s
// RUN: patlang-opt %s -p tile-guard-accesses,tile-guard-accesses | filecheck %s

// Plain offs stays inside buffers of n elements; padding lanes are masked.
tile.kernel @plain linear(%x "x" : !tile.buffer<f32>, %out "out" : !tile.buffer<f32>) {
  tile.stage {
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %v = tile.load %x[%offs] : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>) -> !tile.tile<[BLOCK_SIZE], f32>
    tile.store %v, %out[%offs] : !tile.tile<[BLOCK_SIZE], f32>, !tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>
  }
}

// CHECK-LABEL: tile.kernel @plain
// CHECK:         [[LANES:%\w+]] = tile.in_domain : !tile.tile<[BLOCK_SIZE], i1>{{$}}
// CHECK-NEXT:    %v = tile.load %x[%offs] mask [[LANES]] guarded
// CHECK-NOT:     tile.length
// CHECK:         [[LANES:%\w+]] = tile.in_domain : !tile.tile<[BLOCK_SIZE], i1>{{$}}
// CHECK-NEXT:    tile.store %v, %out[%offs] mask [[LANES]] guarded

// A computed index is compared with the length, and with 0 where it can be negative.
tile.kernel @shifted linear(%x "x" : !tile.buffer<f32>, %out "out" : !tile.buffer<f32>) {
  tile.stage {
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %c = tile.constant 1 : i64
    %one = tile.broadcast %c : i64 -> !tile.tile<[BLOCK_SIZE], i64>
    %right = tile.add %offs, %one : !tile.tile<[BLOCK_SIZE], i64>
    %v = tile.load %x[%right] : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>) -> !tile.tile<[BLOCK_SIZE], f32>
    %left = tile.sub %offs, %one : !tile.tile<[BLOCK_SIZE], i64>
    %w = tile.load %x[%left] : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>) -> !tile.tile<[BLOCK_SIZE], f32>
  }
}

// CHECK-LABEL: tile.kernel @shifted
// CHECK:         [[LENGTH:%\w+]] = tile.length %x
// CHECK-NEXT:    [[END:%\w+]] = tile.sub [[LENGTH]], %c : i64
// CHECK-NOT:     tile.compare ge
// CHECK:         tile.compare lt %offs, {{%\w+}}
// CHECK-NEXT:    %v = tile.load %x[%right] mask {{%\w+}} guarded
// CHECK:         [[FIRST:%\w+]] = tile.broadcast %c : i64
// CHECK-NEXT:    tile.compare ge %offs, [[FIRST]]
// CHECK:         [[LENGTH:%\w+]] = tile.length %x
// CHECK-NEXT:    [[END:%\w+]] = tile.add [[LENGTH]], %c : i64
// CHECK:         tile.compare lt %offs, {{%\w+}}
// CHECK:         %w = tile.load %x[%left] mask {{%\w+}} guarded

// A store by a computed index is made by lanes of the input alone.
tile.kernel @scatter linear(%i "i" : !tile.buffer<i64>, %out "out" : !tile.buffer<f32>) {
  tile.stage {
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %where = tile.load %i[%offs] : (!tile.buffer<i64>, !tile.tile<[BLOCK_SIZE], i64>) -> !tile.tile<[BLOCK_SIZE], i64>
    %c = tile.constant 1.0 : f32
    %one = tile.broadcast %c : f32 -> !tile.tile<[BLOCK_SIZE], f32>
    tile.store %one, %out[%where] : !tile.tile<[BLOCK_SIZE], f32>, !tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>
  }
}

// CHECK-LABEL: tile.kernel @scatter
// CHECK:         %where = tile.load
// CHECK-DAG:     tile.compare lt %where
// CHECK-DAG:     tile.compare ge %where
// CHECK-DAG:     tile.in_domain
// CHECK:         tile.store %one, %out[%where] mask {{%\w+}} guarded

// The padding of a reduction is its neutral element.
tile.kernel @total linear(%x "x" : !tile.buffer<f32>) {
  tile.stage cover [0] {
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %v = tile.load %x[%offs] : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>) -> !tile.tile<[BLOCK_SIZE], f32>
    %max = tile.reduce max %v : !tile.tile<[BLOCK_SIZE], f32> -> f32
    %prod = tile.reduce prod %v : !tile.tile<[BLOCK_SIZE], f32> -> f32
  }
}

// CHECK-LABEL: tile.kernel @total
// CHECK:         tile.constant neg_inf : f32{{$}}
// CHECK:         [[KEPT:%\w+]] = tile.select {{%\w+}}, %v, {{%\w+}}
// CHECK-NEXT:    %max = tile.reduce max [[KEPT]]
// CHECK:         tile.constant 1.0 : f32{{$}}
// CHECK:         [[KEPT:%\w+]] = tile.select {{%\w+}}, %v, {{%\w+}}
// CHECK-NEXT:    %prod = tile.reduce prod [[KEPT]]

// A load is not moved over a write.
tile.kernel @order linear(%x "x" : !tile.buffer<f32>, %out "out" : !tile.buffer<f32>) {
  tile.stage {
    %i = tile.constant 1 : i64
    %n = tile.size n : i64
    %some = tile.compare gt %n, %i : i64 -> i1
    %zero = tile.constant 0.0 : f32
    %before = tile.load %x[%i] : (!tile.buffer<f32>, i64) -> f32
    tile.store %zero, %x[%i] : f32, !tile.buffer<f32>, i64
    %after = tile.load %x[%i] : (!tile.buffer<f32>, i64) -> f32
    %a = tile.select %some, %before, %zero : i1, f32
    %b = tile.select %some, %after, %zero : i1, f32
  }
}

// CHECK-LABEL: tile.kernel @order
// CHECK:         %before = tile.load
// CHECK:         tile.store
// CHECK-NOT:     %after
// CHECK:         %a = tile.select %some, %before, %zero
// CHECK:         %b = tile.load %x[%i] mask
