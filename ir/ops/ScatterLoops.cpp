//===- ScatterLoops.cpp - loops of scatters -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/Scalars.h"
#include "ir/ops/Infer.h"
#include "ir/ops/LoopHelpers.h"

using namespace mlir;
using namespace modelc;

static Value join(ImplicitLocOpBuilder &b, ScatterKind kind, Value old, Value update,
                  bool isUnsigned) {
  switch (kind) {
  case ScatterKind::Replace:
    return update;
  case ScatterKind::Add:
    return scalar::add(b, old, update);
  case ScatterKind::Mul:
    return scalar::mul(b, old, update);
  case ScatterKind::Max:
    return scalar::max(b, old, update, isUnsigned);
  case ScatterKind::Min:
    return scalar::min(b, old, update, isUnsigned);
  }
  llvm_unreachable("unknown kind of scatter");
}

/// The common part: operands 0 (x), 1 (indices), 2 (updates). `place` gives the position that the
/// update at an index tuple goes to. Positions may repeat, so a copy of x is updated in scratch.
template <typename OpTy>
static void buildScatter(ImplicitLocOpBuilder &b, KernelIO &io, OpTy op,
                         llvm::function_ref<SmallVector<Value>(ValueRange update)> place) {
  ArrayRef<int64_t> shape = shapeOf(op.getX());
  bool unsignedX = isUnsigned(op.getX());
  loops::Buffer copy(b, io, shape, computeType(elementOf(op.getX())));
  loops::forEach(b, shape, [&](ValueRange at) { copy.store(b, at, io.read(0, at)); });
  loops::forEach(b, shapeOf(op.getUpdates()), [&](ValueRange at) {
    SmallVector<Value> target = place(at);
    Value update = io.read(2, at);
    if (op.getKind() != ScatterKind::Replace) {
      update = join(b, op.getKind(), copy.load(b, target), update, unsignedX);
    }
    copy.store(b, target, update);
  });
  loops::forEach(b, shape, [&](ValueRange at) { io.write(0, at, copy.load(b, at)); });
}

void ScatterElementsOp::buildLoops(ImplicitLocOpBuilder &b, KernelIO &io) {
  int64_t axis = getAxis(), extent = shapeOf(getX())[axis];
  buildScatter(b, io, *this, [&](ValueRange at) {
    SmallVector<Value> target(at);
    target[axis] = indexing::fromModel(b, io, io.read(1, at), extent);
    return target;
  });
}

void ScatterNdOp::buildLoops(ImplicitLocOpBuilder &b, KernelIO &io) {
  ArrayRef<int64_t> shape = shapeOf(getX()), indices = shapeOf(getIndices());
  buildScatter(b, io, *this, [&](ValueRange at) {
    size_t tuples = indices.size() - 1;
    SmallVector<Value> target;
    for (int64_t d = 0; d < indices.back(); ++d) {
      SmallVector<Value> entry(at.take_front(tuples));
      entry.push_back(indexing::constant(b, d));
      target.push_back(indexing::fromModel(b, io, io.read(1, entry), shape[d]));
    }
    ValueRange rest = at.drop_front(tuples);
    target.append(rest.begin(), rest.end());
    return target;
  });
}
