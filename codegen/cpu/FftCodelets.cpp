//===- FftCodelets.cpp - small Fourier transforms in registers ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/cpu/FftCodelets.h"
#include "ir/ops/SpectralTable.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <numeric>

using namespace mlir;
using namespace modelc;

static constexpr arith::FastMathFlags contract = arith::FastMathFlags::contract;

int64_t modelc::fftFactor(int64_t n) {
  for (int64_t p : {4, 2, 3, 5, 7, 11, 13}) {
    if (n % p == 0) {
      return p;
    }
  }
  return n;
}

double modelc::fftCodeletCost(int64_t n) {
  int64_t p = fftFactor(n), m = n / p;
  if (n == 1) {
    return 0;
  }
  if (m > 1) {
    double rotations = std::gcd(p, m) == 1 ? 0 : 3.5 * static_cast<double>((p - 1) * (m - 1));
    return static_cast<double>(m) * fftCodeletCost(p) + static_cast<double>(p) * fftCodeletCost(m) +
           rotations;
  }
  if (p == 4) {
    return 16;
  }
  if (p == 2) {
    return 4;
  }
  auto half = static_cast<double>((p - 1) / 2);
  return 4 * half * half + 10 * half;
}

FftArithmetic::FftArithmetic(KernelBuilder &k, Type element, int64_t lanes)
    : k(k), type(lanes == 1 ? element : Type(VectorType::get({lanes}, element))) {}

Value FftArithmetic::add(Value x, Value y) {
  return k.builder().create<arith::AddFOp>(x, y, contract);
}

Value FftArithmetic::sub(Value x, Value y) {
  return k.builder().create<arith::SubFOp>(x, y, contract);
}

Value FftArithmetic::mul(Value x, Value y) {
  return k.builder().create<arith::MulFOp>(x, y, contract);
}

Value FftArithmetic::mul(Value x, double y) {
  return y == 1 ? x : mul(x, k.constant(type, y));
}

Value FftArithmetic::neg(Value x) {
  return k.builder().create<arith::NegFOp>(x, contract);
}

Complex FftArithmetic::mul(Complex x, Complex y) {
  return {sub(mul(x.re, y.re), mul(x.im, y.im)), add(mul(x.re, y.im), mul(x.im, y.re))};
}

Value FftArithmetic::mulAdd(Value x, Value y, double factor) {
  if (std::abs(factor) == 1) {
    return factor > 0 ? add(x, y) : sub(x, y);
  }
  ImplicitLocOpBuilder &b = k.builder();
  Value size = k.constant(type, std::abs(factor));
  if (!k.target().getHasFma()) {
    return factor > 0 ? add(x, mul(y, size)) : sub(x, mul(y, size));
  }
  return b.create<math::FmaOp>(factor > 0 ? y : neg(y), size, x);
}

Value FftArithmetic::mulSub(Value x, double factor, Value y) {
  if (!k.target().getHasFma() || factor == 1) {
    return sub(mul(x, factor), y);
  }
  return k.builder().create<math::FmaOp>(x, k.constant(type, factor), neg(y));
}

ScaledComplex FftArithmetic::add(const ScaledComplex &x, const ScaledComplex &y) {
  if (y.scale == 1 && x.scale != 1) {
    return add(y, x);
  }
  double ratio = y.scale / x.scale;
  return {{mulAdd(x.value.re, y.value.re, ratio), mulAdd(x.value.im, y.value.im, ratio)}, x.scale};
}

ScaledComplex FftArithmetic::sub(const ScaledComplex &x, const ScaledComplex &y) {
  if (y.scale == 1 && x.scale != 1) {
    return {{mulSub(x.value.re, x.scale, y.value.re), mulSub(x.value.im, x.scale, y.value.im)}, 1};
  }
  return add(x, {y.value, -y.scale});
}

ScaledComplex FftArithmetic::turned(const ScaledComplex &x) {
  return {{x.value.im, neg(x.value.re)}, x.scale};
}

