// RUN: patlang-opt %s -p tile-to-tl,tl-name-values -t triton | filecheck %s --check-prefix=ALL
// RUN: patlang-opt %s -p tile-to-tl{triton=3.7},tl-name-values -t triton | filecheck %s --check-prefix=ALL
// RUN: patlang-opt %s -p tile-to-tl{triton=3.8},tl-name-values -t triton | filecheck %s --check-prefix=NEW

// Triton before 3.8 may make 1.0 of a -1 that becomes bf16, if it is computed.

tile.kernel @signs linear(%o "o" : !tile.buffer<bf16>, %x "x" : !tile.buffer<i32>, %y "y" : !tile.buffer<f32>, %b "b" : i1) {
  tile.stage plan {num_warps = 4 : i64} {
    %zero = tile.constant 0 : i64
    %none = tile.constant 0 : i32
    %less = tile.constant -1 : i32
    %i = tile.load %x[%zero] guarded : (!tile.buffer<i32>, i64) -> i32
    %f = tile.load %y[%zero] guarded : (!tile.buffer<f32>, i64) -> f32

    // What memory holds, and a truth value, have their sign.
    %loaded = tile.cast %i : i32 -> bf16
    tile.store %loaded, %o[%zero] guarded : bf16, !tile.buffer<bf16>, i64
    %sum = tile.add %f, %f : f32
    %float = tile.cast %sum : f32 -> bf16
    tile.store %float, %o[%zero] guarded : bf16, !tile.buffer<bf16>, i64
    %truth = tile.cast %b : i1 -> bf16
    tile.store %truth, %o[%zero] guarded : bf16, !tile.buffer<bf16>, i64

    // What is computed may be 0 or -1 only.
    %j = tile.select %b, %less, %none : i1, i32
    %whole = tile.cast %j : i32 -> bf16
    tile.store %whole, %o[%zero] guarded : bf16, !tile.buffer<bf16>, i64

    // So may a float that is made of it, and one that is chosen or handed on.
    %g = tile.cast %j : i32 -> f32
    %h = tile.select %b, %f, %g : i1, f32
    %d = tile.condition %b : i1
    %k = scf.if %d -> (f32) {
      scf.yield %h : f32
    } else {
      scf.yield %f : f32
    }
    %twice = tile.cast %k : f32 -> bf16
    tile.store %twice, %o[%zero] guarded : bf16, !tile.buffer<bf16>, i64
  }
}

// ALL-LABEL: def signs_kernel(
// ALL:        loaded = i.to(tl.bfloat16){{( +#.*)?$}}
// ALL-NEXT:   tl.store(o, loaded){{( +#.*)?$}}
// ALL-NEXT:   sum_ = f + f{{( +#.*)?$}}
// ALL-NEXT:   float_ = sum_.to(tl.bfloat16){{( +#.*)?$}}
// ALL-NEXT:   tl.store(o, float_){{( +#.*)?$}}
// ALL-NEXT:   truth = tl.full((), b, tl.bfloat16){{( +#.*)?$}}
// ALL-NEXT:   tl.store(o, truth){{( +#.*)?$}}
// ALL-NEXT:   j = tl.where(b_1, -1, 0){{( +#.*)?$}}
// ALL-NEXT:   value = j.to(tl.bfloat16){{( +#.*)?$}}
// ALL-NEXT:   value_1 = (tl.abs(value.to(tl.float32)) * -1.0).to(tl.bfloat16){{( +#.*)?$}}
// ALL-NEXT:   whole = tl.where(j < 0, value_1, value){{( +#.*)?$}}
// ALL-NEXT:   tl.store(o, whole){{( +#.*)?$}}
// ALL:        value_2 = k.to(tl.bfloat16){{( +#.*)?$}}
// ALL-NEXT:   value_3 = (tl.abs(value_2.to(tl.float32)) * -1.0).to(tl.bfloat16){{( +#.*)?$}}
// ALL-NEXT:   twice = tl.where(k < 0.0, value_3, value_2){{( +#.*)?$}}
// ALL-NEXT:   tl.store(o, twice){{( +#.*)?$}}

// NEW-LABEL: def signs_kernel(
// NEW:        whole = j.to(tl.bfloat16){{( +#.*)?$}}
// NEW-NEXT:   tl.store(o, whole){{( +#.*)?$}}
// NEW:        twice = k.to(tl.bfloat16){{( +#.*)?$}}
// NEW-NEXT:   tl.store(o, twice){{( +#.*)?$}}
