//===- FftPasses.cpp - complex Fourier transforms of any length -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/cpu/FftPasses.h"
#include "codegen/cpu/FftShuffles.h"
#include "ir/ops/SpectralTable.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace modelc;

Value modelc::loadLanes(KernelBuilder &k, Value memory, Value at, int64_t lanes, int64_t active) {
  return lanes == 1 ? k.load(memory, at) : k.loadVector(memory, at, lanes, active);
}

Complex SplitArray::load(KernelBuilder &k, Value at, int64_t lanes, int64_t active) const {
  return {loadLanes(k, re, at, lanes, active), loadLanes(k, im, at, lanes, active)};
}

void SplitArray::store(KernelBuilder &k, Value at, Complex value) const {
  k.store(value.re, re, at);
  k.store(value.im, im, at);
}

int64_t modelc::lanesFor(int64_t count, int64_t lanes) {
  return std::min<int64_t>(lanes,
                           llvm::bit_floor(static_cast<uint64_t>(std::max<int64_t>(count, 1))));
}

void modelc::forVectors(KernelBuilder &k, int64_t count, int64_t lanes,
                        function_ref<void(Value)> body) {
  bool isWhole = count % lanes == 0;
  k.loop(0, count, lanes, [&](Value at) {
    body(isWhole ? at : k.builder().create<arith::MinUIOp>(at, k.index(count - lanes)));
  });
}

ComplexFft::ComplexFft(KernelBuilder &k, Type element, int64_t length)
    : k(k), element(element), length(length), lanes(k.lanes(element)),
      // Scalar cores have 32 registers of single precision; those with vectors
      // of 64 bytes have masks.
      machine{lanes, lanes == 1 ? 32 : k.target().getVectorRegisters(),
              k.target().getVectorBytes() >= 64} {
  passes = planFft(length, machine);
  if (passes.empty()) {
    makeChirp();
    return;
  }
  for (const FftPass &pass : passes) {
    if (pass.rest == 1) {
      twiddles.push_back({});
      continue;
    }
    // The first pass reads vectors, one row per factor and part, or per element
    // and part; the others read the factors of one row of the transform after
    // each other.
    int64_t count = 2 * (pass.radix - 1), rest = pass.rest;
    // (Vectors of the first pass may reach beyond the last row.)
    std::vector<double> table(count * rest + (pass.stride == 1 ? lanes : 0));
    for (int64_t t = staysInRegisters() ? 0 : 1; t < pass.radix; ++t) {
      for (int64_t j = 0; j < rest; ++j) {
        std::complex<double> root = std::conj(rootOfUnity(j * t, pass.radix * rest));
        for (int64_t part = 0; part < 2; ++part) {
          int64_t factor = 2 * (t - 1) + part;
          int64_t at = staysInRegisters() ? (2 * (j - 1) + part) * pass.radix + t
                       : pass.stride == 1 ? factor * rest + j
                                          : j * count + factor;
          if (at >= 0) {
            table[at] = part == 0 ? root.real() : root.imag();
          }
        }
      }
    }
    twiddles.push_back(k.table(table, element));
  }
}

SplitArray ComplexFft::buffer(unsigned number) {
  if (inner) {
    return inner->buffer(number);
  }
  SplitArray &array = buffers[number];
  if (!array.re) {
    // Vectors of a row may reach beyond its end.
    array = {k.scratch(length + lanes, element), k.scratch(length + lanes, element)};
  }
  return array;
}

bool ComplexFft::storesOnce() const {
  if (inner) {
    return length % lanesFor(length, lanes) == 0;
  }
  const FftPass &last = passes.back();
  return passes.size() == 1 || last.stride % last.lanes(machine) == 0;
}

void ComplexFft::emit(FftLoad load, FftStore store) {
  if (inner) {
    return emitChirp(load, store);
  }
  emitFirst(load, store);
  for (size_t number = 1; number < passes.size(); ++number) {
    emitLater(number, store);
  }
}

