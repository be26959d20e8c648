"""Typical loops in PatLang on the host, against the same loops written in Python by hand.

    python benchmarks/host_loops.py [RUNS]

Both sides take turns in one run, so that both meet the same machine; each row is the best of
RUNS, in processor time.
Every result is checked first.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from statistics import geometric_mean

from host_timing import best, compiled

FIB = """
fn fib(n) {
  if n < 2 { return n }
  return fib(n - 1) + fib(n - 2)
}
return fib(27)
"""


def fib(n: int = 27) -> int:
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


SIEVE = """
fn sieve(n) {
  let flags = []
  let i = 0
  while i < n { let flags = list_push(flags, true) let i = i + 1 }
  let count = 0
  let i = 2
  while i < n {
    if flags[i] {
      let count = count + 1
      let k = i * i
      while k < n { let flags = list_set(flags, k, false) let k = k + i }
    }
    let i = i + 1
  }
  return count
}
return sieve(1000000)
"""


def sieve(n: int = 1_000_000) -> int:
    flags: list[bool] = []
    i = 0
    while i < n:
        flags.append(True)
        i += 1
    count = 0
    i = 2
    while i < n:
        if flags[i]:
            count += 1
            k = i * i
            while k < n:
                flags[k] = False
                k += i
        i += 1
    return count


MATMUL = """
fn matmul(a, b, n) {
  let c = []
  let row = 0
  while row < n {
    let col = 0
    while col < n {
      let s = 0.0
      let k = 0
      while k < n {
        let s = s + a[row * n + k] * b[k * n + col]
        let k = k + 1
      }
      let c = list_push(c, s)
      let col = col + 1
    }
    let row = row + 1
  }
  return c
}
fn fill(n) {
  let xs = []
  let i = 0
  while i < n { let xs = list_push(xs, i * 0.5) let i = i + 1 }
  return xs
}
return matmul(fill(10000), fill(10000), 100)
"""


def matmul(n: int = 100) -> list[float]:
    a = [i * 0.5 for i in range(n * n)]
    b = a
    c: list[float] = []
    row = 0
    while row < n:
        col = 0
        while col < n:
            s = 0.0
            k = 0
            while k < n:
                s += a[row * n + k] * b[k * n + col]
                k += 1
            c.append(s)
            col += 1
        row += 1
    return c


MEAN = """
fn fill(n) {
  let xs = []
  let i = 0
  while i < n { let xs = list_push(xs, i * 0.5) let i = i + 1 }
  return xs
}
fn variance(xs) {
  let s = 0.0
  let i = 0
  while i < to_num(list_len(xs)) { let s = s + xs[i] let i = i + 1 }
  let mean = s / to_num(list_len(xs))
  let s = 0.0
  let i = 0
  while i < to_num(list_len(xs)) {
    let d = xs[i] - mean
    let s = s + d * d
    let i = i + 1
  }
  return s / to_num(list_len(xs))
}
return variance(fill(200000))
"""


def variance(n: int = 200_000) -> float:
    xs: list[float] = []
    i = 0
    while i < n:
        xs.append(i * 0.5)
        i += 1
    s = 0.0
    i = 0
    while i < len(xs):
        s += xs[i]
        i += 1
    mean = s / len(xs)
    s = 0.0
    i = 0
    while i < len(xs):
        d = xs[i] - mean
        s += d * d
        i += 1
    return s / len(xs)


ESCAPE = """
fn steps(cr, ci) {
  let zr = 0.0 let zi = 0.0 let n = 0
  while n < 500 and zr * zr + zi * zi <= 4.0 {
    let t = zr * zr - zi * zi + cr
    let zi = 2.0 * zr * zi + ci
    let zr = t
    let n = n + 1
  }
  return n
}
let total = 0
let i = 0
while i < 2000 {
  let total = total + steps(-0.75 + i * 0.00002, 0.1)
  let i = i + 1
}
return total
"""


def escape() -> int:
    def steps(cr: float, ci: float) -> int:
        zr = zi = 0.0
        n = 0
        while n < 500 and zr * zr + zi * zi <= 4.0:
            t = zr * zr - zi * zi + cr
            zi = 2.0 * zr * zi + ci
            zr = t
            n += 1
        return n

    total = 0
    i = 0
    while i < 2000:
        total += steps(-0.75 + i * 0.00002, 0.1)
        i += 1
    return total


WORDS = """
fn words(text) {
  let found = [] let word = "" let i = 0
  while i < text.length {
    let c = text[i]
    if c == " " { let found = list_push(found, word) let word = "" } else { let word = word + c }
    let i = i + 1
  }
  return found
}
let text = "" let i = 0
while i < 100000 { let text = text + "word" + i + " " let i = i + 1 }
return to_num(list_len(words(text)))
"""


def words() -> int:
    text = ""
    i = 0
    while i < 100_000:
        text += "word" + str(i) + " "
        i += 1
    found: list[str] = []
    word = ""
    i = 0
    while i < len(text):
        c = text[i]
        if c == " ":
            found.append(word)
            word = ""
        else:
            word += c
        i += 1
    return len(found)


COLLATZ = """
fn collatz(n) {
  let steps = 0
  while n != 1 {
    if n % 2 == 0 { let n = floor(n / 2) } else { let n = 3 * n + 1 }
    let steps = steps + 1
  }
  return steps
}
let longest = 0.0 let i = 1
while i < 12000 { let longest = max(longest, collatz(i)) let i = i + 1 }
return longest
"""


def collatz() -> float:
    def steps(n: int) -> int:
        count = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            count += 1
        return count

    longest = 0.0
    i = 1
    while i < 12000:
        longest = max(longest, float(steps(i)))
        i += 1
    return longest


DOUBLE = """
fn double_loop(n) {
  let total = 0
  let i = 0
  while i < n {
    let j = 0
    while j < n {
      let total = total + i * j % 7
      let j = j + 1
    }
    let i = i + 1
  }
  return total
}
return double_loop(300)
"""


def double_loop(n: int = 300) -> int:
    total = 0
    i = 0
    while i < n:
        j = 0
        while j < n:
            total += i * j % 7
            j += 1
        i += 1
    return total


STRING = """
fn build(size) {
  let text = ""
  let i = 0
  while text.length < size {
    let text = text + i + ","
    let i = i + 1
  }
  return text
}
return build(1000000)
"""


def build_string(size: int = 1_000_000) -> str:
    text = ""
    i = 0
    while len(text) < size:
        text += str(i) + ","
        i += 1
    return text


MANDELBROT = """
fn mandelbrot(size, most) {
  let counts = []
  let row = 0
  while row < size {
    let ci = row / size * 2.5 - 1.25
    let col = 0
    while col < size {
      let cr = col / size * 3.0 - 2.25
      let zr = 0.0
      let zi = 0.0
      let n = 0
      while n < most and zr * zr + zi * zi <= 4.0 {
        let t = zr * zr - zi * zi + cr
        let zi = 2.0 * zr * zi + ci
        let zr = t
        let n = n + 1
      }
      let counts = list_push(counts, n)
      let col = col + 1
    }
    let row = row + 1
  }
  return counts
}
return mandelbrot(256, 100)
"""


def mandelbrot(size: int = 256, most: int = 100) -> list[int]:
    counts: list[int] = []
    row = 0
    while row < size:
        ci = row / size * 2.5 - 1.25
        col = 0
        while col < size:
            cr = col / size * 3.0 - 2.25
            zr = zi = 0.0
            n = 0
            while n < most and zr * zr + zi * zi <= 4.0:
                t = zr * zr - zi * zi + cr
                zi = 2.0 * zr * zi + ci
                zr = t
                n += 1
            counts.append(n)
            col += 1
        row += 1
    return counts


CASES: dict[str, tuple[str, Callable[[], object]]] = {
    "fib": (FIB, fib),
    "sieve": (SIEVE, sieve),
    "matmul": (MATMUL, matmul),
    "variance": (MEAN, variance),
    "escape": (ESCAPE, escape),
    "words": (WORDS, words),
    "collatz": (COLLATZ, collatz),
    "double loop": (DOUBLE, double_loop),
    "string": (STRING, build_string),
    "mandelbrot": (MANDELBROT, mandelbrot),
}


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    print(f"best of {runs} runs, Python {sys.version.split()[0]}")
    print(f"{'loop':<11} {'PatLang':>10} {'Python':>10} {'ratio':>6}")
    ratios: list[float] = []
    for name, (source, by_hand) in CASES.items():
        patlang = compiled(source)
        assert patlang() == by_hand(), f"{name}: the results differ"
        ours, theirs = best(patlang, by_hand, runs)
        ratios.append(ours / theirs)
        print(f"{name:<11} {ours * 1e3:>7.1f} ms {theirs * 1e3:>7.1f} ms {ratios[-1]:>6.2f}")
    print(f"{'geometric mean':<33} {geometric_mean(ratios):>6.2f}")


if __name__ == "__main__":
    main()
