//===- ResizeElements.cpp - an element of a resized tensor ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/Scalars.h"
#include "ir/ops/Infer.h"
#include "ir/ops/LoopHelpers.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace modelc;
using loops::Carried;

namespace {
/// A source coordinate as a function of the result's index `o`: `slope * o + offset`.
struct Line {
  double slope, offset;
};

/// The same in integers, so that kernels need no floating point to find elements: `(o * factor +
/// term) / divisor`. The divisor is even, positive and at most 2^32.
struct Fraction {
  int64_t factor, term, divisor;

  int64_t numerator(int64_t o) const { return o * factor + term; }
};

/// An element that contributes to a result, and how much; no weight means all of it.
struct Tap {
  Value position, weight;
};
} // namespace

/// What ONNX's coordinate_transformation_mode says for dimension `d`.
static Line lineOf(ResizeOp op, size_t d) {
  double extent = shapeOf(op.getX())[d], count = op.getSizes()[d], scale = op.getScales()[d];
  // The extent before it was rounded to an integer.
  double exact = scale * extent;
  switch (op.getCoordinateMode()) {
  case CoordinateMode::HalfPixel:
    return {1 / scale, 0.5 / scale - 0.5};
  case CoordinateMode::HalfPixelSymmetric:
    return {1 / scale, extent / 2 * (1 - count / exact) + 0.5 / scale - 0.5};
  case CoordinateMode::PytorchHalfPixel:
    return exact == 1 ? Line{0, -0.5} : Line{1 / scale, 0.5 / scale - 0.5};
  case CoordinateMode::AlignCorners:
    return exact == 1 ? Line{0, 0} : Line{(extent - 1) / (exact - 1), 0};
  case CoordinateMode::Asymmetric:
    return {1 / scale, 0};
  case CoordinateMode::TfCropAndResize: {
    ArrayRef<double> roi = op.getRoi();
    size_t rank = op.getScales().size();
    double start = roi.size() == 2 * rank ? roi[d] : 0,
           end = roi.size() == 2 * rank ? roi[d + rank] : 1;
    if (exact == 1) {
      return {0, (start + end) * (extent - 1) / 2};
    }
    return {(end - start) * (extent - 1) / (exact - 1), start * (extent - 1)};
  }
  }
  llvm_unreachable("unknown coordinate mode");
}

/// A fraction with a small denominator that is equal to `value` up to the rounding of doubles, by
/// continued fractions; a denominator of 0 if there is none.
static std::pair<int64_t, int64_t> rationalOf(double value) {
  constexpr int64_t largest = 1 << 14;
  double rest = std::fabs(value);
  int64_t p = 1, previousP = 0, q = 0, previousQ = 1;
  for (int step = 0; step < 24 && rest < largest; ++step) {
    int64_t whole = static_cast<int64_t>(rest);
    std::tie(p, previousP) = std::make_pair(whole * p + previousP, p);
    std::tie(q, previousQ) = std::make_pair(whole * q + previousQ, q);
    if (q > largest || p > largest * largest) {
      break;
    }
    if (std::fabs(static_cast<double>(p) / q - std::fabs(value)) <= 1e-14 * std::fabs(value)) {
      return {value < 0 ? -p : p, q};
    }
    rest = 1 / (rest - static_cast<double>(whole));
  }
  return {0, 0};
}

/// Limits a number of the model so that all arithmetic on coordinates stays in 64 bits. What is
/// limited lies far outside any tensor.
static double limited(double value, double limit) {
  return std::isnan(value) ? 0 : std::clamp(value, -limit, limit);
}

