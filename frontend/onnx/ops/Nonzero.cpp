// ONNX operators whose result is as large as the data say: only with data
// that are known at compile time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/ops/Build.h"
#include "ir/ConstantData.h"

using namespace mlir;

namespace modelc {

/// Which elements of operand `i` are not zero.
static FailureOr<llvm::SmallVector<int64_t>> nonzeroFlags(NodeBinder &b, unsigned i) {
  Value flags = b.cast(b.input(i), IntegerType::get(b.context(), 1));
  ElementsAttr known = flags ? b.getImporter().requireConstant(flags) : ElementsAttr();
  auto values = known ? constantIntegers(known) : std::nullopt;
  if (!values) {
    return b.error(b.describeInput(i) + " must be known at compile time" +
                   b.getImporter().describeSources(b.input(i)));
  }
  return *values;
}

static LogicalResult importCompress(NodeBinder &b) {
  auto flags = nonzeroFlags(b, 1);
  if (failed(flags)) {
    return failure();
  }
  Value x = b.input(0);
  int64_t axis = 0;
  if (b.hasAttr("axis")) {
    FailureOr<int64_t> given = b.normalizeAxis(b.intAttr("axis"), b.rank(0));
    if (failed(given)) {
      return failure();
    }
    axis = *given;
  } else {
    x = b.reshape(x, {b.type(0).getNumElements()});
  }
  llvm::SmallVector<int64_t> kept;
  for (auto [i, flag] : llvm::enumerate(*flags)) {
    if (flag) {
      kept.push_back(i);
    }
  }
  if (x && !kept.empty() && kept.back() >= b.shapeOf(x)[axis]) {
    return b.error("the condition is longer than the axis");
  }
  return b.setResult(0, b.create<GatherOp>({x, b.constantVector(kept)}, b.named("axis", axis)));
}

static LogicalResult importNonZero(NodeBinder &b) {
  auto flags = nonzeroFlags(b, 0);
  if (failed(flags)) {
    return failure();
  }
  llvm::ArrayRef<int64_t> shape = b.shape(0);
  int64_t rank = shape.size(), count = llvm::count_if(*flags, [](int64_t f) { return f != 0; });
  // A row of positions per dimension.
  llvm::SmallVector<int64_t> table(rank * count);
  int64_t column = 0;
  for (auto [i, flag] : llvm::enumerate(*flags)) {
    if (!flag) {
      continue;
    }
    int64_t rest = i;
    for (int64_t d = rank - 1; d >= 0; --d) {
      table[d * count + column] = rest % shape[d];
      rest /= shape[d];
    }
    ++column;
  }
  auto type = RankedTensorType::get({rank, count}, IntegerType::get(b.context(), 64));
  return b.setResult(0, b.constant(DenseElementsAttr::get(type, llvm::ArrayRef<int64_t>(table))));
}

void registerNonzeroOps(OpRegistry &ops) {
  ops.add("Compress", 1, importCompress);
  ops.add("NonZero", 1, importNonZero);
}

} // namespace modelc
