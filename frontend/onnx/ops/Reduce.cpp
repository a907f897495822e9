// ONNX operators that reduce, accumulate or order an axis.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/NodeBinder.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace modelc {

/// The version from which on axes are an operand.
static int axesInputSince(NodeBinder &b) {
  return b.opType() == "ReduceSum" ? 13 : 18;
}

template <ReduceKind kind> static LogicalResult importReduce(NodeBinder &b) {
  llvm::SmallVector<int64_t> axes;
  if (b.version() < axesInputSince(b)) {
    axes = b.intsAttr("axes");
  } else if (b.hasInput(1)) {
    FailureOr<llvm::SmallVector<int64_t>> given = b.constantAxes(1);
    if (failed(given)) {
      return failure();
    }
    axes = *given;
  }
  if (axes.empty() && !b.flagAttr("noop_with_empty_axes")) {
    axes = llvm::to_vector(llvm::seq<int64_t>(0, b.rank(0)));
  }
  FailureOr<llvm::SmallVector<int64_t>> normal = b.normalizeAxes(axes, b.rank(0));
  if (failed(normal)) {
    return failure();
  }
  // Largest and smallest of booleans: as of numbers 0 and 1.
  Type element = b.elementType(0);
  Value x = b.input(0);
  if (element.isInteger(1)) {
    x = b.cast(x, IntegerType::get(b.context(), 8, IntegerType::Unsigned));
  }
  Value result = b.create<ReduceOp>(x, {b.named("kind", ReduceKindAttr::get(b.context(), kind)),
                                        b.named("axes", *normal),
                                        b.named("keep_dims", b.flagAttr("keepdims", true))});
  return b.setResult(0, b.cast(result, element));
}

template <ReduceKind kind> static LogicalResult importArgReduce(NodeBinder &b) {
  FailureOr<int64_t> axis = b.normalizeAxis(b.intAttr("axis"), b.rank(0));
  if (failed(axis)) {
    return failure();
  }
  return b.setResult(
      0, b.create<ArgReduceOp>(b.input(0), {b.named("kind", ReduceKindAttr::get(b.context(), kind)),
                                            b.named("axis", *axis),
                                            b.named("keep_dims", b.flagAttr("keepdims", true)),
                                            b.named("last", b.flagAttr("select_last_index"))}));
}

template <ReduceKind kind> static LogicalResult importCumulative(NodeBinder &b) {
  FailureOr<int64_t> axis = b.constantInt(1);
  if (succeeded(axis)) {
    axis = b.normalizeAxis(*axis, b.rank(0));
  }
  if (failed(axis)) {
    return failure();
  }
  return b.setResult(
      0, b.create<CumulativeOp>(
             b.input(0), {b.named("kind", ReduceKindAttr::get(b.context(), kind)),
                          b.named("axis", *axis), b.named("exclusive", b.flagAttr("exclusive")),
                          b.named("reverse", b.flagAttr("reverse"))}));
}

static LogicalResult importTopK(NodeBinder &b) {
  FailureOr<int64_t> axis = b.normalizeAxis(b.intAttr("axis", -1), b.rank(0));
  FailureOr<int64_t> k = b.version() < 10 ? FailureOr<int64_t>(b.intAttr("k")) : b.constantInt(1);
  if (failed(axis) || failed(k)) {
    return failure();
  }
  // The order of the result is free without `sorted`: the sorted one will do.
  return b.setResults(
      b.createAll<TopKOp>(b.input(0), {b.named("k", *k), b.named("axis", *axis),
                                       b.named("largest", b.flagAttr("largest", true))}));
}

//===----------------------------------------------------------------------===//
// Softmax and relatives
//===----------------------------------------------------------------------===//

