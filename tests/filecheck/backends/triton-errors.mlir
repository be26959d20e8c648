// RUN: patlang-opt %s --split-input-file --verify-diagnostics -t triton

// A load has an effect, so its value must be a variable.
tl.kernel @unnamed(%x "x" : !tl.pointer<f32>) constexprs [] {
  // expected-error@+1 {{P901: a value of 'tl.load' needs a name}}
  %0 = tl.load %x : !tl.pointer<f32> -> f32
  tl.store %0, %x : f32, !tl.pointer<f32>
}

// -----

// What is used twice must be computed once.
tl.kernel @twice(%x "x" : !tl.pointer<f32>, %a "a" : f32) constexprs [] {
  // expected-error@+1 {{P901: a value of 'tl.binary' needs a name}}
  %0 = tl.binary mul %a, %a : f32, f32 -> f32
  %r = tl.binary mul %0, %0 : f32, f32 -> f32
  tl.store %r, %x : f32, !tl.pointer<f32>
}

// -----

// Operations of other dialects have no text.
tl.kernel @foreign(%x "x" : !tl.pointer<f32>, %a "a" : f32) constexprs [] {
  // expected-error@+1 {{P902: 'tile.sqrt' cannot be printed as Triton}}
  %r = tile.sqrt %a : f32
  tl.store %r, %x : f32, !tl.pointer<f32>
}

// -----

// expected-error@+1 {{P902: 'tile.kernel' cannot be printed as Triton}}
tile.kernel @early linear(%x "x" : !tile.buffer<f32>) {
}
