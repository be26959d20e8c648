tile.kernel @mandelbrot linear(%out "out" : !tile.buffer<i32>, %width "width" : i64, %steps "steps" : i64) {
  tile.stage {
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %w = tile.broadcast %width : i64 -> !tile.tile<[BLOCK_SIZE], i64>
    %xi = tile.rem %offs, %w : !tile.tile<[BLOCK_SIZE], i64>
    %yi = tile.quotient %offs, %w : !tile.tile<[BLOCK_SIZE], i64>
    %x = tile.cast %xi : !tile.tile<[BLOCK_SIZE], i64> -> !tile.tile<[BLOCK_SIZE], f64>
    %y = tile.cast %yi : !tile.tile<[BLOCK_SIZE], i64> -> !tile.tile<[BLOCK_SIZE], f64>
    %wf = tile.cast %width : i64 -> f64
    %three = tile.constant 3.0 : f64
    %scale = tile.div %three, %wf : f64
    %scales = tile.broadcast %scale : f64 -> !tile.tile<[BLOCK_SIZE], f64>
    %left = tile.constant -2.25 : f64
    %lefts = tile.broadcast %left : f64 -> !tile.tile<[BLOCK_SIZE], f64>
    %top = tile.constant -1.5 : f64
    %tops = tile.broadcast %top : f64 -> !tile.tile<[BLOCK_SIZE], f64>
    %xs = tile.mul %x, %scales : !tile.tile<[BLOCK_SIZE], f64>
    %ys = tile.mul %y, %scales : !tile.tile<[BLOCK_SIZE], f64>
    %cr = tile.add %xs, %lefts : !tile.tile<[BLOCK_SIZE], f64>
    %ci = tile.add %ys, %tops : !tile.tile<[BLOCK_SIZE], f64>
    %zero = tile.constant 0.0 : f64
    %zeros = tile.broadcast %zero : f64 -> !tile.tile<[BLOCK_SIZE], f64>
    %none = tile.constant 0 : i32
    %nones = tile.broadcast %none : i32 -> !tile.tile<[BLOCK_SIZE], i32>
    %one = tile.constant 1 : i32
    %ones = tile.broadcast %one : i32 -> !tile.tile<[BLOCK_SIZE], i32>
    %four = tile.constant 4.0 : f64
    %fours = tile.broadcast %four : f64 -> !tile.tile<[BLOCK_SIZE], f64>
    %start = tile.constant 0 : i64
    %stride = tile.constant 1 : i64
    %zr_end, %zi_end, %count_end = scf.for %i = %start to %steps step %stride iter_args(%zr = %zeros, %zi = %zeros, %count = %nones) -> (!tile.tile<[BLOCK_SIZE], f64>, !tile.tile<[BLOCK_SIZE], f64>, !tile.tile<[BLOCK_SIZE], i32>) : i64 {
      %rr = tile.mul %zr, %zr : !tile.tile<[BLOCK_SIZE], f64>
      %ii = tile.mul %zi, %zi : !tile.tile<[BLOCK_SIZE], f64>
      %size = tile.add %rr, %ii : !tile.tile<[BLOCK_SIZE], f64>
      %alive = tile.compare le %size, %fours : !tile.tile<[BLOCK_SIZE], f64> -> !tile.tile<[BLOCK_SIZE], i1>
      %ri = tile.mul %zr, %zi : !tile.tile<[BLOCK_SIZE], f64>
      %ri2 = tile.add %ri, %ri : !tile.tile<[BLOCK_SIZE], f64>
      %diff = tile.sub %rr, %ii : !tile.tile<[BLOCK_SIZE], f64>
      %zr_next = tile.add %diff, %cr : !tile.tile<[BLOCK_SIZE], f64>
      %zi_next = tile.add %ri2, %ci : !tile.tile<[BLOCK_SIZE], f64>
      %more = tile.add %count, %ones : !tile.tile<[BLOCK_SIZE], i32>
      %zr2 = tile.select %alive, %zr_next, %zr : !tile.tile<[BLOCK_SIZE], i1>, !tile.tile<[BLOCK_SIZE], f64>
      %zi2 = tile.select %alive, %zi_next, %zi : !tile.tile<[BLOCK_SIZE], i1>, !tile.tile<[BLOCK_SIZE], f64>
      %count2 = tile.select %alive, %more, %count : !tile.tile<[BLOCK_SIZE], i1>, !tile.tile<[BLOCK_SIZE], i32>
      scf.yield %zr2, %zi2, %count2 : !tile.tile<[BLOCK_SIZE], f64>, !tile.tile<[BLOCK_SIZE], f64>, !tile.tile<[BLOCK_SIZE], i32>
    }
    tile.store %count_end, %out[%offs] : !tile.tile<[BLOCK_SIZE], i32>, !tile.buffer<i32>, !tile.tile<[BLOCK_SIZE], i64>
  }
}
