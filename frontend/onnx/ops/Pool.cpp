// ONNX operators over windows: pooling.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/ops/Window.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace modelc {

namespace {

/// What all pools have in common.
struct Pool {
  Window window;
  llvm::SmallVector<int64_t> sizes;
};

FailureOr<Pool> readPool(NodeBinder &b) {
  if (b.rank(0) < 3) {
    return b.error("expected rank 3 or more, got " + llvm::Twine(b.rank(0)));
  }
  llvm::ArrayRef<int64_t> input = b.shape(0).drop_front(2);
  FailureOr<Window> window = readWindow(b, input.size(), {});
  FailureOr<AutoPad> autoPad = readAutoPad(b);
  if (failed(window) || failed(autoPad)) {
    return failure();
  }
  applyAutoPad(*autoPad, input, *window);
  bool isCeil = b.flagAttr("ceil_mode") && *autoPad == AutoPad::NotSet;
  Pool pool{*window, {}};
  for (size_t i = 0; i < input.size(); ++i) {
    int64_t stride = window->strides[i];
    int64_t padded = input[i] + window->padsBegin[i] + window->padsEnd[i];
    int64_t room = padded - window->dilatedKernel(i);
    if (room < 0) {
      return b.error("the window is larger than the padded input in dimension " +
                     llvm::Twine(i + 2));
    }
    int64_t size = (room + (isCeil ? stride - 1 : 0)) / stride + 1;
    // A window that starts in the padding behind the input does not count.
    if (isCeil && (size - 1) * stride >= input[i] + window->padsBegin[i]) {
      --size;
    }
    pool.sizes.push_back(size);
  }
  return pool;
}

llvm::SmallVector<NamedAttribute> poolAttributes(NodeBinder &b, const Pool &pool) {
  return {b.named("kernel", pool.window.kernel), b.named("strides", pool.window.strides),
          b.named("dilations", pool.window.dilations), b.named("pads_begin", pool.window.padsBegin),
          b.named("sizes", pool.sizes)};
}

} // namespace

static LogicalResult importMaxPool(NodeBinder &b) {
  FailureOr<Pool> pool = readPool(b);
  if (failed(pool)) {
    return failure();
  }
  llvm::SmallVector<NamedAttribute> attributes = poolAttributes(b, *pool);
  if (b.flagAttr("storage_order")) {
    attributes.push_back(b.unit("column_major"));
  }
  return b.setResults(b.createAll<MaxPoolOp>(b.input(0), attributes));
}

static LogicalResult importAveragePool(NodeBinder &b) {
  FailureOr<Pool> pool = readPool(b);
  if (failed(pool)) {
    return failure();
  }
  llvm::SmallVector<NamedAttribute> attributes = poolAttributes(b, *pool);
  attributes.push_back(b.named("pads_end", pool->window.padsEnd));
  if (b.flagAttr("count_include_pad")) {
    attributes.push_back(b.unit("count_pads"));
  }
  return b.setResult(0, b.create<AveragePoolOp>(b.input(0), attributes));
}

/// The exponent, which version 1 stores as a float.
static FailureOr<int64_t> readExponent(NodeBinder &b) {
  double p = b.version() < 2 ? b.floatAttr("p", 2.0) : static_cast<double>(b.intAttr("p", 2));
  if (!(p >= 1 && p <= 1024) || p != static_cast<int64_t>(p)) {
    return b.attrError("p", "a whole number from 1 to 1024", std::to_string(p));
  }
  return static_cast<int64_t>(p);
}

static LogicalResult importLpPool(NodeBinder &b) {
  FailureOr<Pool> pool = readPool(b);
  FailureOr<int64_t> exponent = readExponent(b);
  if (failed(pool) || failed(exponent)) {
    return failure();
  }
  llvm::SmallVector<NamedAttribute> attributes = poolAttributes(b, *pool);
  attributes.push_back(b.named("p", *exponent));
  return b.setResult(0, b.create<LpPoolOp>(b.input(0), attributes));
}

/// Reduces all spatial dimensions to one element.
static Value reduceSpatial(NodeBinder &b, ReduceKind kind, Value value) {
  return b.create<ReduceOp>(
      value, {b.named("kind", ReduceKindAttr::get(b.context(), kind)),
              b.named("axes", llvm::to_vector(
                                  llvm::seq<int64_t>(std::min<int64_t>(2, b.rank(0)), b.rank(0)))),
              b.named("keep_dims", true)});
}

static LogicalResult importGlobalAveragePool(NodeBinder &b) {
  return b.setResult(0, reduceSpatial(b, ReduceKind::Mean, b.input(0)));
}

static LogicalResult importGlobalMaxPool(NodeBinder &b) {
  return b.setResult(0, reduceSpatial(b, ReduceKind::Max, b.input(0)));
}

static LogicalResult importGlobalLpPool(NodeBinder &b) {
  FailureOr<int64_t> exponent = readExponent(b);
  if (failed(exponent)) {
    return failure();
  }
  if (*exponent <= 2) {
    return b.setResult(
        0, reduceSpatial(b, *exponent == 1 ? ReduceKind::L1 : ReduceKind::L2, b.input(0)));
  }
  Type element = b.elementType(0);
  Value powers = b.create<PowOp>({b.create<AbsOp>(b.input(0)), b.splat(element, *exponent)});
  return b.setResult(0, b.create<PowOp>({reduceSpatial(b, ReduceKind::Sum, powers),
                                         b.splat(element, 1.0 / *exponent)}));
}

void registerPoolOps(OpRegistry &ops) {
  ops.add("AveragePool", 1, importAveragePool);
  ops.add("GlobalAveragePool", 1, importGlobalAveragePool);
  ops.add("GlobalLpPool", 1, importGlobalLpPool);
  ops.add("GlobalMaxPool", 1, importGlobalMaxPool);
  ops.add("LpPool", 1, importLpPool);
  ops.add("MaxPool", 1, importMaxPool);
}

} // namespace modelc
