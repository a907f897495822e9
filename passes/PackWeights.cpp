//===- PackWeights.cpp - constants in the order in which kernels read them ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/PackWeights.h"
#include "ir/ConstantData.h"
#include "ir/ModelcOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AsmState.h"

using namespace mlir;
using namespace modelc;

namespace {
/// Copies elements from a constant's order to the packed one.
class Packer {
public:
  Packer(RankedTensorType type, const OperandPacking &packing, ArrayRef<char> from)
      : packing(packing), shape(type.getShape()), from(from),
        size(elementStorageBytes(type.getElementType())), strides(shape.size(), 1) {
    shape[0] /= packing.parts;
    for (int64_t d = shape.size() - 2; d >= 0; --d) {
      strides[d] = strides[d + 1] * shape[d + 1];
    }
  }

  std::vector<char> run() {
    to.reserve(from.size());
    for (int64_t part = 0; part < packing.parts; ++part) {
      copyLeading(0, part * shape[0] * strides[0]);
    }
    return std::move(to);
  }

private:
  void copyLeading(int64_t dim, int64_t at) {
    if (dim < packing.leading) {
      for (int64_t i = 0; i < shape[dim]; ++i) {
        copyLeading(dim + 1, at + i * strides[dim]);
      }
      return;
    }
    int64_t extent = shape[packing.blocked], stride = strides[packing.blocked];
    int64_t whole = extent / packing.block * packing.block;
    if (whole < extent) {
      copyBlock(0, at + whole * stride, extent - whole);
    }
    for (int64_t i = 0; i < whole; i += packing.block) {
      copyBlock(0, at + i * stride, packing.block);
    }
  }

  void copyBlock(size_t depth, int64_t at, int64_t count) {
    if (depth < packing.inner.size()) {
      int64_t dim = packing.inner[depth];
      for (int64_t i = 0; i < shape[dim]; ++i) {
        copyBlock(depth + 1, at + i * strides[dim], count);
      }
      return;
    }
    int64_t stride = strides[packing.blocked];
    for (int64_t i = 0; i < count; ++i) {
      const char *element = from.data() + (at + i * stride) * size;
      to.insert(to.end(), element, element + size);
    }
  }

  const OperandPacking &packing;
  SmallVector<int64_t> shape; ///< of one part
  ArrayRef<char> from;
  unsigned size;
  SmallVector<int64_t> strides;
  std::vector<char> to;
};

struct PackWeightsPass : PassWrapper<PackWeightsPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PackWeightsPass)

  explicit PackWeightsPass(PackingsOf packingsOf) : packingsOf(std::move(packingsOf)) {}

  StringRef getArgument() const override { return "modelc-pack-weights"; }
  StringRef getDescription() const override {
    return "bring constants into the order in which kernels read them";
  }
  void runOnOperation() override;

private:
  void pack(KernelOp kernel, ArrayRef<LaunchOp> launches, const OperandPacking &packing);

  PackingsOf packingsOf;
};
} // namespace

static ConstantOp constantOf(LaunchOp launch, unsigned operand) {
  return launch.getInputs()[operand].getDefiningOp<ConstantOp>();
}

void PackWeightsPass::pack(KernelOp kernel, ArrayRef<LaunchOp> launches,
                           const OperandPacking &packing) {
  for (LaunchOp launch : launches) {
    auto constant = constantOf(launch, packing.operand);
    if (!constant) {
      return;
    }
    // Equal elements are in every order; what is neither has no known bytes.
    if (!constantBytes(constant.getValue()) && !isa<SplatElementsAttr>(constant.getValue())) {
      return;
    }
  }
  // Launches that share weights go on sharing them.
  DenseMap<Attribute, ElementsAttr> packed;
  for (LaunchOp launch : launches) {
    auto constant = constantOf(launch, packing.operand);
    std::optional<ArrayRef<char>> bytes = constantBytes(constant.getValue());
    if (!bytes) {
      continue;
    }
    auto type = cast<RankedTensorType>(constant.getType());
    ElementsAttr &value = packed[constant.getValue()];
    if (!value) {
      value = makeConstant(type, Packer(type, packing, *bytes).run());
    }
    OpBuilder b(constant);
    b.setInsertionPointAfter(constant);
    auto made = b.create<ConstantOp>(constant.getLoc(), type, value);
    launch->setOperand(packing.operand, made);
    if (constant.use_empty()) {
      constant.erase();
    }
  }
  SmallVector<int64_t> numbers;
  if (auto before = kernel->getAttrOfType<DenseI64ArrayAttr>("packed")) {
    llvm::append_range(numbers, before.asArrayRef());
  }
  numbers.push_back(packing.operand);
  kernel->setAttr("packed", DenseI64ArrayAttr::get(&getContext(), numbers));
}

void PackWeightsPass::runOnOperation() {
  llvm::MapVector<StringAttr, SmallVector<LaunchOp>> launches;
  getOperation().walk(
      [&](LaunchOp launch) { launches[launch.getKernelAttr().getAttr()].push_back(launch); });
  for (auto kernel : getOperation().getOps<KernelOp>()) {
    for (const OperandPacking &packing : packingsOf(kernel)) {
      pack(kernel, launches[kernel.getSymNameAttr()], packing);
    }
  }
}

std::unique_ptr<Pass> modelc::createPackWeightsPass(PackingsOf packingsOf) {
  return std::make_unique<PackWeightsPass>(std::move(packingsOf));
}
