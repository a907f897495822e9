//===- ModelSummary.h - what a model file says about itself ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_TOOLS_MODELC_MODELSUMMARY_H
#define MODELC_TOOLS_MODELC_MODELSUMMARY_H

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>
#include <vector>

namespace modelc {

/// Known without an import, so also of models that cannot be imported yet. All
/// texts are the model's: any bytes.
struct ModelSummary {
  struct Value {
    std::string name;
    std::string type;              ///< "float", or what else the format calls it
    std::vector<std::string> dims; ///< extents, names, or "?"
    bool hasShape = false;
  };
  struct Node {
    std::string description; ///< fit for a message
    std::vector<std::string> results;
  };

  std::string format;
  std::map<std::string, int64_t> opsets; ///< by domain
  std::string producer;
  std::vector<Value> inputs, outputs;
  std::map<std::string, uint64_t> opCounts; ///< subgraphs and functions included
  uint64_t parameters = 0;                  ///< elements of all initializers
  std::vector<Node> nodes;                  ///< of the main graph
};

/// Problems are diagnostics of `context`.
llvm::Expected<ModelSummary> summarizeModel(llvm::StringRef path, mlir::MLIRContext &context);

} // namespace modelc

#endif // MODELC_TOOLS_MODELC_MODELSUMMARY_H
