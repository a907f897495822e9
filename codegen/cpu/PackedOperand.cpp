//===- PackedOperand.cpp - operands in the order in which code reads them -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/cpu/PackedOperand.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace modelc;

namespace {
/// The loops that copy an operand, one element at a time.
class PackLoops {
public:
  PackLoops(KernelBuilder &k, ArrayRef<int64_t> whole, const OperandPacking &packing, Value from,
            Value to)
      : k(k), shape(whole), packing(packing), from(from), to(to), strides(whole.size(), 1) {
    shape[0] /= packing.parts;
    for (int64_t d = static_cast<int64_t>(shape.size()) - 2; d >= 0; --d) {
      strides[d] = strides[d + 1] * shape[d + 1];
    }
  }

  void run() {
    int64_t part = shape[0] * strides[0];
    k.loop(0, packing.parts, 1, [&](Value number) { copyPart(k.mul(number, part)); });
  }

private:
  /// The elements of a part are in one row, before and after.
  void copyPart(Value first) {
    int64_t extent = shape[packing.blocked], stride = strides[packing.blocked];
    int64_t whole = extent / packing.block * packing.block, rest = extent - whole;
    int64_t perPosition = 1;
    for (int64_t dim : packing.inner) {
      perPosition *= shape[dim];
    }
    int64_t leading = 1;
    for (int64_t d = 0; d < packing.leading; ++d) {
      leading *= shape[d];
    }
    int64_t entry = extent * perPosition;
    k.loop(0, leading, 1, [&](Value number) {
      Value base = k.add(first, k.mul(number, entry));
      if (rest > 0) {
        copy(0, k.add(base, whole * stride), base, rest);
      }
      k.loop(0, whole, packing.block, [&](Value position) {
        copy(0, k.add(base, k.mul(position, stride)),
             k.add(k.add(base, k.mul(position, perPosition)), rest * perPosition), packing.block);
      });
    });
  }

  void copy(size_t depth, Value source, Value target, int64_t width) {
    if (depth == packing.inner.size()) {
      k.loop(0, width, 1, [&](Value i) {
        Value element = k.load(from, k.add(source, k.mul(i, strides[packing.blocked])));
        k.store(element, to, k.add(target, i));
      });
      return;
    }
    int64_t step = width;
    for (int64_t dim : ArrayRef<int64_t>(packing.inner).drop_front(depth + 1)) {
      step *= shape[dim];
    }
    int64_t dim = packing.inner[depth];
    k.loop(0, shape[dim], 1, [&](Value i) {
      copy(depth + 1, k.add(source, k.mul(i, strides[dim])), k.add(target, k.mul(i, step)), width);
    });
  }

  KernelBuilder &k;
  SmallVector<int64_t> shape; ///< of one part
  const OperandPacking &packing;
  Value from, to;
  SmallVector<int64_t> strides;
};
} // namespace

Value modelc::packedOperand(KernelBuilder &k, KernelOp kernel, Value operand,
                            const OperandPacking &packing) {
  Value memory = k.memoryOf(operand);
  if (isPacked(kernel, packing.operand)) {
    return memory;
  }
  auto type = cast<RankedTensorType>(operand.getType());
  Value packed = k.scratch(type.getNumElements(), type.getElementType());
  PackLoops(k, type.getShape(), packing, memory, packed).run();
  return packed;
}
