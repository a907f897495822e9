//===- ModelcDialect.h - the modelc dialect and its attributes ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_IR_MODELCDIALECT_H
#define MODELC_IR_MODELCDIALECT_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"

#include "ir/ModelcDialect.h.inc"
#include "ir/ModelcEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ir/ModelcAttrs.h.inc"

#endif // MODELC_IR_MODELCDIALECT_H