static Fraction fractionOf(Line line, int64_t extent, int64_t count) {
  double limit = std::ldexp(1.0, 42); // four times the most elements that a tensor has
  line.slope = limited(line.slope, limit / std::max<int64_t>(count, 1));
  line.offset = limited(line.offset, limit);
  auto [slope, slopeDivisor] = rationalOf(line.slope);
  auto [offset, offsetDivisor] = rationalOf(line.offset);
  if (slopeDivisor != 0 && offsetDivisor != 0) {
    int64_t divisor = 2 * std::lcm(slopeDivisor, offsetDivisor);
    Fraction exact{slope * (divisor / slopeDivisor), offset * (divisor / offsetDivisor), divisor};
    // Indices of 32 bits hold all intermediate values.
    double largest =
        (std::max(std::fabs(line.slope * count), double(extent)) + std::fabs(line.offset) + 4) *
        divisor;
    if (largest < (1 << 30)) {
      return exact;
    }
  }
  // Fixed point, with as many bits behind the point as 64 bits leave.
  double most =
      std::max(std::fabs(line.slope) * count, double(extent)) + std::fabs(line.offset) + 4;
  int bits = std::clamp(61 - static_cast<int>(std::ceil(std::log2(most))), 1, 32);
  double divisor = std::ldexp(1.0, bits);
  return {static_cast<int64_t>(std::round(line.slope * divisor)),
          static_cast<int64_t>(std::round(line.offset * divisor)), int64_t(1) << bits};
}

namespace {
/// One dimension of a resize: builds what depends on the result's index along it.
class Axis {
public:
  Axis(ImplicitLocOpBuilder &b, ResizeOp op, size_t d, Value o)
      : b(b), op(op), extent(shapeOf(op.getX())[d]), count(op.getSizes()[d]), o(o),
        fraction(fractionOf(lineOf(op, d), extent, count)) {
    lowest = std::min(fraction.numerator(0), fraction.numerator(count - 1));
    highest = std::max(fraction.numerator(0), fraction.numerator(count - 1));
    int64_t most = std::max({std::abs(lowest), std::abs(highest), (extent + 4) * fraction.divisor});
    type = most + 4 * fraction.divisor < (int64_t(1) << 31) ? Type(b.getIndexType())
                                                            : Type(b.getI64Type());
  }

  /// Whether each element of the result comes from one element of x whatever the mode.
  bool isPlain() const {
    return extent == 1 ||
           (fraction.factor % fraction.divisor == 0 && fraction.term % fraction.divisor == 0);
  }

  /// Whether the coordinate lies outside x; null if it never does.
  Value isOutside() {
    int64_t last = (extent - 1) * fraction.divisor;
    if (lowest >= 0 && highest <= last) {
      return {};
    }
    Value t = numerator(0);
    Value low = b.create<arith::CmpIOp>(arith::CmpIPredicate::slt, t, integer(0));
    Value high = b.create<arith::CmpIOp>(arith::CmpIPredicate::sgt, t, integer(last));
    return b.create<arith::OrIOp>(low, high);
  }

  /// The nearest element.
  Value nearest() {
    int64_t half = fraction.divisor / 2;
    switch (op.getNearestMode()) {
    case NearestMode::RoundPreferFloor:
      return quotient(half - 1);
    case NearestMode::RoundPreferCeil:
      return quotient(half);
    case NearestMode::Floor:
      return quotient(0);
    case NearestMode::Ceil:
      return quotient(fraction.divisor - 1);
    }
    llvm_unreachable("unknown nearest mode");
  }

  SmallVector<Tap> taps(Type floatType) {
    if (isPlain()) {
      return {{quotient(0), Value()}};
    }
    return op.getMode() == ResizeMode::Linear ? linear(floatType) : cubic(floatType);
  }

private:
  Value integer(int64_t value) { return scalar::integer(b, type, value); }
  Value clamp(Value value, int64_t low, int64_t high) {
    value = b.create<arith::MaxSIOp>(value, integer(low));
    return b.create<arith::MinSIOp>(value, integer(high));
  }
  Value toIndex(Value value) {
    return type.isIndex() ? value : b.create<arith::IndexCastOp>(b.getIndexType(), value);
  }
  Value numerator(int64_t added) {
    Value position = type.isIndex() ? o : loops::toI64(b, o);
    return b.createOrFold<arith::AddIOp>(
        b.createOrFold<arith::MulIOp>(position, integer(fraction.factor)),
        integer(fraction.term + added));
  }

