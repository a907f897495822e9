//===- ModelcDialect.td - the dialect and the base classes of its ops -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MODELC_DIALECT_TD
#define MODELC_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Modelc_Dialect : Dialect {
  let name = "modelc";
  let cppNamespace = "::modelc";
  let summary = "Semantic operations of trained models on ranked tensors";
  let description = [{
    One operation per meaning, not one per operator of a file format: the
    differences between formats and their versions end in the importers.
    Values are ranked tensors. Signed integers are signless (`i8` ... `i64`),
    unsigned ones carry their sign (`ui8` ... `ui64`), booleans are `i1`.
    See RATIONALE.md for why the dialect is the way it is.
  }];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::math::MathDialect",
    "mlir::func::FuncDialect", "mlir::scf::SCFDialect",
    "mlir::memref::MemRefDialect"
  ];
  let useDefaultAttributePrinterParser = 1;
  // Attributes stay in the dictionary: importers build ops from a list of
  // attributes and ask for the result types before the op exists.
  let usePropertiesForAttributes = 0;
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
}

// Element types that a tensor of this dialect may have.
def Modelc_Tensor : RankedTensorOf<[AnyFloat, AnyInteger]>;
def Modelc_FloatTensor : RankedTensorOf<[AnyFloat]>;
def Modelc_BoolTensor : RankedTensorOf<[I1]>;
def Modelc_IndexTensor : RankedTensorOf<[I32, I64]>;
def Modelc_IntegerTensor : RankedTensorOf<[AnyInteger]>;

class Modelc_Op<string mnemonic, list<Trait> traits = []>
    : Op<Modelc_Dialect, mnemonic, traits>;

// An op without side effects whose result types follow from its operands and
// attributes. `infer` is the body of the inference; it sees `operands`,
// `attributes`, `location` and fills `inferredReturnTypes`.
class Modelc_InferredOp<string mnemonic, list<Trait> traits = []>
    : Modelc_Op<mnemonic, !listconcat(
          [Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>], traits)> {
  let assemblyFormat = [{
    operands attr-dict `:` functional-type(operands, results)
  }];
}

#endif // MODELC_DIALECT_TD