void ComplexFft::emitButLast(FftLoad load) {
  auto none = [](Value, int64_t, Complex) {};
  emitFirst(load, none);
  for (size_t number = 1; number + 1 < passes.size(); ++number) {
    emitLater(number, none);
  }
}

Complexes ComplexFft::emitColumns(Value column, int64_t vector) {
  const FftPass &pass = passes.back();
  Complexes x = held;
  if (!x.empty()) {
    return FftArithmetic(k, element, vector).transform(x);
  }
  SplitArray source = buffer((passes.size() - 2) % 2);
  for (int64_t r = 0; r < pass.radix; ++r) {
    x.push_back(source.load(k, k.add(column, pass.stride * r), vector));
  }
  return FftArithmetic(k, element, vector).transform(x);
}

bool ComplexFft::staysInRegisters() const {
  int64_t radix = passes[0].radix;
  return passes.size() == 2 && radix > 1 && radix == passes[0].lanes(machine) &&
         passes[1].radix <= radix && radix == passes[1].lanes(machine);
}

void ComplexFft::storeRows(const Complexes &rows, SplitArray target, Value at, int64_t vector,
                           int64_t active) {
  Values re, im;
  for (Complex row : rows) {
    re.push_back(row.re);
    im.push_back(row.im);
  }
  storeAcross(k, re, target.re, at, vector, active);
  storeAcross(k, im, target.im, at, vector, active);
}

void ComplexFft::emitFirst(FftLoad load, FftStore store) {
  const FftPass &pass = passes.front();
  int64_t vector = pass.lanes(machine), rest = pass.rest, active = std::min(vector, rest);
  FftArithmetic a(k, element, vector);
  forVectors(k, rest, active, [&](Value j) {
    Complexes x;
    for (int64_t r = 0; r < pass.radix; ++r) {
      // What is behind a row's end is the next row's.
      bool isInside = active == vector || rest * r + vector <= length;
      x.push_back(load(k.add(j, rest * r), vector, isInside ? -1 : active));
    }
    x = a.transform(x);
    if (rest == 1) {
      for (auto [t, value] : llvm::enumerate(x)) {
        store(k.index(t), 1, value);
      }
      return;
    }
    if (staysInRegisters()) {
      return hold(x);
    }
    for (int64_t t = 1; t < pass.radix; ++t) {
      Value re = loadLanes(k, twiddles[0], k.add(j, 2 * (t - 1) * rest), vector);
      Value im = loadLanes(k, twiddles[0], k.add(j, (2 * t - 1) * rest), vector);
      x[t] = a.mul(x[t], {re, im});
    }
    storeRows(x, buffer(0), k.mul(j, pass.radix), vector, active);
  });
}

void ComplexFft::hold(const Complexes &rows) {
  Values re, im;
  for (Complex row : rows) {
    re.push_back(row.re);
    im.push_back(row.im);
  }
  re = transposed(k, re);
  im = transposed(k, im);
  int64_t vector = passes[0].radix;
  FftArithmetic a(k, element, vector);
  held = {{re[0], im[0]}};
  // Here there are fewer rows than before.
  for (int64_t j = 1; j < passes[0].rest; ++j) {
    Value c = loadLanes(k, twiddles[0], k.index(2 * (j - 1) * vector), vector);
    Value s = loadLanes(k, twiddles[0], k.index((2 * j - 1) * vector), vector);
    held.push_back(a.mul({re[j], im[j]}, {c, s}));
  }
}

