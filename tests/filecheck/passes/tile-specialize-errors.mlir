// RUN: not patlang-opt %s -p 'tile-specialize{signature="x=f12,y=f16,z=int"}' 2>&1 | filecheck %s --check-prefix=TYPE
// RUN: not patlang-opt %s -p 'tile-specialize{default=i32}' 2>&1 | filecheck %s --check-prefix=DEFAULT

tile.kernel @k linear(%x "x" : !tile.buffer<!tile.unknown>) {
  tile.stage {
  }
}

// TYPE:     error[P502]: 'f12' is not an element type (in the signature 'x=f12,y=f16,z=int'){{$}}
// TYPE:     help: write x= and one of f16, bf16, f32, f64, i8, i16, i32, i64, u8, bool{{$}}
// TYPE:     error[P502]: 'int' is not an element type (in the signature 'x=f12,y=f16,z=int'){{$}}
// DEFAULT:  tile-specialize-errors.mlir:4:1: error[P118]: 'i32' is not a type for the numbers of a kernel{{$}}
