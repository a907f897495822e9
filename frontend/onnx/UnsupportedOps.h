// The operators of a model that modelc does not support.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_FRONTEND_ONNX_UNSUPPORTEDOPS_H
#define MODELC_FRONTEND_ONNX_UNSUPPORTEDOPS_H

#include "mlir/IR/Location.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/StringRef.h"

#include <map>
#include <string>
#include <tuple>

namespace modelc {

/// Gathers unsupported operators over the whole model, so that one run names
/// them all.
class UnsupportedOps {
public:
  void add(const onnx::NodeProto &node, int index, int version);
  bool empty() const { return ops.empty(); }
  /// One error that lists every operator with its count and first node.
  void report(mlir::Location location) const;

private:
  struct Use {
    unsigned count = 0;
    std::string firstNode;
  };
  // Key: domain, operator, version.
  std::map<std::tuple<std::string, std::string, int>, Use> ops;
};

} // namespace modelc

#endif // MODELC_FRONTEND_ONNX_UNSUPPORTEDOPS_H
