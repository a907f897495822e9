// ONNX operators that read or write at computed positions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/NodeBinder.h"

using namespace mlir;

namespace modelc {

static LogicalResult importGather(NodeBinder &b) {
  FailureOr<int64_t> axis = b.normalizeAxis(b.intAttr("axis"), b.rank(0));
  if (failed(axis)) {
    return failure();
  }
  return b.setResult(0, b.create<GatherOp>({b.input(0), b.input(1)}, b.named("axis", *axis)));
}

static LogicalResult importGatherElements(NodeBinder &b) {
  FailureOr<int64_t> axis = b.normalizeAxis(b.intAttr("axis"), b.rank(0));
  if (failed(axis)) {
    return failure();
  }
  return b.setResult(0,
                     b.create<GatherElementsOp>({b.input(0), b.input(1)}, b.named("axis", *axis)));
}

static LogicalResult importGatherNd(NodeBinder &b) {
  return b.setResult(0, b.create<GatherNdOp>({b.input(0), b.input(1)},
                                             b.named("batch_dims", b.intAttr("batch_dims"))));
}

static FailureOr<NamedAttribute> readScatterKind(NodeBinder &b) {
  FailureOr<unsigned> kind =
      b.choiceAttr("reduction", {"none", "add", "mul", "max", "min"}, "none");
  if (failed(kind)) {
    return failure();
  }
  return b.named("kind", ScatterKindAttr::get(b.context(), static_cast<ScatterKind>(*kind)));
}

static LogicalResult importScatterElements(NodeBinder &b) {
  FailureOr<int64_t> axis = b.normalizeAxis(b.intAttr("axis"), b.rank(0));
  FailureOr<NamedAttribute> kind = readScatterKind(b);
  if (failed(axis) || failed(kind)) {
    return failure();
  }
  return b.setResult(0, b.create<ScatterElementsOp>({b.input(0), b.input(1), b.input(2)},
                                                    {b.named("axis", *axis), *kind}));
}

static LogicalResult importScatterNd(NodeBinder &b) {
  FailureOr<NamedAttribute> kind = readScatterKind(b);
  if (failed(kind)) {
    return failure();
  }
  return b.setResult(0, b.create<ScatterNdOp>({b.input(0), b.input(1), b.input(2)}, *kind));
}

static LogicalResult importReverseSequence(NodeBinder &b) {
  return b.setResult(
      0, b.create<ReverseSequenceOp>({b.input(0), b.input(1)},
                                     {b.named("batch_axis", b.intAttr("batch_axis", 1)),
                                      b.named("time_axis", b.intAttr("time_axis", 0))}));
}

void registerGatherOps(OpRegistry &ops) {
  ops.add("Gather", 1, importGather);
  ops.add("GatherElements", 1, importGatherElements);
  ops.add("GatherND", 1, importGatherNd);
  ops.add("ReverseSequence", 1, importReverseSequence);
  // Scatter was renamed to ScatterElements in opset 11.
  ops.add("Scatter", 1, importScatterElements);
  ops.add("ScatterElements", 1, importScatterElements);
  ops.add("ScatterND", 1, importScatterNd);
}

} // namespace modelc
