//===- ModelcOps.td - all ops of the dialect ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

include "ir/ModelcAttrs.td"
include "ir/ops/ElementwiseOps.td"
include "ir/ops/LinearOps.td"
include "ir/ops/ModelOps.td"
include "ir/ops/QuantOps.td"
include "ir/ops/RecurrentOps.td"
include "ir/ops/ReduceOps.td"
include "ir/ops/ShapeOps.td"
include "ir/ops/SpectralOps.td"
