// RUN: patlang-opt %s --split-input-file --pass-pipeline=pat-lift-closures | filecheck %s
// RUN: patlang-opt %s --split-input-file --pass-pipeline=pat-lift-closures,pat-lift-closures | filecheck %s

// What has a value is captured, in the order of the text; its own variables and parameters are not.

// CHECK-LABEL: pat.program {
// CHECK-NEXT:    %[[ONE:.*]] = pat.constant 1{{$}}
// CHECK-NEXT:    pat.let "n", %[[ONE]]{{$}}
// CHECK-NEXT:    pat.let "m", %[[ONE]]{{$}}
// CHECK-NEXT:    %[[M:.*]] = pat.name "m"{{$}}
// CHECK-NEXT:    %[[N:.*]] = pat.name "n"{{$}}
// CHECK-NEXT:    %[[F:.*]] = pat.make_closure "main.f"(%[[M]], %[[N]]){{$}}
// CHECK-NEXT:    pat.let "f", %[[F]]{{$}}
// CHECK-NEXT:    pat.let "own", %[[ONE]]{{$}}
// CHECK-NEXT:  }
pat.program {
  %0 = pat.constant 1
  pat.let "n", %0
  pat.let "m", %0
  %1 = pat.closure("x") returns "own" {
    %2 = pat.name "m"
    %3 = pat.name "x"
    pat.let "own", %2
    %4 = pat.name "own"
    %5 = pat.apply "n"(%3)
    %6 = pat.apply "print"(%5)
    pat.let "n", %6
  }
  pat.let "f", %1
  pat.let "own", %0
}
// CHECK-NEXT:  pat.func @main.f("m", "n", "x") returns "own" {
// CHECK-NEXT:    pat.name "m"{{$}}
// CHECK-NEXT:    pat.name "x"{{$}}
// CHECK-NEXT:    pat.let "own"
// CHECK-NEXT:    pat.name "own"{{$}}
// CHECK-NEXT:    pat.apply "n"
// CHECK-NEXT:    pat.apply "print"
// CHECK-NEXT:    pat.let "n"
// CHECK-NEXT:  }

// -----

// A variable that is set on one path only is captured for the others.

// CHECK-LABEL: pat.func @g("a", "b") {
// CHECK-NEXT:    %[[A:.*]] = pat.name "a"{{$}}
// CHECK-NEXT:    %[[B:.*]] = pat.name "b"{{$}}
// CHECK-NEXT:    %[[C:.*]] = pat.make_closure "g.closure"(%[[A]], %[[B]]){{$}}
// CHECK-NEXT:    pat.return %[[C]]{{$}}
// CHECK-NEXT:  }
// CHECK-NEXT:  pat.func @g.closure("a", "b") {
pat.func @g("a", "b") {
  %0 = pat.closure() {
    pat.if {
      %1 = pat.name "a"
      pat.yield %1
    } then {
      %2 = pat.constant 1
      pat.let "b", %2
    }
    %3 = pat.name "b"
  }
  pat.return %0
}

// -----

// A closure in a closure: what the inner one captures, the outer one captures before.

// CHECK-LABEL: pat.func @outer("a") {
// CHECK-NEXT:    %[[A:.*]] = pat.name "a"{{$}}
// CHECK-NEXT:    %[[C:.*]] = pat.make_closure "outer.closure"(%[[A]]){{$}}
// CHECK-NEXT:    pat.return %[[C]]{{$}}
// CHECK-NEXT:  }
// CHECK-NEXT:  pat.func @outer.closure("a", "b") {
// CHECK-NEXT:    %[[A2:.*]] = pat.name "a"{{$}}
// CHECK-NEXT:    %[[B2:.*]] = pat.name "b"{{$}}
// CHECK-NEXT:    %[[C2:.*]] = pat.make_closure "outer.closure.closure"(%[[A2]], %[[B2]]){{$}}
// CHECK-NEXT:    pat.return %[[C2]]{{$}}
// CHECK-NEXT:  }
// CHECK-NEXT:  pat.func @outer.closure.closure("a", "b", "c") {
// CHECK-NEXT:    pat.name "a"{{$}}
// CHECK-NEXT:    pat.name "b"{{$}}
// CHECK-NEXT:    pat.name "c"{{$}}
// CHECK-NEXT:  }
pat.func @outer("a") {
  %0 = pat.closure("b") {
    %1 = pat.closure("c") {
      %2 = pat.name "a"
      %3 = pat.name "b"
      %4 = pat.name "c"
    }
    pat.return %1
  }
  pat.return %0
}

// -----

// What nothing binds is read outside, where it is reported. Functions are no variables.

// CHECK-LABEL: pat.program {
// CHECK-NEXT:    %[[NAME:.*]] = pat.name "nothing"{{$}}
// CHECK-NEXT:    pat.make_closure "main.closure"(%[[NAME]]){{$}}
// CHECK-NEXT:    pat.make_closure "main.closure2"(){{$}}
// CHECK-NEXT:  }
pat.program {
  %0 = pat.closure() {
    %1 = pat.name "nothing"
  }
  %2 = pat.closure() {
    %3 = pat.apply "f"()
    %4 = pat.apply "unknown"()
  }
}
pat.func @f() {
}

// -----

// Closures have the names of what they belong to.

// CHECK-LABEL: pat.program {
// CHECK-NEXT:    %[[WHEN:.*]] = pat.make_closure "when.tick"(){{$}}
// CHECK-NEXT:    pat.when "tick", %[[WHEN]]{{$}}
// CHECK-NEXT:    %[[GO:.*]] = pat.make_closure "A.go"(){{$}}
// CHECK-NEXT:    pat.class "A" traits [] fields []() methods ["go"](%[[GO]]){{$}}
// CHECK-NEXT:  }
pat.program {
  %0 = pat.closure("event_name", "event_data") {
  }
  pat.when "tick", %0
  %1 = pat.closure("self") {
  }
  pat.class "A" traits [] fields []() methods ["go"](%1)
}
// A closure in a kernel stays.
// CHECK:       pat.func @kernel("out") kernel linear {
// CHECK-NEXT:    pat.closure() {
pat.func @kernel("out") kernel linear {
  %0 = pat.closure() {
  }
}
