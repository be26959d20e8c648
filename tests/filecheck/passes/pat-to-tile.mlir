// RUN: patlang-opt %s -p pat-to-tile | filecheck %s

// Variables become values; every type is still open.
pat.func @copy("x", "out") kernel linear options {math = "fast"} {
  %0 = pat.implicit "offs"
  %1 = pat.load "x"[%0]
  pat.let "v", %1
  %2 = pat.get "v"
  %3 = pat.constant 2
  %4 = pat.binary mul %2, %3
  pat.let "v", %4
  %5 = pat.get "v"
  pat.store %5, "out"[%0]
}

// CHECK-LABEL: tile.kernel @copy linear(%x "x" : !tile.buffer<!tile.unknown>, %out "out" : !tile.buffer<!tile.unknown>) options {math = "fast"} {{[{]$}}
// CHECK-NEXT:    tile.stage {{[{]$}}
// CHECK-NEXT:      %offs = tile.index offs : !tile.unknown{{$}}
// CHECK-NEXT:      %v = tile.load %x[%offs] : (!tile.buffer<!tile.unknown>, !tile.unknown) -> !tile.unknown{{$}}
// CHECK-NEXT:      %0 = tile.constant 2 : !tile.unknown{{$}}
// CHECK-NEXT:      %v_1 = tile.mul %v, %0 : !tile.unknown{{$}}
// CHECK-NEXT:      tile.store %v_1, %out[%offs] : !tile.unknown, !tile.buffer<!tile.unknown>, !tile.unknown{{$}}
// CHECK-NEXT:    }{{$}}

// What a loop assigns is carried by it; what it only reads is not.
pat.func @loop("x", "out", "limit") kernel linear {
  %0 = pat.constant 0
  pat.let "i", %0
  pat.while {
    %1 = pat.get "i"
    %2 = pat.get "limit"
    %3 = pat.binary lt %1, %2
    pat.yield %3
  } do {
    %4 = pat.get "i"
    %5 = pat.constant 1
    %6 = pat.binary add %4, %5
    pat.let "i", %6
  }
  %7 = pat.implicit "offs"
  %8 = pat.get "i"
  pat.store %8, "out"[%7]
  %9 = pat.load "x"[%7]
}

// CHECK-LABEL: tile.kernel @loop
// CHECK:         [[LIMIT:%\w+]] = tile.scalar %limit
// CHECK:         [[START:%\w+]] = tile.constant 0
// CHECK-NEXT:    [[END:%\w+]] = scf.while ([[I:%\w+]] = [[START]]) : (!tile.unknown) -> !tile.unknown {{[{]$}}
// CHECK-NEXT:      [[LESS:%\w+]] = tile.compare lt [[I]], [[LIMIT]] : !tile.unknown -> !tile.unknown{{$}}
// CHECK-NEXT:      [[CONDITION:%\w+]] = tile.condition [[LESS]] : !tile.unknown{{$}}
// CHECK-NEXT:      scf.condition([[CONDITION]]) [[I]] : !tile.unknown{{$}}
// CHECK:           [[NEXT:%\w+]] = tile.add
// CHECK-NEXT:      scf.yield [[NEXT]] : !tile.unknown{{$}}
// CHECK:         tile.store [[END]], %out

// Both arms of an `if` give the variables that one of them assigns.
pat.func @choose("x", "out", "flag") kernel linear {
  %0 = pat.implicit "offs"
  %1 = pat.load "x"[%0]
  pat.let "v", %1
  pat.if {
    %2 = pat.get "flag"
    pat.yield %2
  } then {
    %3 = pat.get "v"
    %4 = pat.unary neg %3
    pat.let "v", %4
  }
  %5 = pat.get "v"
  pat.store %5, "out"[%0]
}

// CHECK-LABEL: tile.kernel @choose
// CHECK:         %v = tile.load %x
// CHECK:         %v_1 = scf.if {{%.*}} -> (!tile.unknown) {{[{]$}}
// CHECK-NEXT:      %v_2 = tile.neg %v : !tile.unknown{{$}}
// CHECK-NEXT:      scf.yield %v_2 : !tile.unknown{{$}}
// CHECK-NEXT:    } else {{[{]$}}
// CHECK-NEXT:      scf.yield %v : !tile.unknown{{$}}
// CHECK-NEXT:    }{{$}}
// CHECK-NEXT:    tile.store %v_1, %out
