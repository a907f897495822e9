//===- DotProduct.h - products of a matrix and a vector -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_CPU_DOTPRODUCT_H
#define MODELC_CODEGEN_CPU_DOTPRODUCT_H

#include "codegen/cpu/MatmulProduct.h"

namespace modelc {

/// Whether lanes should lie along the inner dimension of `product`: it has one
/// column, which leaves no others.
inline bool isDotProduct(const Product &product, int64_t lanes) {
  return product.columns == 1 && product.depth >= lanes;
}

/// Emits the loops of such a product. Each sum adds in the lanes of one or more
/// vectors, which are added at the end.
void emitDotProducts(KernelBuilder &k, const Product &product, Epilogue &epilogue);

} // namespace modelc

#endif // MODELC_CODEGEN_CPU_DOTPRODUCT_H
