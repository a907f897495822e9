//===- RecoverDft.cpp - products with a Fourier basis become transforms ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ConstantData.h"
#include "ir/ModelcOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "passes/DftProducts.h"
#include "passes/Passes.h"
#include "llvm/Support/MathExtras.h"

namespace modelc {
#define GEN_PASS_DEF_RECOVERDFTPASS
#include "passes/Passes.h.inc"
} // namespace modelc

using namespace mlir;
using namespace modelc;

/// Shorter transforms are not worth a kernel of their own.
static constexpr int64_t leastLength = 16;

/// Products of one operand are tried as each other's window up to this number: a
/// transform takes one, for each part, and hostile models have a million.
static constexpr size_t mostWindows = 16;

/// Rows per level of a fast transform from which on it is faster than sums.
static constexpr int64_t rowsPerLevel = 4;

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

static bool isWorthIt(int64_t rows, int64_t length) {
  return length >= leastLength && rows >= rowsPerLevel * llvm::Log2_64(length);
}

namespace {
/// Writes tensors of f32.
class Writer {
public:
  Writer(Operation *before) : b(before->getLoc(), before) {}

  RankedTensorType type(ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, b.getF32Type());
  }
  Value reshape(Value x, ArrayRef<int64_t> shape) {
    return shapeOf(x) == shape ? x : b.create<ReshapeOp>(type(shape), x, shape);
  }
  Value transpose(Value x, ArrayRef<int64_t> order) {
    SmallVector<int64_t> shape;
    for (int64_t dim : order) {
      shape.push_back(shapeOf(x)[dim]);
    }
    return b.create<TransposeOp>(type(shape), x, order);
  }
  /// The elements `start` .. `start + size - 1` of dimension `axis`.
  Value slice(Value x, int64_t axis, int64_t start, int64_t size) {
    SmallVector<int64_t> sizes(shapeOf(x)), starts(sizes.size(), 0), steps(sizes.size(), 1);
    starts[axis] = start;
    sizes[axis] = size;
    return b.create<SliceOp>(type(sizes), x, starts, sizes, steps);
  }
  Value concat(ArrayRef<Value> parts, int64_t axis) {
    if (parts.size() == 1) {
      return parts.front();
    }
    SmallVector<int64_t> shape(shapeOf(parts.front()));
    for (Value part : parts.drop_front()) {
      shape[axis] += shapeOf(part)[axis];
    }
    return b.create<ConcatOp>(type(shape), parts, axis);
  }
  Value constant(ArrayRef<int64_t> shape, ArrayRef<double> values) {
    SmallVector<float> rounded(values);
    ArrayRef<char> bytes(reinterpret_cast<const char *>(rounded.data()),
                         rounded.size() * sizeof(float));
    return b.create<ConstantOp>(type(shape), makeConstant(type(shape), bytes));
  }
  Value mul(Value x, Value y) { return b.create<MulOp>(x.getType(), x, y); }
  /// Nothing where all factors are 1.
  Value scale(Value x, ArrayRef<int64_t> shape, ArrayRef<double> factors) {
    if (llvm::all_equal(factors) && factors.front() == -1) {
      return b.create<NegOp>(x.getType(), x);
    }
    bool isOne = llvm::all_of(factors, [](double factor) { return factor == 1; });
    return isOne ? x : mul(x, constant(shape, factors));
  }
  Value pad(Value x, int64_t axis, int64_t before, int64_t after) {
    if (before == 0 && after == 0) {
      return x;
    }
    SmallVector<int64_t> shape(shapeOf(x)), low(shape.size(), 0), high(low);
    shape[axis] += before + after;
    low[axis] = before;
    high[axis] = after;
    return b.create<PadOp>(type(shape), x, constant({}, {0.0}), low, high, PadMode::Constant);
  }

  ImplicitLocOpBuilder b;
};

/// Products of one operand, in the same frames.
struct Group {
  std::vector<Analysis> members;

  bool takes(const Analysis &product) const {
    const Analysis &first = members.front();
    return product.frames == first.frames && product.matrix.length == first.matrix.length;
  }
};

struct RecoverDftPass : modelc::impl::RecoverDftPassBase<RecoverDftPass> {
  using Base::Base;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      recoverAnalyses(function);
      recoverSyntheses(function);
    }
  }

private:
  void recoverAnalyses(func::FuncOp function);
  bool recoverGroup(Group &group, const RowMatrix &withWindow);
  void recoverSyntheses(func::FuncOp function);
  bool recoverSynthesis(const Synthesis &product);
  void report(Operation *op, StringRef what, int64_t length, const DftBasis &basis);
};
} // namespace