void ComplexFft::emitLater(size_t number, FftStore store) {
  const FftPass &pass = passes[number];
  int64_t vector = pass.lanes(machine), stride = pass.stride, count = 2 * (pass.radix - 1);
  SplitArray source = held.empty() ? buffer((number - 1) % 2) : SplitArray();
  FftArithmetic a(k, element, vector);
  auto broadcast = [&](Value at) {
    return k.broadcast(k.load(twiddles[number], at), vector == 1 ? 0 : vector);
  };
  k.loop(0, pass.rest, 1, [&](Value j) {
    Complexes factors;
    Value first = k.mul(j, count);
    for (int64_t t = 1; t < pass.radix && pass.rest > 1; ++t) {
      factors.push_back({broadcast(k.add(first, 2 * t - 2)), broadcast(k.add(first, 2 * t - 1))});
    }
    Value from = k.mul(j, stride), to = k.mul(j, stride * pass.radix);
    forVectors(k, stride, vector, [&](Value i) {
      Complexes x = held;
      Value start = k.add(from, i), end = k.add(to, i);
      for (int64_t r = 0; r < pass.radix && held.empty(); ++r) {
        x.push_back(source.load(k, k.add(start, stride * pass.rest * r), vector));
      }
      x = a.transform(x);
      for (int64_t t = 0; t < pass.radix; ++t) {
        Complex value = t > 0 && pass.rest > 1 ? a.mul(x[t], factors[t - 1]) : x[t];
        Value at = k.add(end, stride * t);
        if (number + 1 < passes.size()) {
          buffer(number % 2).store(k, at, value);
        } else {
          store(at, vector, value);
        }
      }
    });
  });
}

/// The transform of `x` in double precision; the length is a product of small
/// primes.
static std::vector<std::complex<double>> transformed(ArrayRef<std::complex<double>> x) {
  auto n = static_cast<int64_t>(x.size());
  if (n == 1) {
    return x;
  }
  int64_t p = n % 2 == 0 ? 2 : n % 3 == 0 ? 3 : 5, m = n / p;
  std::vector<std::complex<double>> result(n);
  for (int64_t r = 0; r < p; ++r) {
    std::vector<std::complex<double>> part;
    for (int64_t j = 0; j < m; ++j) {
      part.push_back(x[p * j + r]);
    }
    part = transformed(part);
    for (int64_t bin = 0; bin < n; ++bin) {
      result[bin] += part[bin % m] * std::conj(rootOfUnity(bin * r, n));
    }
  }
  return result;
}

void ComplexFft::makeChirp() {
  int64_t size = goodFftLength(2 * length - 1);
  inner = std::make_unique<ComplexFft>(k, element, size);
  auto tableOf = [&](ArrayRef<std::complex<double>> values) -> SplitArray {
    std::vector<double> re, im;
    for (std::complex<double> value : values) {
      re.push_back(value.real());
      im.push_back(value.imag());
    }
    return {k.table(re, element), k.table(im, element)};
  };
  // k j = (k^2 + j^2 - (k - j)^2) / 2
  std::vector<std::complex<double>> turns, response(size);
  for (int64_t j = 0; j < length; ++j) {
    std::complex<double> root = rootOfUnity(j * j, 2 * length);
    turns.push_back(std::conj(root));
    response[j] = response[(size - j) % size] = root / static_cast<double>(size);
  }
  chirp = tableOf(turns);
  filter = tableOf(transformed(response));
  work = {k.scratch(size, element), k.scratch(size, element)};
}

void ComplexFft::emitChirp(FftLoad load, FftStore store) {
  int64_t size = inner->length, fill = size - length;
  int64_t vector = lanesFor(length, lanes), border = lanesFor(fill, lanes);
  FftArithmetic a(k, element, vector);
  forVectors(k, length, vector, [&](Value at) {
    work.store(k, at, a.mul(load(at, vector, -1), chirp.load(k, at, vector)));
  });
  Type zeros = border == 1 ? element : Type(VectorType::get({border}, element));
  Value zero = k.constant(zeros, 0);
  forVectors(k, fill, border, [&](Value at) { work.store(k, k.add(at, length), {zero, zero}); });
  auto source = [&](Value at, int64_t count, int64_t active) {
    return work.load(k, at, count, active);
  };
  inner->emit(source, [&](Value at, int64_t count, Complex x) {
    FftArithmetic b(k, element, count);
    work.store(k, at, b.mul(x, filter.load(k, at, count)).swapped());
  });
  inner->emit(source, [&](Value at, int64_t count, Complex x) { work.store(k, at, x); });
  forVectors(k, length, vector, [&](Value at) {
    store(at, vector, a.mul(work.load(k, at, vector).swapped(), chirp.load(k, at, vector)));
  });
}
