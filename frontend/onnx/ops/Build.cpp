// Small compositions that several groups of operators build.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/ops/Build.h"

using namespace mlir;

namespace modelc {

Value sliceAxis(NodeBinder &b, Value value, int64_t axis, int64_t start, int64_t size) {
  if (!value) {
    return {};
  }
  llvm::SmallVector<int64_t> starts(b.typeOf(value).getRank(), 0), sizes(b.shapeOf(value)),
      steps(starts.size(), 1);
  starts[axis] = start;
  sizes[axis] = size;
  return b.create<SliceOp>(
      value, {b.named("starts", starts), b.named("sizes", sizes), b.named("steps", steps)});
}

Value positions(NodeBinder &b, llvm::ArrayRef<int64_t> shape, int64_t axis) {
  return b.create<IotaOp>({}, {b.named("shape", shape), b.named("axis", axis),
                               b.named("to", Type(IntegerType::get(b.context(), 64)))});
}

Value intScalar(NodeBinder &b, int64_t value) {
  auto type = RankedTensorType::get({}, IntegerType::get(b.context(), 64));
  return b.constant(DenseElementsAttr::get(type, value));
}

Value concat(NodeBinder &b, llvm::ArrayRef<Value> values, int64_t axis) {
  return b.create<ConcatOp>(values, b.named("axis", axis));
}

Value broadcast(NodeBinder &b, Value value, llvm::ArrayRef<int64_t> shape) {
  return b.create<BroadcastOp>(value, b.named("shape", shape));
}

Value reduceKeep(NodeBinder &b, ReduceKind kind, Value value, llvm::ArrayRef<int64_t> axes) {
  return b.create<ReduceOp>(value, {b.named("kind", ReduceKindAttr::get(b.context(), kind)),
                                    b.named("axes", axes), b.named("keep_dims", true)});
}

} // namespace modelc