void RecoverDftPass::report(Operation *op, StringRef what, int64_t length, const DftBasis &basis) {
  ++numRecovered;
  op->emitRemark("the weights are ") << what << " of " << length << " samples (up to "
                                     << llvm::formatv("{0:e1}", basis.worst()).str()
                                     << " of the largest): computed by a fast transform";
}

//===--- From samples to bins -----------------------------------------------===//

/// The transforms of the frames: [sequences, frames, bins, 2].
static Value writeTransforms(Writer &w, const Frames &f, ArrayRef<double> window) {
  Value signal = w.pad(f.signal(w.b), 1, f.padBefore, f.padAfter);
  int64_t length = window.size(), samples = shapeOf(signal)[1];
  signal = w.reshape(signal, {shapeOf(signal)[0], samples, 1});
  int64_t count = (samples - length) / f.step + 1;
  auto type = w.type({shapeOf(signal)[0], count, length / 2 + 1, 2});
  return w.b.create<StftOp>(type, signal, w.constant({length}, window), f.step,
                            /*onesided=*/true);
}

/// What `product` yields, from the transforms of its frames.
static Value writeRows(Writer &w, const Analysis &product, Value transforms,
                       ArrayRef<BasisRow> rows) {
  ArrayRef<int64_t> shape = shapeOf(transforms);
  int64_t sequences = shape[0], frames = shape[1];
  SmallVector<double> scales;
  for (const BasisRow &row : rows) {
    scales.push_back(row.scale);
  }
  // Channels last, or before the frames as convolutions have them.
  auto place = [&](Value x, int64_t count, ArrayRef<double> factors) {
    x = w.reshape(x, {sequences, frames, count});
    x = w.scale(x, {count}, factors);
    if (product.rowsFirst) {
      x = w.transpose(x, {0, 2, 1});
    }
    return w.reshape(x, product.resultShape(count));
  };
  auto count = static_cast<int64_t>(rows.size());
  if (isInterleaved(rows)) {
    return place(w.slice(transforms, 2, 0, count / 2), count, scales);
  }
  SmallVector<Value> parts;
  int64_t done = 0;
  for (const BinRun &run : runsOf(rows, product.matrix.length)) {
    Value part = w.slice(w.slice(transforms, 3, run.part, 1), 2, run.bin, run.count);
    parts.push_back(place(part, run.count, ArrayRef(scales).slice(done, run.count)));
    done += run.count;
  }
  return w.concat(parts, product.rowAxis);
}

void RecoverDftPass::recoverAnalyses(func::FuncOp function) {
  std::vector<Group> groups;
  DenseMap<Value, SmallVector<unsigned, 1>> groupsOf;
  function.walk([&](Operation *op) {
    std::optional<Analysis> product = analysisOf(op);
    if (!product || product->matrix.length < leastLength) {
      return;
    }
    SmallVector<unsigned, 1> &known = groupsOf[product->frames.x];
    for (unsigned number : known) {
      if (groups[number].takes(*product)) {
        groups[number].members.push_back(*product);
        return;
      }
    }
    known.push_back(groups.size());
    groups.push_back({{*product}});
  });
  for (const Group &found : groups) {
    // What a product reads may be a product that an earlier group replaced.
    Group group;
    for (const Analysis &member : found.members) {
      std::optional<Analysis> product = analysisOf(member.op);
      if (product && (group.members.empty() || group.takes(*product))) {
        group.members.push_back(*product);
      }
    }
    // Real and imaginary parts may be two products, of which one has the window.
    for (const Analysis &member : ArrayRef(group.members).take_front(mostWindows)) {
      if (recoverGroup(group, member.matrix)) {
        break;
      }
    }
  }
}

bool RecoverDftPass::recoverGroup(Group &group, const RowMatrix &withWindow) {
  DftBasis basis(withWindow, tolerance);
  int64_t length = withWindow.length, count = 0;
  std::vector<std::pair<Analysis *, std::vector<BasisRow>>> found;
  for (Analysis &member : group.members) {
    std::optional<std::vector<BasisRow>> rows = basis.match(member.matrix);
    if (rows && (isInterleaved(*rows) || runsOf(*rows, length).size() <= 2)) {
      count += rows->size();
      found.push_back({&member, std::move(*rows)});
    }
  }
  if (found.empty() || !isWorthIt(count, length)) {
    return false;
  }
  Writer first(found.front().first->op);
  Value transforms = writeTransforms(first, group.members.front().frames, basis.window());
  for (auto &[member, rows] : found) {
    report(member->op, "rows of windowed Fourier transforms", length, basis);
    Writer w(member->op);
    member->op->getResult(0).replaceAllUsesWith(writeRows(w, *member, transforms, rows));
    member->op->erase();
  }
  return true;
}

