//===- FftReal.cpp - Fourier transforms of real sequences -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/cpu/FftReal.h"
#include "codegen/cpu/FftShuffles.h"
#include "ir/ops/SpectralTable.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace modelc;

RealFft::RealFft(KernelBuilder &k, Type element, int64_t length, bool isInverse)
    : k(k), element(element), length(length), half(k, element, length / 2),
      vector(lanesFor(length / 4, k.lanes(element))), width(k.lanes(element)) {
  if (length < 4) {
    return;
  }
  // Forward sums are twice what they should be, inverse ones lack the division.
  double scale = isInverse ? 1.0 / static_cast<double>(length) : 0.5;
  std::vector<double> cosines, sines;
  for (int64_t bin = 0; bin <= length / 4 + width; ++bin) {
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

/// The lanes of `next` and `row` reversed, after the first of `next`: those that
/// mirror a row whose neighbours they are.
static Value mirrored(KernelBuilder &k, Value row, Value next) {
  int64_t count = cast<VectorType>(row.getType()).getDimSize(0);
  SmallVector<int64_t> lanes = {count};
  for (int64_t lane = count - 1; lane > 0; --lane) {
    lanes.push_back(lane);
  }
  return k.builder().create<vector::ShuffleOp>(row, next, lanes);
}

void RealFft::emitForward(FftLoad loadPairs, BinStore store, bool isFull) {
  if (const FftPass *last = half.lastPass()) {
    bool isRow = last->stride == width && width > 1 && !isFull;
    // Two blocks of columns are in registers at a time. (Scalars spill for less
    // than the loads and stores that this saves.)
    bool fits = width == 1 || 4 * last->radix < k.target().getVectorRegisters();
    if (isRow || (last->stride >= 2 * width && fits)) {
      half.emitButLast(loadPairs);
      return isRow ? emitRows(store) : emitColumns(store, isFull);
    }
  }
  SplitArray z = half.output();
  half.emit(loadPairs, [&](Value at, int64_t, Complex value) { z.store(k, at, value); });
  emitEnds(z.load(k, k.index(0), 1), store);
  forBins([&](Value bin, Value mirror) {
    Complex x = z.load(k, bin, vector), y = z.load(k, mirror, vector);
    emitBins(bin, mirror, vector, x, {reversed(k, y.re), reversed(k, y.im)}, store, isFull);
  });
}

void RealFft::emitEnds(Complex first, BinStore store) {
  FftArithmetic one(k, element, 1);
  Value zero = k.constant(element, 0);
  store(k.index(0), 1, {one.add(first.re, first.im), zero}, false);
  store(k.index(length / 2), 1, {one.sub(first.re, first.im), zero}, false);
}

void RealFft::emitMiddle(Complex x, BinStore store, bool isFull) {
  FftArithmetic one(k, element, 1);
  store(k.index(length / 4), 1, {x.re, one.neg(x.im)}, false);
  if (isFull) {
    store(k.index(length / 2 + length / 4), 1, x, false);
  }
}

void RealFft::emitRows(BinStore store) {
  ImplicitLocOpBuilder &b = k.builder();
  Complexes rows = half.emitColumns(k.index(0), width);
  auto count = static_cast<int64_t>(rows.size());
  for (int64_t t = 0; t < (count + 1) / 2; ++t) {
    int64_t other = count - 1 - t;
    const Complex &row = rows[other], &next = rows[(other + 1) % count];
    Complex y = {mirrored(k, row.re, next.re), mirrored(k, row.im, next.im)};
    emitBins(k.index(t * width), k.index(other * width + 1), width, rows[t], y, store, false);
  }
  if (count % 2 == 0) {
    const Complex &row = rows[count / 2];
    emitMiddle({b.create<vector::ExtractOp>(row.re, 0), b.create<vector::ExtractOp>(row.im, 0)},
               store, false);
  }
}

void RealFft::emitColumns(BinStore store, bool isFull) {
  ImplicitLocOpBuilder &b = k.builder();
  const FftPass &last = *half.lastPass();
  int64_t stride = last.stride, count = last.radix, columns = stride / 2;
  Complexes first = half.emitColumns(k.index(0), 1);
  emitEnds(first[0], store);
  for (int64_t t = 1; t < (count + 1) / 2; ++t) {
    emitBins(k.index(t * stride), k.index((count - t) * stride), 1, first[t], first[count - t],
             store, isFull);
  }
  if (count % 2 == 0) {
    emitMiddle(first[count / 2], store, isFull);
  }
  int64_t lanes = lanesFor(columns, width);
  forVectors(k, columns, lanes, [&](Value at) {
    Value column = k.add(at, 1);
    Value mirror = b.create<arith::SubIOp>(k.index(stride - lanes), at);
    Complexes low = half.emitColumns(column, lanes), high = half.emitColumns(mirror, lanes);
    for (int64_t t = 0; t < count; ++t) {
      int64_t other = count - 1 - t;
      Value bin = k.add(column, t * stride), mirrorBin = k.add(mirror, other * stride);
      Complex x = low[t], y = high[other];
      if (t <= other) {
        y = {reversed(k, y.re), reversed(k, y.im)};
        emitBins(bin, mirrorBin, lanes, x, y, store, isFull);
      } else {
        x = {reversed(k, x.re), reversed(k, x.im)};
        emitBins(mirrorBin, bin, lanes, y, x, store, isFull);
      }
    }
  });
}

// Even samples have the spectrum (z + z') / 2, odd ones (z - z') / 2i, where z'
// is the conjugate of the mirrored bin.
void RealFft::emitBins(Value bin, Value mirror, int64_t lanes, Complex x, Complex y, BinStore store,
                       bool isFull) {
  FftArithmetic a(k, element, lanes);
  Value c = loadLanes(k, cosine, bin, lanes), s = loadLanes(k, sine, bin, lanes);
  Value evenRe = a.add(x.re, y.re), evenIm = a.sub(x.im, y.im);
  Value oddRe = a.add(x.im, y.im), oddIm = a.sub(y.re, x.re);
  Value re = a.add(a.mul(c, oddRe), a.mul(s, oddIm));
  Value im = a.sub(a.mul(c, oddIm), a.mul(s, oddRe));
  emitMirrored(bin, mirror, lanes, {a.mulAdd(re, evenRe, 0.5), a.mulAdd(im, evenIm, 0.5)},
               {a.mulSub(evenRe, 0.5, re), a.mulAdd(im, evenIm, -0.5)}, store, isFull);
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
      [&](Value at, int64_t lanes, int64_t) { return z.load(k, at, lanes).swapped(); },
      [&](Value at, int64_t lanes, Complex value) { storePairs(at, lanes, value.swapped()); });
}