/// Applies `op` along one axis of the operand. Before opset 13 it spans all
/// dimensions from the axis on.
static LogicalResult alongAxis(NodeBinder &b, llvm::function_ref<Value(Value, int64_t)> op) {
  bool isFlat = b.version() < 13;
  int64_t given = b.intAttr("axis", isFlat ? 1 : -1);
  if (isFlat && given == b.rank(0)) {
    return b.setResult(
        0, b.reshape(op(b.reshape(b.input(0), {b.type(0).getNumElements(), 1}), 1), b.shape(0)));
  }
  FailureOr<int64_t> axis = b.normalizeAxis(given, b.rank(0));
  if (failed(axis)) {
    return failure();
  }
  if (!isFlat || *axis == b.rank(0) - 1) {
    return b.setResult(0, op(b.input(0), *axis));
  }
  llvm::ArrayRef<int64_t> shape = b.shape(0);
  Value flat = b.reshape(b.input(0), {ShapedType::getNumElements(shape.take_front(*axis)),
                                      ShapedType::getNumElements(shape.drop_front(*axis))});
  return b.setResult(0, b.reshape(op(flat, 1), shape));
}

static LogicalResult importSoftmax(NodeBinder &b) {
  return alongAxis(b, [&](Value value, int64_t axis) {
    return b.create<SoftmaxOp>(value, b.named("axis", axis));
  });
}

static LogicalResult importLogSoftmax(NodeBinder &b) {
  return alongAxis(b, [&](Value value, int64_t axis) {
    return b.create<SoftmaxOp>(value, {b.named("axis", axis), b.unit("log")});
  });
}

/// 1 at the first of the largest elements, else 0.
static LogicalResult importHardmax(NodeBinder &b) {
  return alongAxis(b, [&](Value value, int64_t axis) -> Value {
    Value largest = b.create<ArgReduceOp>(
        value, {b.named("kind", ReduceKindAttr::get(b.context(), ReduceKind::Max)),
                b.named("axis", axis), b.named("keep_dims", true), b.named("last", false)});
    if (!largest) {
      return {};
    }
    llvm::SmallVector<int64_t> shape(b.typeOf(value).getRank(), 1);
    shape[axis] = b.shapeOf(value)[axis];
    Value positions =
        b.create<IotaOp>({}, {b.named("shape", shape), b.named("axis", axis),
                              b.named("to", Type(IntegerType::get(b.context(), 64)))});
    return b.cast(b.create<EqualOp>({positions, largest}), b.elementType(0));
  });
}

void registerReduceOps(OpRegistry &ops) {
  ops.add("ArgMax", 1, importArgReduce<ReduceKind::Max>);
  ops.add("ArgMin", 1, importArgReduce<ReduceKind::Min>);
  ops.add("CumProd", 1, importCumulative<ReduceKind::Prod>);
  ops.add("CumSum", 1, importCumulative<ReduceKind::Sum>);
  ops.add("Hardmax", 1, importHardmax);
  ops.add("LogSoftmax", 1, importLogSoftmax);
  ops.add("ReduceL1", 1, importReduce<ReduceKind::L1>);
  ops.add("ReduceL2", 1, importReduce<ReduceKind::L2>);
  ops.add("ReduceLogSum", 1, importReduce<ReduceKind::LogSum>);
  ops.add("ReduceLogSumExp", 1, importReduce<ReduceKind::LogSumExp>);
  ops.add("ReduceMax", 1, importReduce<ReduceKind::Max>);
  ops.add("ReduceMean", 1, importReduce<ReduceKind::Mean>);
  ops.add("ReduceMin", 1, importReduce<ReduceKind::Min>);
  ops.add("ReduceProd", 1, importReduce<ReduceKind::Prod>);
  ops.add("ReduceSum", 1, importReduce<ReduceKind::Sum>);
  ops.add("ReduceSumSquare", 1, importReduce<ReduceKind::SumSquare>);
  ops.add("Softmax", 1, importSoftmax);
  ops.add("TopK", 1, importTopK);
}

} // namespace modelc
