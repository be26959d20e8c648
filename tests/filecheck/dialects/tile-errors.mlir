// RUN: patlang-opt %s --split-input-file --verify-diagnostics

tile.kernel @names linear(%x "x" : !tile.buffer<f32>) {
  %0 = tile.constant 1 : i64 // expected-error@-1 {{P901: 'tile.kernel': a kernel holds tile.stage and tile.scratch only}}
}

// -----

tile.kernel @types linear(%x "x" : !tile.tile<[BLOCK_SIZE], f32>, %i "i" : i64) {
  tile.stage {
    %0 = "tile.add"(%x, %i) : (!tile.tile<[BLOCK_SIZE], f32>, i64) -> i64 // expected-error {{P901: 'tile.add'}}
    %1 = "tile.neg"(%i) : (i64) -> f32 // expected-error {{P901: 'tile.neg'}}
    %2 = "tile.fma"(%i, %i, %i) : (i64, i64, i64) -> f32 // expected-error {{P901: 'tile.fma'}}
    %3 = tile.compare lt %x, %x : !tile.tile<[BLOCK_SIZE], f32> -> i1 // expected-error {{P901: 'tile.compare': expected !tile.tile<[BLOCK_SIZE], i1>, got i1}}
    %4 = tile.compare lt %i, %i : i64 -> i1
    %5 = tile.select %4, %x, %x : i1, !tile.tile<[BLOCK_SIZE], f32> // expected-error {{P901: 'tile.select': expected !tile.tile<[BLOCK_SIZE], i1>, got i1}}
    %6 = tile.truth %x : !tile.tile<[BLOCK_SIZE], f32> -> i1 // expected-error {{P901: 'tile.truth'}}
    %7 = tile.cast %x : !tile.tile<[BLOCK_SIZE], f32> -> f64 // expected-error {{P901: 'tile.cast': a cast keeps the shape}}
    %8 = tile.broadcast %i : i64 -> !tile.tile<[BLOCK_SIZE], f32> // expected-error {{P901: 'tile.broadcast': a broadcast keeps the element type}}
    %9 = tile.broadcast %x : !tile.tile<[BLOCK_SIZE], f32> -> f32 // expected-error {{P901: 'tile.broadcast'}}
    %10 = tile.broadcast %x : !tile.tile<[BLOCK_SIZE], f32> -> !tile.tile<[BLOCK_R], f32> // expected-error {{P901: 'tile.broadcast': the shapes do not broadcast}}
  }
}

// -----

tile.kernel @memory linear(%x "x" : !tile.buffer<f32>, %i "i" : !tile.tile<[BLOCK_SIZE], i64>, %v "v" : f32, %c "c" : i1) {
  tile.stage {
    %0 = tile.load %x[%i] : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>) -> f32 // expected-error {{P901: 'tile.load': the result has the buffer's elements and the index's shape}}
    %1 = tile.load %x[%i] : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>) -> !tile.tile<[BLOCK_SIZE], f64> // expected-error {{P901: 'tile.load'}}
    %2 = tile.load %x[%i] mask %c : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>, i1) -> !tile.tile<[BLOCK_SIZE], f32> // expected-error {{P901: 'tile.load': expected !tile.tile<[BLOCK_SIZE], i1>, got i1}}
    tile.store %v, %x[%i] : f32, !tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64> // expected-error {{P901: 'tile.store': the value has the buffer's elements and the index's shape}}
    tile.atomic max %v, %x[%i] : f32, !tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64> // expected-error {{P901: 'tile.atomic'}}
    %3 = "tile.load"(%v, %i) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (f32, !tile.tile<[BLOCK_SIZE], i64>) -> !tile.tile<[BLOCK_SIZE], f32> // expected-error {{P901: 'tile.load'}}
  }
}

// -----

// A literal is a number.
tile.kernel @text linear() {
  tile.stage {
    %0 = tile.constant "text" : i64 // expected-error {{P906: expected a number or a truth value}}
  }
}

// -----

tile.kernel @kind round() { // expected-error {{P906}}
}

// -----

tile.kernel @order linear(%x "x" : f32) {
  tile.stage {
    %0 = tile.neg %1 : f32 // expected-error {{P901: 'tile.neg' uses operand 1 before it is defined}}
    %1 = tile.add %x, %x : f32
  }
}

// -----

tile.kernel @options linear() options [1] { // expected-error {{P906: expected a dictionary}}
}

// -----

tl.launcher @k rank 1 params [1 : i32] { // expected-error {{P906: expected an array of tl.parameter}}
}

// -----

tile.kernel @sideways matmul(%a "a" : !tile.buffer<f16>) {
  tile.stage described copies <{a = "sideways"}, 256, 2147483648> { // expected-error {{P906: the copy of 'a' lies by one of rows, columns, either}}
  }
}

// -----

tile.kernel @other matmul(%a "a" : !tile.buffer<f16>) { // expected-error {{P901: 'tile.kernel': 'b' is copied, and is no parameter}}
  tile.stage described copies <{b = "rows"}, 256, 2147483648> {
  }
}

// -----

tile.kernel @pointers matmul(%a "a" : !tile.buffer<f16>) {
  tile.stage copies <{a = "rows"}, 256, 2147483648> { // expected-error {{P901: 'tile.stage': copies are for a stage that is described}}
  }
}

// -----

tl.matmul_launcher @product params [] matrices [] {
  tl.matmul_launch "product_kernel" args [] cuts ["", ""] plans [{speed = 1 : i64}] options {} described {a = "load"} copies <{b = "rows"}, 256, 2147483648> // expected-error {{P901: 'tl.matmul_launch': 'b' is copied, and is not described}}
}

// -----

tl.matmul_launcher @product params [] matrices [] {
  tl.matmul_launch "product_kernel" args [] cuts ["", ""] plans [{speed = 1 : i64}, {}] options {} // expected-error {{P901: 'tl.matmul_launch': a plan has a speed, which is above 0}}
}

// -----

tl.matmul_launcher @product params [] matrices [] {
  tl.matmul_launch "product_kernel" args [] cuts ["", ""] plans [{speed = 0 : i64}] options {} // expected-error {{P901: 'tl.matmul_launch': a plan has a speed, which is above 0}}
}
