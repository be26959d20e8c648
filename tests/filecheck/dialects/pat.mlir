// RUN: patlang-opt %s --split-input-file | filecheck %s
// RUN: patlang-opt %s --split-input-file | patlang-opt - --split-input-file | filecheck %s
// RUN: patlang-opt %s --split-input-file --print-op-generic \
// RUN:   | patlang-opt - --split-input-file | filecheck %s

pat.program {
  %0 = pat.constant 3
  %1 = pat.constant -170141183460469231731687303715884105728
  %2 = pat.constant 2.5
  %3 = pat.constant nan
  %4 = pat.constant neg_inf
  %5 = pat.constant 1.0e-05
  %6 = pat.constant true
  %7 = pat.constant "a \22text\22\0Aof two lines"
  %8 = pat.constant unit
  pat.let "x", %0
  pat.let mut "y", %2
  pat.assign "y", %5
  %9 = pat.name "x"
  %10 = pat.get "x"
  %11 = pat.unary neg %9
  %12 = pat.unary not %6
  %13 = pat.unary bnot %0
  %14 = pat.list[]
  %15 = pat.list[%0, %1]
  %16 = pat.index %15[%0]
  %17 = pat.member %15, "length"
  %18 = pat.apply "print"(%3, %4)
  %19 = pat.call "twice"(%0)
  %20 = pat.call_value %19()
  %21 = pat.host "list_push"(%15, %8) in_place
  %22 = pat.host "print"(%7)
  %23 = pat.launch "add"(%15, %14) writes ["", "out"]
  pat.contract require %6
  pat.contract ensure %6
  pat.contract assert %6
}

// CHECK:      pat.program {{[{]$}}
// CHECK-NEXT:   %0 = pat.constant 3{{$}}
// CHECK-NEXT:   %1 = pat.constant -170141183460469231731687303715884105728{{$}}
// CHECK-NEXT:   %2 = pat.constant 2.5{{$}}
// CHECK-NEXT:   %3 = pat.constant nan{{$}}
// CHECK-NEXT:   %4 = pat.constant neg_inf{{$}}
// CHECK-NEXT:   %5 = pat.constant 1.0e-05{{$}}
// CHECK-NEXT:   %6 = pat.constant true{{$}}
// CHECK-NEXT:   %7 = pat.constant "a \22text\22\0Aof two lines"{{$}}
// CHECK-NEXT:   %8 = pat.constant unit{{$}}
// CHECK-NEXT:   pat.let "x", %0{{$}}
// CHECK-NEXT:   pat.let mut "y", %2{{$}}
// CHECK-NEXT:   pat.assign "y", %5{{$}}
// CHECK-NEXT:   %9 = pat.name "x"{{$}}
// CHECK-NEXT:   %10 = pat.get "x"{{$}}
// CHECK-NEXT:   %11 = pat.unary neg %9{{$}}
// CHECK-NEXT:   %12 = pat.unary not %6{{$}}
// CHECK-NEXT:   %13 = pat.unary bnot %0{{$}}
// CHECK-NEXT:   %14 = pat.list[]{{$}}
// CHECK-NEXT:   %15 = pat.list[%0, %1]{{$}}
// CHECK-NEXT:   %16 = pat.index %15[%0]{{$}}
// CHECK-NEXT:   %17 = pat.member %15, "length"{{$}}
// CHECK-NEXT:   %18 = pat.apply "print"(%3, %4){{$}}
// CHECK-NEXT:   %19 = pat.call "twice"(%0){{$}}
// CHECK-NEXT:   %20 = pat.call_value %19(){{$}}
// CHECK-NEXT:   %21 = pat.host "list_push"(%15, %8) in_place{{$}}
// CHECK-NEXT:   %22 = pat.host "print"(%7){{$}}
// CHECK-NEXT:   %23 = pat.launch "add"(%15, %14) writes ["", "out"]{{$}}
// CHECK-NEXT:   pat.contract require %6{{$}}
// CHECK-NEXT:   pat.contract ensure %6{{$}}
// CHECK-NEXT:   pat.contract assert %6{{$}}
// CHECK-NEXT: }{{$}}

