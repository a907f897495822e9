//===- SpectralLoops.cpp - Fourier transforms as sums ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/Scalars.h"
#include "ir/ops/Infer.h"
#include "ir/ops/LoopHelpers.h"
#include "ir/ops/SpectralTable.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace modelc;
using loops::Carried;
using loops::Span;

/// Terms that are added one after the other; the sums of such blocks are added
/// in turn, so that rounding errors grow with the root of the root of the length.
static constexpr int64_t blockTerms = 64;

namespace {
/// The sums of one length and direction.
class DirectTransform {
public:
  /// Part `part` (0: real, 1: imaginary) of input element `row`.
  using Read = llvm::function_ref<Value(Value row, unsigned part)>;

  DirectTransform(ImplicitLocOpBuilder &b, Type type, int64_t length, bool isInverse)
      : b(b), type(type), length(length), isInverse(isInverse) {
    std::vector<double> cosines, sines;
    for (int64_t k = 0; k < length; ++k) {
      std::complex<double> root = rootOfUnity(k, length);
      cosines.push_back(root.real());
      sines.push_back(isInverse ? root.imag() : -root.imag());
    }
    cosine = constantTable(b, cosines, type);
    sine = constantTable(b, sines, type);
  }

  /// Both parts of result element `bin`, from input elements 0 .. rows-1.
  Carried full(Value bin, int64_t rows, unsigned parts, Read read) {
    Carried total = sum(bin, 0, std::min(rows, length), parts, read);
    if (isInverse) {
      Value scale = constant(1.0 / static_cast<double>(length));
      return {scalar::mul(b, total[0], scale), scalar::mul(b, total[1], scale)};
    }
    return total;
  }

  /// Sample `bin` of the real inverse, from the bins 0 .. rows-1 of one side.
  Value half(Value bin, int64_t rows, Read read) {
    Value first = read(indexing::constant(b, 0), 0);
    Carried inner = sum(bin, 1, std::min(rows, (length + 1) / 2), 2, read);
    Value total = scalar::add(b, first, scalar::mul(b, inner[0], constant(2)));
    if (length % 2 == 0 && rows > length / 2) {
      Value middle = indexing::constant(b, length / 2);
      // (-1)^bin
      Value odd = indexing::rem(b, bin, 2);
      Value isEven = indexing::less(b, odd, indexing::constant(b, 1));
      Value sign = b.create<arith::SelectOp>(isEven, constant(1), constant(-1));
      total = scalar::add(b, total, scalar::mul(b, read(middle, 0), sign));
    }
    return scalar::mul(b, total, constant(1.0 / static_cast<double>(length)));
  }

private:
  Value constant(double value) { return scalar::constant(b, type, value); }

  /// The next multiple of `bin` modulo the length.
  Value advance(Value phase, Value bin) {
    Value next = indexing::add(b, phase, bin), n = indexing::constant(b, length);
    Value isInside = indexing::less(b, next, n);
    return indexing::select(b, isInside, next, indexing::sub(b, next, n));
  }

  /// Sums over the rows first .. last-1.
  Carried sum(Value bin, int64_t first, int64_t last, unsigned parts, Read read) {
    Value zero = constant(0);
    // Row 0 is at phase 0, row 1 at phase `bin`.
    Carried start{zero, zero, first == 0 ? indexing::constant(b, 0) : bin};
    if (last <= first) {
      return {zero, zero};
    }
    int64_t blocks = llvm::divideCeil(last - first, blockTerms);
    Span all{indexing::constant(b, 0), indexing::constant(b, blocks)};
    Carried total =
        loops::reduceRange(b, all, start, [&](Value block, ValueRange outer) -> Carried {
          Value lower = indexing::add(b, indexing::mul(b, block, blockTerms), first);
          Value upper = indexing::add(b, lower, std::min(blockTerms, last - first));
          Span rows{lower, loops::minimum(b, upper, indexing::constant(b, last))};
          Carried inner = loops::reduceRange(b, rows, {zero, zero, outer[2]},
                                             [&](Value row, ValueRange carried) -> Carried {
                                               return term(carried, row, bin, parts, read);
                                             });
          return {scalar::add(b, outer[0], inner[0]), scalar::add(b, outer[1], inner[1]), inner[2]};
        });
    return {total[0], total[1]};
  }

  Carried term(ValueRange carried, Value row, Value bin, unsigned parts, Read read) {
    Value c = b.create<memref::LoadOp>(cosine, carried[2]);
    Value s = b.create<memref::LoadOp>(sine, carried[2]);
    Value x = read(row, 0);
    Value re = scalar::mulAdd(b, x, c, carried[0]), im = scalar::mulAdd(b, x, s, carried[1]);
    if (parts == 2) {
      Value y = read(row, 1);
      re = scalar::mulAdd(b, scalar::neg(b, y), s, re);
      im = scalar::mulAdd(b, y, c, im);
    }
    return {re, im, advance(carried[2], bin)};
  }

