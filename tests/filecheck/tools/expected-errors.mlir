// RUN: patlang-opt %s --split-input-file --verify-diagnostics

// In the text.
pat.let "x", %y // expected-error {{P906: %y is used but not defined}}

// -----

// The comment may stand above or below.
// expected-error@+1 {{unknown operation 'pat.lett'}}
pat.lett "x"

// -----

%0 = pat.constant
// expected-error@+2 {{P906: integer or float literal expected}}

// -----

// In the verifier.
pat.func @twice("x", "x") { // expected-error {{P901: 'pat.func': a parameter is given twice}}
}

// -----

// Several in one chunk.
pat.program {
  pat.let "x", %a // expected-error {{P901: 'pat.let' uses %a before it is defined}}
  %a = pat.constant 1
  pat.let "y", %b // expected-error {{P901: 'pat.let' uses %b before it is defined}}
  %b = pat.constant 1
}

// -----

// None: this one is right.
%0 = pat.constant 1
