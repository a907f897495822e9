//===- FftCodelets.cpp - small Fourier transforms in registers ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/cpu/FftCodelets.h"
#include "ir/ops/SpectralTable.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
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

Complex FftArithmetic::rotate(Complex x, int64_t turns, int64_t n) {
  turns %= n;
  std::complex<double> root = std::conj(rootOfUnity(turns, n));
  if (turns == 0) {
    return x;
  }
  if (2 * turns == n) {
    return {neg(x.re), neg(x.im)};
  }
  if (4 * turns == n) { // times -i
    return {x.im, neg(x.re)};
  }
  if (4 * turns == 3 * n) { // times i
    return {neg(x.im), x.re};
  }
  if (8 * turns % n == 0) {
    // Equal magnitudes: one product per part.
    double size = std::abs(root.real());
    bool positive = root.real() > 0, upper = root.imag() > 0;
    Value sum = mul(add(x.re, x.im), size), difference = mul(sub(x.re, x.im), size);
    // (a + i b)(1 - i) = (a + b) + i (b - a); (a + i b)(-1 - i) = (b - a) - i (a + b)
    if (!upper) {
      return positive ? Complex{sum, neg(difference)} : Complex{neg(difference), neg(sum)};
    }
    return positive ? Complex{difference, sum} : Complex{neg(sum), difference};
  }
  return {sub(mul(x.re, root.real()), mul(x.im, root.imag())),
          add(mul(x.re, root.imag()), mul(x.im, root.real()))};
}

Complexes FftArithmetic::transformFour(ArrayRef<Complex> x) {
  Complex a = add(x[0], x[2]), b = sub(x[0], x[2]), c = add(x[1], x[3]), d = sub(x[1], x[3]);
  return {
      add(a, c), {add(b.re, d.im), sub(b.im, d.re)}, sub(a, c), {sub(b.re, d.im), add(b.im, d.re)}};
}

/// Pairs of elements that mirror each other share their products.
Complexes FftArithmetic::transformPrime(ArrayRef<Complex> x) {
  int64_t p = x.size(), half = (p - 1) / 2;
  Complexes sums, differences, result(p);
  Complex total = x[0];
  for (int64_t j = 1; j <= half; ++j) {
    sums.push_back(add(x[j], x[p - j]));
    differences.push_back(sub(x[j], x[p - j]));
    total = add(total, sums.back());
  }
  result[0] = total;
  for (int64_t bin = 1; bin <= half; ++bin) {
    Complex even = x[0], odd;
    for (int64_t j = 1; j <= half; ++j) {
      std::complex<double> root = rootOfUnity(j * bin, p);
      even = add(even, mul(sums[j - 1], root.real()));
      Complex term = mul(differences[j - 1], root.imag());
      odd = j == 1 ? term : add(odd, term);
    }
    // even - i odd, even + i odd
    result[bin] = {add(even.re, odd.im), sub(even.im, odd.re)};
    result[p - bin] = {sub(even.re, odd.im), add(even.im, odd.re)};
  }
  return result;
}

Complexes FftArithmetic::transform(ArrayRef<Complex> x) {
  int64_t n = x.size(), p = fftFactor(n), m = n / p;
  if (n == 1) {
    return Complexes(x);
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
  SmallVector<Complexes, 0> rows(p, Complexes(m));
  for (int64_t j = 0; j < m; ++j) {
    Complexes column;
    for (int64_t r = 0; r < p; ++r) {
      column.push_back(x[isCoprime ? (m * r + p * j) % n : m * r + j]);
    }
    column = transform(column);
    for (int64_t t = 0; t < p; ++t) {
      rows[t][j] = isCoprime ? column[t] : rotate(column[t], j * t, n);
    }
  }
  Complexes result(n);
  for (Complexes &row : rows) {
    row = transform(row);
  }
  for (int64_t bin = 0; bin < n; ++bin) {
    result[bin] = isCoprime ? rows[bin % p][bin % m] : rows[bin % p][bin / p];
  }
  return result;
}
