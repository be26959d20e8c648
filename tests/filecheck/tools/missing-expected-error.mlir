// RUN: not patlang-opt %s --split-input-file --verify-diagnostics 2>&1 | filecheck %s

// CHECK: missing-expected-error.mlir:[[# @LINE + 1]]:21: error[P904]: the error 'not bound' did not come at line [[# @LINE + 1]]
%0 = pat.constant 1 // expected-error {{not bound}}

// -----

// The line counts.
// CHECK: missing-expected-error.mlir:[[# @LINE + 2]]:1: error[P906]: unknown operation 'pat.lett'
// CHECK: missing-expected-error.mlir:[[# @LINE + 2]]:1: error[P904]: the error 'unknown operation' did not come at line [[# @LINE + 2]]
pat.lett "x"
// expected-error {{unknown operation}}

// -----

// So does the text.
// CHECK: missing-expected-error.mlir:[[# @LINE + 2]]:14: error[P906]: %y is used but not defined
// CHECK: missing-expected-error.mlir:[[# @LINE + 1]]:17: error[P904]: the error '%z is used' did not come
pat.let "x", %y // expected-error {{%z is used}}