  /// `(numerator + added) / divisor` as an element of x, clamped where it can lie outside.
  Value quotient(int64_t added) {
    if (extent == 1) {
      return indexing::constant(b, 0);
    }
    int64_t divisor = fraction.divisor;
    if (fraction.factor == divisor && fraction.term + added >= 0 &&
        fraction.term + added < divisor && count <= extent) {
      return o;
    }
    Value t = numerator(added);
    if (lowest + added < 0) {
      t = b.create<arith::MaxSIOp>(t, integer(0));
    }
    Value q = b.create<arith::DivUIOp>(t, integer(divisor));
    if ((highest + added) / divisor > extent - 1) {
      q = b.create<arith::MinSIOp>(q, integer(extent - 1));
    }
    return toIndex(q);
  }

  /// The part behind the point of a coordinate whose numerator leaves `rest`.
  Value ratio(Type floatType, Value rest) {
    int64_t divisor = fraction.divisor;
    if (divisor > (int64_t(1) << 30)) {
      int excess = llvm::Log2_64(divisor) - 30;
      rest = b.create<arith::ShRUIOp>(rest, integer(excess));
      divisor >>= excess;
    }
    Value narrow = type.isIndex() ? b.create<arith::IndexCastOp>(b.getI32Type(), rest).getResult()
                                  : b.create<arith::TruncIOp>(b.getI32Type(), rest).getResult();
    return b.create<arith::MulFOp>(b.create<arith::SIToFPOp>(floatType, narrow),
                                   scalar::constant(b, floatType, 1.0 / divisor));
  }

  SmallVector<Tap> linear(Type floatType) {
    // Outside x both neighbours are the edge element.
    Value t = clamp(numerator(0), 0, (extent - 1) * fraction.divisor);
    Value left = b.create<arith::DivUIOp>(t, integer(fraction.divisor));
    Value right =
        b.create<arith::MinSIOp>(b.create<arith::AddIOp>(left, integer(1)), integer(extent - 1));
    Value weight = ratio(floatType, b.create<arith::RemUIOp>(t, integer(fraction.divisor)));
    Value other = b.create<arith::SubFOp>(scalar::constant(b, floatType, 1), weight);
    return {{toIndex(left), other}, {toIndex(right), weight}};
  }

  SmallVector<Tap> cubic(Type floatType) {
    // Two elements beyond the edge all taps are the edge element. Counting from there keeps the
    // numerator positive.
    int64_t shift = 2, divisor = fraction.divisor;
    Value t = clamp(numerator(shift * divisor), 0, (extent + 1 + shift) * divisor);
    Value whole = b.create<arith::DivUIOp>(t, integer(divisor));
    Value r = ratio(floatType, b.create<arith::RemUIOp>(t, integer(divisor)));
    double a = op.getCubicCoefficient().convertToDouble();
    auto number = [&](double value) { return scalar::constant(b, floatType, value); };
    // Keys' kernel at distance x: in 0 .. 1, and in 1 .. 2.
    auto near = [&](Value x) {
      Value inner = scalar::sub(b, scalar::mul(b, number(a + 2), x), number(a + 3));
      return scalar::mulAdd(b, scalar::mul(b, inner, x), x, number(1));
    };
    auto far = [&](Value x) {
      Value sum = scalar::sub(b, scalar::mul(b, number(a), x), number(5 * a));
      sum = scalar::mulAdd(b, sum, x, number(8 * a));
      return scalar::sub(b, scalar::mul(b, sum, x), number(4 * a));
    };
    Value one = number(1), s = scalar::sub(b, one, r);
    Value weights[] = {far(scalar::add(b, r, one)), near(r), near(s), far(scalar::add(b, s, one))};
    SmallVector<Tap> result;
    Value total;
    for (auto [k, weight] : llvm::enumerate(weights)) {
      Value position = b.create<arith::AddIOp>(whole, integer(static_cast<int64_t>(k) - 1 - shift));
      Value inside = clamp(position, 0, extent - 1);
      if (op.getExcludeOutside()) {
        Value isInside = b.create<arith::CmpIOp>(arith::CmpIPredicate::eq, position, inside);
        weight = b.create<arith::SelectOp>(isInside, weight, number(0));
        total = total ? scalar::add(b, total, weight) : weight;
      }
      result.push_back({toIndex(inside), weight});
    }
    if (op.getExcludeOutside()) {
      for (Tap &tap : result) {
        tap.weight = b.create<arith::DivFOp>(tap.weight, total);
      }
    }
    return result;
  }

