// Checks a node against the standard before anything reads it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_FRONTEND_ONNX_NODECHECK_H
#define MODELC_FRONTEND_ONNX_NODECHECK_H

#include "frontend/onnx/schema/Schema.h"

#include <string>

namespace modelc {

/// What is wrong with the numbers of operands and results, or with the
/// attributes, of `node`; '' if nothing is. Attributes that the standard does
/// not know are tolerated: exporters leave notes in them.
std::string checkNode(const onnx::NodeProto &node, const OnnxSchema &schema);

} // namespace modelc

#endif // MODELC_FRONTEND_ONNX_NODECHECK_H
