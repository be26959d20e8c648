// RUN: patlang-opt %s -p 'tile-specialize' | filecheck %s --check-prefix=DEFAULT
// RUN: patlang-opt %s -p 'tile-specialize{default=f64}' | filecheck %s --check-prefix=DOUBLE
// RUN: patlang-opt %s -p 'tile-specialize{signature="x=f16,i=i64,s=i64"}' | filecheck %s --check-prefix=SIGNED
// RUN: patlang-opt %s -p 'tile-specialize{math=fast}' | filecheck %s --check-prefix=FAST
// RUN: not patlang-opt %s -p 'tile-specialize{signature="x=f15"}' 2>&1 | filecheck %s --check-prefix=WRONG

// Where a call says nothing, buffers hold f32, those whose elements are used as an index i32, and
// numbers are weak.
tile.kernel @k linear(%x "x" : !tile.buffer<!tile.unknown>, %i "i" : !tile.buffer<!tile.unknown>, %s "s" : !tile.unknown) {
  tile.stage {
    %s_1 = tile.scalar %s : !tile.unknown
    %offs = tile.index offs : !tile.unknown
    %0 = tile.load %i[%offs] : (!tile.buffer<!tile.unknown>, !tile.unknown) -> !tile.unknown
    %1 = tile.load %x[%0] : (!tile.buffer<!tile.unknown>, !tile.unknown) -> !tile.unknown
    %2 = tile.mul %1, %s_1 : !tile.unknown
    tile.store %2, %x[%offs] : !tile.unknown, !tile.buffer<!tile.unknown>, !tile.unknown
  }
}

// DEFAULT: tile.kernel @k linear(%x "x" : !tile.buffer<f32>, %i "i" : !tile.buffer<i32>, %s "s" : !tile.weak<f64>) {{[{]$}}
// DOUBLE:  tile.kernel @k linear(%x "x" : !tile.buffer<f64>, %i "i" : !tile.buffer<i64>, %s "s" : !tile.weak<f64>) {{[{]$}}
// SIGNED:  tile.kernel @k linear(%x "x" : !tile.buffer<f16>, %i "i" : !tile.buffer<i64>, %s "s" : !tile.weak<i64>) {{[{]$}}
// FAST:    options {math = "fast"} {{[{]$}}
// WRONG:   error[P502]: 'f15' is not an element type (in the signature 'x=f15')
// WRONG:   help: write x= and one of
