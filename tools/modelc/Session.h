//===- Session.h - a model on its way from a file to running code ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_TOOLS_MODELC_SESSION_H
#define MODELC_TOOLS_MODELC_SESSION_H

#include "codegen/emit/LoadedModel.h"
#include "codegen/model/Evaluator.h"
#include "codegen/model/ModelCompiler.h"
#include "mlir/IR/OwningOpRef.h"
#include "passes/stream/Stream.h"
#include "tools/modelc/ModelArguments.h"
#include "tools/modelc/ModelSummary.h"

namespace modelc {

/// What all commands do with a model. Each step needs the one before it.
class Session {
public:
  /// Reads the flags of importFlags and targetFlags.
  static llvm::Expected<std::unique_ptr<Session>> create(const Arguments &arguments,
                                                         llvm::StringRef path);

  llvm::Error import();
  llvm::Error plan();
  llvm::Error compile();
  /// Refuses code that this machine cannot execute.
  llvm::Expected<LoadedModel> load();
  /// All of these.
  llvm::Expected<LoadedModel> importAndLoad();

  mlir::ModuleOp module() { return *imported; }
  /// Sizes that the memory plan states: "scratch", "weight".
  uint64_t plannedBytes(llvm::StringRef memory);

  ToolContext context;
  std::string path;
  Target target;
  ImportOptions importOptions;
  std::vector<std::string> states;  ///< --state
  std::vector<std::string> streams; ///< --stream
  int64_t lookahead = 0;            ///< --lookahead; negative: any
  /// Runs of the streamed model that the offline one is as long as, where the
  /// model leaves its length open; 0: chosen.
  int64_t offlineRuns = 0;
  bool keepsOffline = false; ///< import stops before the model is made streaming
  CompileOptions options;
  EmitOptions emitOptions;
  uint64_t multiplyAdds = 0; ///< after import
  CompiledModel model;       ///< after compile

private:
  Session() = default;
  llvm::Error readStreams(const Arguments &arguments);
  llvm::Error resolveStreams();
  llvm::Error bindTime(const ModelSummary::Value &input, const StreamSpec &spec);
  llvm::Error makeStreaming();

  std::unique_ptr<KernelEvaluator> evaluator;
  mlir::OwningOpRef<mlir::ModuleOp> imported;
};

} // namespace modelc

#endif // MODELC_TOOLS_MODELC_SESSION_H