  ImplicitLocOpBuilder &b;
  ResizeOp op;
  int64_t extent, count;
  Value o;
  Fraction fraction;
  int64_t lowest, highest; ///< numerators that occur
  Type type;               ///< of the coordinate arithmetic
};
} // namespace

/// The sum over one tap per dimension, written out.
static Value sumOfTaps(ImplicitLocOpBuilder &b, KernelIO &io, ArrayRef<SmallVector<Tap>> axes,
                       SmallVectorImpl<Value> &position) {
  if (position.size() == axes.size()) {
    return io.read(0, position);
  }
  Value total;
  for (const Tap &tap : axes[position.size()]) {
    position.push_back(tap.position);
    Value value = sumOfTaps(b, io, axes, position);
    position.pop_back();
    if (tap.weight) {
      value = scalar::mul(b, value, tap.weight);
    }
    total = total ? scalar::add(b, total, value) : value;
  }
  return total;
}

/// The same as loops, for many dimensions.
static Value loopOverTaps(ImplicitLocOpBuilder &b, KernelIO &io, Type floatType,
                          ArrayRef<SmallVector<Tap>> axes) {
  SmallVector<int64_t> counts;
  for (ArrayRef<Tap> taps : axes) {
    counts.push_back(taps.size());
  }
  Value zero = scalar::constant(b, floatType, 0);
  return loops::reduceEach(b, counts, zero, [&](ValueRange at, ValueRange carried) -> Carried {
    SmallVector<Value> position;
    Value product = scalar::constant(b, floatType, 1);
    for (auto [taps, k] : llvm::zip(axes, at)) {
      Tap chosen = taps.back();
      for (size_t i = taps.size() - 1; i-- > 0;) {
        Value isIt = b.create<arith::CmpIOp>(arith::CmpIPredicate::eq, k,
                                             indexing::constant(b, static_cast<int64_t>(i)));
        chosen = {b.create<arith::SelectOp>(isIt, taps[i].position, chosen.position),
                  b.create<arith::SelectOp>(isIt, taps[i].weight, chosen.weight)};
      }
      position.push_back(chosen.position);
      product = chosen.weight ? scalar::mul(b, product, chosen.weight) : product;
    }
    return {scalar::mulAdd(b, product, io.read(0, position), carried[0])};
  })[0];
}

Value ResizeOp::buildElement(ImplicitLocOpBuilder &b, unsigned, ValueRange indices, KernelIO &io) {
  SmallVector<Axis> axes;
  for (auto [d, o] : llvm::enumerate(indices)) {
    axes.emplace_back(b, *this, d, o);
  }
  Type type = computeType(elementOf(getResult()));
  Value result;
  if (getMode() == ResizeMode::Nearest) {
    SmallVector<Value> source;
    for (Axis &axis : axes) {
      source.push_back(axis.nearest());
    }
    result = io.read(0, source);
  } else {
    constexpr size_t mostReads = 64; // that are written out
    SmallVector<SmallVector<Tap>> taps;
    size_t reads = 1;
    for (Axis &axis : axes) {
      taps.push_back(axis.taps(type));
      reads = std::min(reads * taps.back().size(), 2 * mostReads);
    }
    SmallVector<Value> position;
    result =
        reads <= mostReads ? sumOfTaps(b, io, taps, position) : loopOverTaps(b, io, type, taps);
  }
  if (getCoordinateMode() != CoordinateMode::TfCropAndResize) {
    return result;
  }
  for (Axis &axis : axes) {
    if (Value outside = axis.isOutside()) {
      Value value = scalar::constant(b, type, getExtrapolation().convertToDouble());
      result = b.create<arith::SelectOp>(outside, value, result);
    }
  }
  return result;
}
