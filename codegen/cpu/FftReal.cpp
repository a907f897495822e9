//===- FftReal.cpp - Fourier transforms of real sequences -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/cpu/FftReal.h"
#include "codegen/cpu/FftShuffles.h"
#include "ir/ops/SpectralTable.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace modelc;

RealFft::RealFft(KernelBuilder &k, Type element, int64_t length, bool isInverse)
    : k(k), element(element), length(length), half(k, element, length / 2),
      vector(lanesFor(length / 4, k.lanes(element))) {
  if (length < 4) {
    return;
  }
  // Forward sums are twice what they should be, inverse ones lack the division.
  double scale = isInverse ? 1.0 / static_cast<double>(length) : 0.5;
  std::vector<double> cosines, sines;
  for (int64_t bin = 0; bin <= length / 4; ++bin) {
    std::complex<double> root = rootOfUnity(bin, length) * scale;
    cosines.push_back(root.real());
    sines.push_back(root.imag());
  }
  cosine = k.table(cosines, element);
  sine = k.table(sines, element);
}

void RealFft::forBins(function_ref<void(Value bin, Value mirror)> body) {
  int64_t count = length / 4;
  if (count == 0) {
    return;
  }
  forVectors(k, count, vector, [&](Value at) {
    Value mirror = k.builder().create<arith::SubIOp>(k.index(length / 2 - vector), at);
    body(k.add(at, 1), mirror);
  });
}

void RealFft::emitForward(FftLoad loadPairs, BinStore store, bool isFull) {
  SplitArray z = half.output();
  half.emit(loadPairs, [&](Value at, int64_t, Complex value) { z.store(k, at, value); });
  FftArithmetic one(k, element, 1), a(k, element, vector);
  Value zero = k.constant(element, 0);
  Complex first = z.load(k, k.index(0), 1);
  store(k.index(0), 1, {one.add(first.re, first.im), zero}, false);
  store(k.index(length / 2), 1, {one.sub(first.re, first.im), zero}, false);
  // Even samples have the spectrum (z + z') / 2, odd ones (z - z') / 2i, where
  // z' is the conjugate of the mirrored bin.
  forBins([&](Value bin, Value mirror) {
    Complex x = z.load(k, bin, vector), y = z.load(k, mirror, vector);
    y = {reversed(k, y.re), reversed(k, y.im)};
    Value c = loadLanes(k, cosine, bin, vector), s = loadLanes(k, sine, bin, vector);
    Value evenRe = a.add(x.re, y.re), evenIm = a.sub(x.im, y.im);
    Value oddRe = a.add(x.im, y.im), oddIm = a.sub(y.re, x.re);
    Value re = a.add(a.mul(c, oddRe), a.mul(s, oddIm));
    Value im = a.sub(a.mul(c, oddIm), a.mul(s, oddRe));
    Value halfRe = a.mul(evenRe, 0.5), halfIm = a.mul(evenIm, 0.5);
    emitMirrored(bin, mirror, vector, {a.add(halfRe, re), a.add(halfIm, im)},
                 {a.sub(halfRe, re), a.sub(im, halfIm)}, store, isFull);
  });
}

void RealFft::emitMirrored(Value bin, Value mirror, int64_t lanes, Complex low, Complex high,
                           BinStore store, bool isFull) {
  store(bin, lanes, low, false);
  store(mirror, lanes, high, true);
  if (isFull) {
    FftArithmetic a(k, element, lanes);
    ImplicitLocOpBuilder &b = k.builder();
    // The upper side has the conjugates, in reverse order.
    store(b.create<arith::SubIOp>(k.index(length - lanes + 1), bin), lanes, {low.re, a.neg(low.im)},
          true);
    store(k.add(bin, length / 2), lanes, {high.re, a.neg(high.im)}, false);
  }
}

void RealFft::emitInverse(BinLoad load, FftStore storePairs) {
  SplitArray z = half.input();
  FftArithmetic one(k, element, 1), a(k, element, vector);
  double scale = 1.0 / static_cast<double>(length);
  Value first = one.mul(load(k.index(0), 1).re, scale);
  Value middle = one.mul(load(k.index(length / 2), 1).re, scale);
  z.store(k, k.index(0), {one.add(first, middle), one.sub(first, middle)});
  forBins([&](Value bin, Value mirror) {
    Complex x = load(bin, vector), y = load(mirror, vector);
    y = {reversed(k, y.re), reversed(k, y.im)};
    Value c = loadLanes(k, cosine, bin, vector), s = loadLanes(k, sine, bin, vector);
    Value evenRe = a.mul(a.add(x.re, y.re), scale), evenIm = a.mul(a.sub(x.im, y.im), scale);
    Value re = a.sub(x.re, y.re), im = a.add(x.im, y.im);
    Value oddRe = a.sub(a.mul(re, c), a.mul(im, s)), oddIm = a.add(a.mul(re, s), a.mul(im, c));
    z.store(k, bin, {a.sub(evenRe, oddIm), a.add(evenIm, oddRe)});
    z.store(k, mirror, {reversed(k, a.add(evenRe, oddIm)), reversed(k, a.sub(oddRe, evenIm))});
  });
  half.emit(
      [&](Value at, int64_t lanes) { return z.load(k, at, lanes).swapped(); },
      [&](Value at, int64_t lanes, Complex value) { storePairs(at, lanes, value.swapped()); });
}