// -----

pat.func @binary("a", "b") returns "a" {
  %0 = pat.get "a"
  %1 = pat.get "b"
  %2 = pat.binary add %0, %1
  %3 = pat.binary sub %0, %1
  %4 = pat.binary mul %0, %1
  %5 = pat.binary div %0, %1
  %6 = pat.binary rem %0, %1
  %7 = pat.binary eq %0, %1
  %8 = pat.binary ne %0, %1
  %9 = pat.binary lt %0, %1
  %10 = pat.binary le %0, %1
  %11 = pat.binary gt %0, %1
  %12 = pat.binary ge %0, %1
  %13 = pat.binary band %0, %1
  %14 = pat.binary bor %0, %1
  %15 = pat.binary bxor %0, %1
  %16 = pat.binary shl %0, %1
  %17 = pat.binary shr %0, %1
}

// CHECK:      pat.func @binary("a", "b") returns "a" {{[{]$}}
// CHECK-NEXT:   %0 = pat.get "a"{{$}}
// CHECK-NEXT:   %1 = pat.get "b"{{$}}
// CHECK-NEXT:   %2 = pat.binary add %0, %1{{$}}
// CHECK-NEXT:   %3 = pat.binary sub %0, %1{{$}}
// CHECK-NEXT:   %4 = pat.binary mul %0, %1{{$}}
// CHECK-NEXT:   %5 = pat.binary div %0, %1{{$}}
// CHECK-NEXT:   %6 = pat.binary rem %0, %1{{$}}
// CHECK-NEXT:   %7 = pat.binary eq %0, %1{{$}}
// CHECK-NEXT:   %8 = pat.binary ne %0, %1{{$}}
// CHECK-NEXT:   %9 = pat.binary lt %0, %1{{$}}
// CHECK-NEXT:   %10 = pat.binary le %0, %1{{$}}
// CHECK-NEXT:   %11 = pat.binary gt %0, %1{{$}}
// CHECK-NEXT:   %12 = pat.binary ge %0, %1{{$}}
// CHECK-NEXT:   %13 = pat.binary band %0, %1{{$}}
// CHECK-NEXT:   %14 = pat.binary bor %0, %1{{$}}
// CHECK-NEXT:   %15 = pat.binary bxor %0, %1{{$}}
// CHECK-NEXT:   %16 = pat.binary shl %0, %1{{$}}
// CHECK-NEXT:   %17 = pat.binary shr %0, %1{{$}}
// CHECK-NEXT: }{{$}}

// -----

pat.func @control("a") {
  %0 = pat.get "a"
  %1 = pat.logical and %0 {
    %2 = pat.get "a"
    pat.yield %2
  }
  %3 = pat.logical or %0 {
    pat.yield %1
  }
  pat.if {
    pat.yield %0
  } then {
    pat.return
  }
  pat.if {
    pat.yield %0
  } then {
  } elif {
    pat.yield %1
  } then {
    pat.return %1
  } else {
    pat.return %3
  }
  pat.while {
    pat.yield %0
  } do {
  }
}

// CHECK:      pat.func @control("a") {{[{]$}}
// CHECK-NEXT:   %0 = pat.get "a"{{$}}
// CHECK-NEXT:   %1 = pat.logical and %0 {{[{]$}}
// CHECK-NEXT:     %2 = pat.get "a"{{$}}
// CHECK-NEXT:     pat.yield %2{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT:   %3 = pat.logical or %0 {{[{]$}}
// CHECK-NEXT:     pat.yield %1{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT:   pat.if {{[{]$}}
// CHECK-NEXT:     pat.yield %0{{$}}
// CHECK-NEXT:   } then {{[{]$}}
// CHECK-NEXT:     pat.return{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT:   pat.if {{[{]$}}
// CHECK-NEXT:     pat.yield %0{{$}}
// CHECK-NEXT:   } then {{[{]$}}
// CHECK-NEXT:   } elif {{[{]$}}
// CHECK-NEXT:     pat.yield %1{{$}}
// CHECK-NEXT:   } then {{[{]$}}
// CHECK-NEXT:     pat.return %1{{$}}
// CHECK-NEXT:   } else {{[{]$}}
// CHECK-NEXT:     pat.return %3{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT:   pat.while {{[{]$}}
// CHECK-NEXT:     pat.yield %0{{$}}
// CHECK-NEXT:   } do {{[{]$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT: }{{$}}

