//===- SpectralTable.cpp - roots of unity and other constant tables -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ops/SpectralTable.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include <cmath>

using namespace mlir;

/// Vectors of a table are read aligned on every target.
static constexpr int64_t tableAlignment = 64;

std::complex<double> modelc::rootOfUnity(int64_t k, int64_t n) {
  k %= n;
  // Mirrored at the axes and the diagonal into the first octant, where both
  // functions are exact to the last bit that matters.
  if (2 * k > n) {
    return std::conj(rootOfUnity(n - k, n));
  }
  if (4 * k > n) {
    // exp(i a) = -conj(exp(i (pi - a))); half turns are n / 2 steps, 2 k of n.
    std::complex<double> mirrored = rootOfUnity(n - 2 * k, 2 * n);
    return {-mirrored.real(), mirrored.imag()};
  }
  if (8 * k > n) {
    std::complex<double> mirrored = rootOfUnity(n - 4 * k, 4 * n);
    return {mirrored.imag(), mirrored.real()};
  }
  const double pi = 3.14159265358979323846;
  double angle = 2 * pi * static_cast<double>(k) / static_cast<double>(n);
  return {std::cos(angle), std::sin(angle)};
}

Value modelc::constantTable(ImplicitLocOpBuilder &b, ArrayRef<double> values, Type element) {
  auto module = b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  auto count = static_cast<int64_t>(values.size());
  auto tensor = RankedTensorType::get({count}, element);
  DenseElementsAttr data;
  if (element.isF64()) {
    data = DenseElementsAttr::get(tensor, values);
  } else {
    SmallVector<float> rounded(values);
    data = DenseElementsAttr::get(tensor, ArrayRef<float>(rounded));
  }
  auto type = MemRefType::get({count}, element);
  OpBuilder::InsertionGuard guard(b);
  // Equal tables are one.
  int64_t number = 0;
  for (auto global : module.getOps<memref::GlobalOp>()) {
    if (global.getInitialValueAttr() == data) {
      return b.create<memref::GetGlobalOp>(type, global.getSymName());
    }
    ++number;
  }
  Block::iterator place = b.getInsertionPoint();
  Block *block = b.getInsertionBlock();
  b.setInsertionPointToStart(module.getBody());
  std::string name = "table" + std::to_string(number);
  b.create<memref::GlobalOp>(name, b.getStringAttr("private"), type, data, /*constant=*/true,
                             b.getI64IntegerAttr(tableAlignment));
  b.setInsertionPoint(block, place);
  return b.create<memref::GetGlobalOp>(type, name);
}