ScaledComplex FftArithmetic::rotate(ScaledComplex x, int64_t turns, int64_t n) {
  turns %= n;
  if (2 * turns >= n) {
    return rotate({x.value, -x.scale}, 2 * turns - n, 2 * n);
  }
  if (4 * turns >= n) {
    return rotate(turned(x), 4 * turns - n, 4 * n);
  }
  if (turns == 0) {
    return x;
  }
  // c - i s = c (1 - i s / c), or s (c / s - i) if that has the smaller ratio.
  std::complex<double> root = rootOfUnity(turns, n);
  Complex v = x.value;
  if (root.real() >= root.imag()) {
    double ratio = root.imag() / root.real();
    return {{mulAdd(v.re, v.im, ratio), mulAdd(v.im, v.re, -ratio)}, x.scale * root.real()};
  }
  double ratio = root.real() / root.imag();
  return {{mulAdd(v.im, v.re, ratio), mulSub(v.im, ratio, v.re)}, x.scale * root.imag()};
}

ScaledComplexes FftArithmetic::transformFour(const ScaledComplexes &x) {
  ScaledComplex a = add(x[0], x[2]), b = sub(x[0], x[2]), c = add(x[1], x[3]);
  ScaledComplex d = turned(sub(x[1], x[3]));
  return {add(a, c), add(b, d), sub(a, c), sub(b, d)};
}

/// Pairs of elements that mirror each other share their products.
ScaledComplexes FftArithmetic::transformPrime(const ScaledComplexes &x) {
  int64_t p = x.size(), half = (p - 1) / 2;
  ScaledComplexes sums, differences, result(p);
  ScaledComplex total = x[0];
  for (int64_t j = 1; j <= half; ++j) {
    sums.push_back(add(x[j], x[p - j]));
    differences.push_back(sub(x[j], x[p - j]));
    total = add(total, sums.back());
  }
  result[0] = total;
  for (int64_t bin = 1; bin <= half; ++bin) {
    ScaledComplex even = x[0], odd;
    for (int64_t j = 1; j <= half; ++j) {
      std::complex<double> root = rootOfUnity(j * bin, p);
      ScaledComplex &sum = sums[j - 1], &difference = differences[j - 1];
      even = add(even, {sum.value, sum.scale * root.real()});
      ScaledComplex term{difference.value, difference.scale * root.imag()};
      odd = j == 1 ? term : add(odd, term);
    }
    odd = turned(odd);
    result[bin] = add(even, odd);
    result[p - bin] = sub(even, odd);
  }
  return result;
}

Complexes FftArithmetic::transform(ArrayRef<Complex> x) {
  ScaledComplexes values;
  for (Complex element : x) {
    values.push_back({element});
  }
  Complexes result;
  for (const ScaledComplex &element : transform(values)) {
    result.push_back(mul(element.value, element.scale));
  }
  return result;
}

ScaledComplexes FftArithmetic::transform(const ScaledComplexes &x) {
  int64_t n = x.size(), p = fftFactor(n), m = n / p;
  if (n == 1) {
    return x;
  }
  if (n == 2) {
    return {add(x[0], x[1]), sub(x[0], x[1])};
  }
  if (n == 4) {
    return transformFour(x);
  }
  if (m == 1) {
    return transformPrime(x);
  }
  // Without a common divisor the two dimensions need no rotation between them:
  // element (m r + p j) mod n goes to the bin that is k mod p and k mod m.
  bool isCoprime = std::gcd(p, m) == 1;
  SmallVector<ScaledComplexes, 0> rows(p, ScaledComplexes(m));
  for (int64_t j = 0; j < m; ++j) {
    ScaledComplexes column;
    for (int64_t r = 0; r < p; ++r) {
      column.push_back(x[isCoprime ? (m * r + p * j) % n : m * r + j]);
    }
    column = transform(column);
    for (int64_t t = 0; t < p; ++t) {
      rows[t][j] = isCoprime ? column[t] : rotate(column[t], j * t, n);
    }
  }
  ScaledComplexes result(n);
  for (ScaledComplexes &row : rows) {
    row = transform(row);
  }
  for (int64_t bin = 0; bin < n; ++bin) {
    result[bin] = isCoprime ? rows[bin % p][bin % m] : rows[bin % p][bin / p];
  }
  return result;
}
