// Operands that say how large a result is, or which of its dimensions count.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/OpRegistry.h"
#include "llvm/ADT/StringSwitch.h"

std::vector<unsigned> modelc::shapeOperands(llvm::StringRef op) {
  using List = std::vector<unsigned>;
  return llvm::StringSwitch<List>(op)
      .Cases("Reshape", "Expand", "Tile", "Squeeze", "Unsqueeze", List{1})
      .Cases("Split", "SplitToSequence", "TopK", "CenterCropPad", List{1})
      .Cases("ReduceSum", "ReduceMax", "ReduceMin", "ReduceMean", "ReduceProd", List{1})
      .Cases("ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceSumSquare", List{1})
      .Case("ConstantOfShape", List{0})
      .Case("Slice", List{1, 2, 3, 4})
      .Case("Pad", List{1, 3})
      .Case("Resize", List{1, 2, 3})
      .Case("Upsample", List{1})
      .Case("Range", List{0, 1, 2})
      .Case("OneHot", List{1})
      .Case("Col2Im", List{1, 2})
      .Case("DFT", List{1, 2})
      .Case("STFT", List{1, 3})
      .Case("MelWeightMatrix", List{0, 1, 2, 3, 4})
      .Cases("HannWindow", "HammingWindow", "BlackmanWindow", List{0})
      .Case("AffineGrid", List{1})
      .Case("MaxUnpool", List{2})
      .Cases("CumSum", "CumProd", "Trilu", "Compress", List{1})
      .Case("NonZero", List{0})
      .Cases("SequenceAt", "SequenceErase", List{1})
      .Case("SequenceInsert", List{2})
      .Default({});
}