// -----

pat.func @kernel("x", "out") kernel linear options {math = "fast"} {
  %0 = pat.implicit "offs"
  %1 = pat.load "x"[%0]
  %2 = pat.intrinsic "exp"(%1)
  pat.store %2, "out"[%0]
  pat.atomic add %2, "out"[%0]
  pat.atomic max %2, "out"[%0]
  pat.atomic min %2, "out"[%0]
}

// CHECK:      pat.func @kernel("x", "out") kernel linear options {math = "fast"} {{[{]$}}
// CHECK-NEXT:   %0 = pat.implicit "offs"{{$}}
// CHECK-NEXT:   %1 = pat.load "x"[%0]{{$}}
// CHECK-NEXT:   %2 = pat.intrinsic "exp"(%1){{$}}
// CHECK-NEXT:   pat.store %2, "out"[%0]{{$}}
// CHECK-NEXT:   pat.atomic add %2, "out"[%0]{{$}}
// CHECK-NEXT:   pat.atomic max %2, "out"[%0]{{$}}
// CHECK-NEXT:   pat.atomic min %2, "out"[%0]{{$}}
// CHECK-NEXT: }{{$}}

// -----

pat.func @grid() kernel grid {
}

// CHECK:      pat.func @grid() kernel grid {{[{]$}}
// CHECK-NEXT: }{{$}}

// -----

pat.func @product() kernel matmul {
}

// CHECK:      pat.func @product() kernel matmul {{[{]$}}
// CHECK-NEXT: }{{$}}

// -----

pat.program {
  %0 = pat.constant 3
  %1 = pat.closure("self", "y") returns "r" {
    %2 = pat.name "y"
    pat.let "r", %2
  }
  %3 = pat.closure() {
  }
  %4 = pat.make_closure "main.add"(%0)
  %5 = pat.make_closure "main.two"()
  %6 = pat.call_value %4(%0) or_host "max"
  %7 = pat.send %0, "deposit"(%1, %0)
  %8 = pat.send %0, "close"()
  pat.set_member %0, "balance", %7
  pat.when "tick", %3
  pat.class "A" inherits "B" traits ["C", "D"] fields ["f", "g"](%0, %4) methods ["m"](%1)
  pat.class "E" traits [] fields []() methods []()
}

// CHECK:      pat.program {{[{]$}}
// CHECK-NEXT:   %0 = pat.constant 3{{$}}
// CHECK-NEXT:   %1 = pat.closure("self", "y") returns "r" {{[{]$}}
// CHECK-NEXT:     %2 = pat.name "y"{{$}}
// CHECK-NEXT:     pat.let "r", %2{{$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT:   %3 = pat.closure() {{[{]$}}
// CHECK-NEXT:   }{{$}}
// CHECK-NEXT:   %4 = pat.make_closure "main.add"(%0){{$}}
// CHECK-NEXT:   %5 = pat.make_closure "main.two"(){{$}}
// CHECK-NEXT:   %6 = pat.call_value %4(%0) or_host "max"{{$}}
// CHECK-NEXT:   %7 = pat.send %0, "deposit"(%1, %0){{$}}
// CHECK-NEXT:   %8 = pat.send %0, "close"(){{$}}
// CHECK-NEXT:   pat.set_member %0, "balance", %7{{$}}
// CHECK-NEXT:   pat.when "tick", %3{{$}}
// CHECK-NEXT:   pat.class "A" inherits "B" traits ["C", "D"] fields ["f", "g"](%0, %4) methods ["m"](%1){{$}}
// CHECK-NEXT:   pat.class "E" traits [] fields []() methods [](){{$}}
// CHECK-NEXT: }{{$}}
