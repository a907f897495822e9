//===- ModelcAttrs.td - attributes of the dialect -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MODELC_ATTRS_TD
#define MODELC_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "ir/ModelcDialect.td"
include "ir/ModelcEnums.td"

class Modelc_Attr<string name, string attrMnemonic>
    : AttrDef<Modelc_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Modelc_PlaceAttr : Modelc_Attr<"Place", "place"> {
  let summary = "where a tensor lives while the model runs";
  let description = [{
    `space` names the memory, `number` which input or output (0 elsewhere),
    `offset` the first byte in it. Set by the memory planner.
  }];
  let parameters = (ins EnumParameter<Modelc_MemorySpace>:$space,
                        "uint32_t":$number, "uint64_t":$offset);
  let assemblyFormat = "`<` $space `,` $number `,` $offset `>`";
}

def Modelc_TargetAttr : Modelc_Attr<"Target", "target"> {
  let summary = "facts of the target that passes decide by";
  let description = [{
    `vectorBytes` is the width of a vector register (0: none),
    `vectorRegisters` their number, `hasFma` whether fused multiply-add is one
    instruction, `pointerBits` the width of an address.
  }];
  let parameters = (ins StringRefParameter<>:$name, "unsigned":$vectorBytes,
                        "unsigned":$vectorRegisters, "bool":$hasFma,
                        "unsigned":$pointerBits);
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif // MODELC_ATTRS_TD