//===--- From bins to samples -----------------------------------------------===//

/// The bins that `product` takes, as [sequences, frames, bins, 2].
static Value writeBins(Writer &w, const Synthesis &product, int64_t bins, bool interleaved) {
  // Each operand is [sequences, frames, rows] or [sequences, rows, frames].
  SmallVector<Value> parts;
  for (Value x : product.operands) {
    x = w.reshape(x, product.operandShape(x));
    parts.push_back(product.rowsFirst ? w.transpose(x, {0, 2, 1}) : x);
  }
  int64_t sequences = shapeOf(parts[0])[0], frames = shapeOf(parts[0])[1];
  if (interleaved) {
    return w.reshape(w.concat(parts, 2), {sequences, frames, bins, 2});
  }
  if (parts.size() == 2) {
    for (Value &part : parts) {
      part = w.reshape(part, {sequences, frames, bins, 1});
    }
    return w.concat(parts, 3);
  }
  return w.transpose(w.reshape(parts[0], {sequences, frames, 2, bins}), {0, 1, 3, 2});
}

void RecoverDftPass::recoverSyntheses(func::FuncOp function) {
  SmallVector<Operation *> ops;
  // Sums of two products before the products.
  function.walk([&](Operation *op) { ops.push_back(op); });
  DenseSet<Operation *> gone;
  for (Operation *op : llvm::reverse(ops)) {
    if (gone.contains(op)) {
      continue;
    }
    std::optional<Synthesis> product = synthesisOf(op);
    if (product && product->matrix.length >= leastLength && recoverSynthesis(*product)) {
      gone.insert(product->products.begin(), product->products.end());
      op->erase();
      for (Operation *part : product->products) {
        if (part != op) {
          part->erase();
        }
      }
    }
  }
}

bool RecoverDftPass::recoverSynthesis(const Synthesis &product) {
  DftBasis basis(product.matrix, tolerance);
  int64_t length = product.matrix.length, bins = length / 2 + 1;
  std::optional<std::vector<BasisRow>> rows = basis.match(product.matrix);
  if (!rows || static_cast<int64_t>(rows->size()) != 2 * bins || !isWorthIt(2 * bins, length)) {
    return false;
  }
  bool interleaved = isInterleaved(*rows);
  std::vector<BinRun> runs = runsOf(*rows, length);
  if (!interleaved && (runs.size() != 2 || runs[0].part != 0 || runs[0].bin != 0 ||
                       runs[0].count != bins || runs[1].bin != 0 || runs[1].count != bins)) {
    return false;
  }
  // Each bin stands for two, but for the first and, if the length is even, the
  // last one.
  std::vector<double> factors(2 * bins), window;
  for (auto [number, row] : llvm::enumerate(*rows)) {
    auto at = static_cast<int64_t>(number);
    int64_t bin = interleaved ? at / 2 : at % bins;
    bool isSingle = bin == 0 || 2 * bin == length;
    double factor = row.scale / (isSingle ? 1 : 2);
    bool isRounded = std::abs(std::abs(factor) - 1) <= tolerance;
    factors[2 * bin + row.part] = isSingle && row.part == 1 ? 0
                                  : isRounded               ? std::copysign(1.0, factor)
                                                            : factor;
  }
  // The imaginary parts of single bins are ignored; a common sign is the rest's.
  for (int64_t bin = 0; bin < bins; ++bin) {
    double &imaginary = factors[2 * bin + 1];
    imaginary = imaginary == 0 ? factors[3] : imaginary;
  }
  for (double x : basis.window()) {
    window.push_back(x * static_cast<double>(length));
  }
  report(product.op, "windowed inverse Fourier transforms", length, basis);
  Writer w(product.op);
  Value spectrum = w.scale(writeBins(w, product, bins, interleaved), {bins, 2}, factors);
  int64_t sequences = shapeOf(spectrum)[0], frames = shapeOf(spectrum)[1];
  Value result;
  if (product.step > 0) {
    int64_t samples = (frames - 1) * product.step + length;
    result = w.b.create<IstftOp>(w.type({sequences, samples}), spectrum,
                                 w.constant({length}, window), product.step,
                                 /*normalize=*/false);
    result = w.slice(result, 1, product.padBefore, samples - product.padBefore - product.padAfter);
  } else {
    result = w.b.create<DftOp>(w.type({sequences, frames, length, 1}), spectrum, length,
                               /*inverse=*/true, /*onesided=*/true);
    result = w.reshape(result, {sequences, frames, length});
    result = w.scale(result, {length}, window);
  }
  result = w.reshape(result, shapeOf(product.op->getResult(0)));
  product.op->getResult(0).replaceAllUsesWith(result);
  return true;
}
