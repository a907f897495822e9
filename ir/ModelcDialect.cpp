//===- ModelcDialect.cpp - the modelc dialect and its attributes ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ModelcDialect.h"
#include "ir/ModelcOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "ir/ModelcDialect.cpp.inc"
#include "ir/ModelcEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ir/ModelcAttrs.cpp.inc"

using namespace modelc;

void ModelcDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "ir/ModelcOps.cpp.inc"
      >();
}

void ModelcDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/ModelcAttrs.cpp.inc"
      >();
}
