// Which operators the ONNX importer knows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/OpRegistry.h"

#include "frontend/Importer.h"
#include "frontend/onnx/schema/Schema.h"

#include <algorithm>
#include <tuple>

namespace modelc {

void OpRegistry::add(llvm::StringRef domain, llvm::StringRef op, int sinceVersion,
                     Handler handler) {
  handlers[domain.str()][op.str()][sinceVersion] = handler;
}

OpRegistry::Handler OpRegistry::find(llvm::StringRef domain, llvm::StringRef op,
                                     int version) const {
  auto inDomain = handlers.find(domain.str());
  if (inDomain == handlers.end()) {
    return nullptr;
  }
  auto versions = inDomain->second.find(op.str());
  if (versions == inDomain->second.end()) {
    return nullptr;
  }
  auto newer = versions->second.upper_bound(version);
  return newer == versions->second.begin() ? nullptr : std::prev(newer)->second;
}

std::vector<OpRegistry::Entry> OpRegistry::list() const {
  std::vector<Entry> entries;
  for (const auto &[domain, ops] : handlers) {
    for (const auto &[op, versions] : ops) {
      for (const auto &[version, handler] : versions) {
        entries.push_back({domain, op, version});
      }
    }
  }
  return entries;
}

const OpRegistry &onnxOps() {
  static const OpRegistry registry = [] {
    OpRegistry ops;
    registerAttentionOps(ops);
    registerConstantOps(ops);
    registerControlOps(ops);
    registerElementwiseOps(ops);
    registerGatherOps(ops);
    registerGridSampleOps(ops);
    registerLinearOps(ops);
    registerMicrosoftOps(ops);
    registerNonzeroOps(ops);
    registerNormOps(ops);
    registerPoolOps(ops);
    registerQuantOps(ops);
    registerRecurrentOps(ops);
    registerReduceOps(ops);
    registerResizeOps(ops);
    registerScatterOps(ops);
    registerSequenceOps(ops);
    registerShapeOps(ops);
    registerSignalOps(ops);
    registerSignalTableOps(ops);
    registerSliceOps(ops);
    registerTorchSignalOps(ops);
    return ops;
  }();
  return registry;
}

std::vector<SupportedOp> supportedOnnxOps() {
  std::vector<SupportedOp> ops;
  for (const OpRegistry::Entry &entry : onnxOps().list()) {
    ops.push_back({entry.domain, entry.op, entry.sinceVersion, false, shapeOperands(entry.op)});
  }
  for (const OnnxOpName &name : onnxOpsWithFunctionBody()) {
    if (!onnxOps().find(name.domain, name.name, name.sinceVersion)) {
      ops.push_back({name.domain, name.name, name.sinceVersion, true, shapeOperands(name.name)});
    }
  }
  std::sort(ops.begin(), ops.end(), [](const SupportedOp &a, const SupportedOp &b) {
    return std::tie(a.domain, a.name, a.sinceVersion) < std::tie(b.domain, b.name, b.sinceVersion);
  });
  return ops;
}

} // namespace modelc