  ImplicitLocOpBuilder &b;
  Type type;
  int64_t length;
  bool isInverse;
  Value cosine, sine;
};
} // namespace

static SmallVector<Value> append(ValueRange indices, Value x, Value y) {
  SmallVector<Value> all(indices);
  all.append({x, y});
  return all;
}

static void writeParts(ImplicitLocOpBuilder &b, KernelIO &io, ValueRange at,
                       ArrayRef<Value> parts) {
  for (auto [number, value] : llvm::enumerate(parts)) {
    SmallVector<Value> indices(at);
    indices.push_back(indexing::constant(b, number));
    io.write(0, indices, value);
  }
}

void DftOp::buildLoops(ImplicitLocOpBuilder &b, KernelIO &io) {
  Type type = computeType(elementOf(getX()));
  DirectTransform transform(b, type, getLength(), getInverse());
  ArrayRef<int64_t> shape = shapeOf(getX());
  int64_t samples = shape[shape.size() - 2];
  unsigned parts = shape.back();
  loops::forEach(b, shapeOf(getResult()).drop_back(), [&](ValueRange at) {
    ValueRange outer = at.drop_back();
    Value bin = at.back();
    auto read = [&](Value row, unsigned part) {
      return io.read(0, append(outer, row, indexing::constant(b, part)));
    };
    if (samples == 0) {
      SmallVector<Value> zeros(shapeOf(getResult()).back(), scalar::constant(b, type, 0));
      writeParts(b, io, at, zeros);
    } else if (getOnesided() && getInverse()) {
      writeParts(b, io, at, transform.half(bin, samples, read));
    } else {
      writeParts(b, io, at, transform.full(bin, samples, parts, read));
    }
  });
}

void StftOp::buildLoops(ImplicitLocOpBuilder &b, KernelIO &io) {
  int64_t length = shapeOf(getWindow())[0];
  unsigned parts = shapeOf(getSignal()).back();
  DirectTransform transform(b, computeType(elementOf(getSignal())), length, /*isInverse=*/false);
  loops::forEach(b, shapeOf(getResult()).drop_back(), [&](ValueRange at) {
    Value start = indexing::mul(b, at[1], getFrameStep());
    auto read = [&](Value row, unsigned part) {
      Value sample = io.read(0, {at[0], indexing::add(b, start, row), indexing::constant(b, part)});
      return scalar::mul(b, sample, io.read(1, row));
    };
    writeParts(b, io, at, transform.full(at[2], length, parts, read));
  });
}

void IstftOp::buildLoops(ImplicitLocOpBuilder &b, KernelIO &io) {
  Type type = computeType(elementOf(getSpectrum()));
  int64_t length = shapeOf(getWindow())[0], step = getFrameStep();
  ArrayRef<int64_t> shape = shapeOf(getSpectrum());
  DirectTransform transform(b, type, length, /*isInverse=*/true);
  Value zero = scalar::constant(b, type, 0), none = indexing::constant(b, 0);
  loops::forEach(b, shapeOf(getResult()), [&](ValueRange at) {
    // The frames that cover the sample.
    Value before = indexing::add(b, at[1], step - length);
    Value first = indexing::div(b, loops::maximum(b, before, none), step);
    Value last =
        loops::minimum(b, indexing::div(b, at[1], step), indexing::constant(b, shape[1] - 1));
    Span frames{first, indexing::add(b, last, 1)};
    Carried total = loops::reduceRange(
        b, frames, {zero, zero}, [&](Value frame, ValueRange carried) -> Carried {
          Value position = indexing::sub(b, at[1], indexing::mul(b, frame, step));
          auto read = [&](Value row, unsigned part) {
            return io.read(0, {at[0], frame, row, indexing::constant(b, part)});
          };
          Value sample = transform.half(position, shape[2], read), window = io.read(1, position);
          return {scalar::mulAdd(b, sample, window, carried[0]),
                  scalar::mulAdd(b, window, window, carried[1])};
        });
    Value result = total[0];
    if (getNormalize()) {
      Value least = scalar::constant(b, type, 1e-20);
      Value isCovered = scalar::compare(b, scalar::Predicate::ge, total[1], least, false);
      Value divisor = b.create<arith::SelectOp>(isCovered, total[1], scalar::constant(b, type, 1));
      result = scalar::div(b, result, divisor, false);
    }
    io.write(0, at, result);
  });
}
