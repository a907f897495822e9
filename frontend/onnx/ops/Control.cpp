// ONNX operators with subgraphs: If, Loop, Scan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/Quote.h"
#include "frontend/onnx/NodeBinder.h"
#include "ir/ConstantData.h"

using namespace mlir;

namespace modelc {

/// More iterations than this are not written out one by one.
static constexpr int64_t maxUnrolled = 4096;

/// Whether `op` reports an index out of range that it meets at run time.
static bool canReportIndex(Operation &op) {
  return isa<GatherOp, GatherElementsOp, GatherNdOp, ScatterElementsOp, ScatterNdOp>(op) &&
         !op.getOperand(1).getDefiningOp<ConstantOp>();
}

/// Imports a branch of an If whose condition is known at run time only.
static LogicalResult importBranch(NodeBinder &b, llvm::StringRef name,
                                  llvm::SmallVectorImpl<Value> &results) {
  Block *block = b.getImporter().getBuilder().getInsertionBlock();
  Operation *last = block->empty() ? nullptr : &block->back();
  if (failed(b.inlineGraph(name, {}, results))) {
    return failure();
  }
  auto first = last ? std::next(last->getIterator()) : block->begin();
  // The branch that is not taken is computed too, and must not fail.
  if (llvm::any_of(llvm::make_range(first, block->end()), canReportIndex)) {
    return b.error("the branches look up values at indices that are not known, so the condition "
                   "must be known at compile time" +
                   b.getImporter().describeSources(b.input(0)));
  }
  return success();
}

/// A branch that is known is imported in place. Else both are computed, which
/// is right since operations have no side effects, and one is selected.
static LogicalResult importIf(NodeBinder &b) {
  Value condition = b.input(0);
  if (!isa<RankedTensorType>(condition.getType()) || b.type(0).getNumElements() != 1) {
    return b.error("the condition must have one element");
  }
  if (ElementsAttr known = b.getImporter().requireConstant(condition)) {
    std::optional<llvm::SmallVector<int64_t>> value = constantIntegers(known);
    if (!value || value->size() != 1) {
      return b.error("the condition must be a boolean");
    }
    llvm::SmallVector<Value> results;
    if (failed(b.inlineGraph(value->front() ? "then_branch" : "else_branch", {}, results))) {
      return failure();
    }
    return b.setResults(results);
  }
  llvm::SmallVector<Value> whenTrue, whenFalse;
  if (failed(importBranch(b, "then_branch", whenTrue)) ||
      failed(importBranch(b, "else_branch", whenFalse))) {
    return failure();
  }
  if (whenTrue.size() != whenFalse.size()) {
    return b.error("the branches have different numbers of results");
  }
  Value scalar = b.reshape(condition, {});
  for (unsigned i = 0; i < whenTrue.size(); ++i) {
    if (!whenTrue[i] || !whenFalse[i] || whenTrue[i].getType() != whenFalse[i].getType()) {
      return b.error("the branches give different types, so the condition must be known at compile "
                     "time" +
                     b.getImporter().describeSources(condition));
    }
    if (!isa<RankedTensorType>(whenTrue[i].getType())) {
      return b.error("unsupported choice between sequences at run time");
    }
    if (failed(b.setResult(i, b.create<SelectOp>({scalar, whenTrue[i], whenFalse[i]})))) {
      return failure();
    }
  }
  return success();
}

/// Joins the values that the iterations of a loop gave for one output.
static Value stack(NodeBinder &b, llvm::ArrayRef<Value> slices, int64_t axis) {
  llvm::SmallVector<Value> parts;
  for (Value slice : slices) {
    if (!isa<RankedTensorType>(slice.getType())) {
      (void)b.error("a stacked result must be a tensor");
      return {};
    }
    llvm::SmallVector<int64_t> shape(b.shapeOf(slice));
    if (axis < -static_cast<int64_t>(shape.size()) - 1 ||
        axis > static_cast<int64_t>(shape.size())) {
      (void)b.error("an output axis is out of range");
      return {};
    }
    shape.insert(shape.begin() + (axis < 0 ? axis + shape.size() + 1 : axis), 1);
    parts.push_back(b.reshape(slice, shape));
  }
  if (parts.empty() || !parts.front()) {
    return {};
  }
  int64_t rank = b.typeOf(parts.front()).getRank();
  return b.create<ConcatOp>(parts, b.named("axis", axis < 0 ? axis + rank : axis));
}

/// A loop whose number of iterations is known is written out.
static LogicalResult importLoop(NodeBinder &b) {
  onnx::GraphProto *body = b.graphAttr("body");
  if (!body) {
    return b.error("attribute 'body' is missing");
  }
  unsigned carried = b.numInputs() < 2 ? 0 : b.numInputs() - 2;
  if (body->input_size() != static_cast<int>(carried) + 2 ||
      body->output_size() < static_cast<int>(carried) + 1) {
    return b.error("the body must take the iteration number, a condition and " +
                   llvm::Twine(carried) + " carried values");
  }
  for (unsigned i : {0u, 1u}) {
    if (b.hasInput(i) && !isa<RankedTensorType>(b.input(i).getType())) {
      return b.error(b.describeInput(i) + " must be a tensor");
    }
  }
  int64_t trips = INT64_MAX;
  if (b.hasInput(0)) {
    FailureOr<int64_t> given = b.constantInt(0);
    if (failed(given)) {
      return failure();
    }
    trips = *given;
  }
  Type i64 = IntegerType::get(b.context(), 64);
  Type i1 = IntegerType::get(b.context(), 1);
  Value condition = b.hasInput(1) ? b.input(1) : b.splat(i1, 1);
  llvm::SmallVector<Value> values;
  for (unsigned i = 0; i < carried; ++i) {
    values.push_back(b.input(i + 2));
  }
  unsigned scans = body->output_size() - 1 - carried;
  std::vector<llvm::SmallVector<Value>> outputs(scans);
  for (int64_t i = 0; i < trips; ++i) {
    ElementsAttr known = b.getImporter().requireConstant(condition);
    auto ints = known ? constantIntegers(known) : std::nullopt;
    if (!ints || ints->size() != 1) {
      return b.error("the condition must be known at compile time" +
                     b.getImporter().describeSources(condition));
    }
    if (ints->front() == 0) {
      break;
    }
    if (i >= maxUnrolled) {
      return b.error("more than " + llvm::Twine(maxUnrolled) + " iterations");
    }
    llvm::SmallVector<Value> arguments = {b.splat(i64, static_cast<double>(i)), condition};
    arguments.append(values);
    llvm::SmallVector<Value> results;
    if (failed(b.inlineGraph("body", arguments, results))) {
      return failure();
    }
    condition = results[0];
    values.assign(results.begin() + 1, results.begin() + 1 + carried);
    for (unsigned s = 0; s < scans; ++s) {
      outputs[s].push_back(results[1 + carried + s]);
    }
  }
  for (unsigned i = 0; i < carried; ++i) {
    if (b.hasOutput(i) && failed(b.setResult(i, values[i]))) {
      return failure();
    }
  }
  for (unsigned s = 0; s < scans; ++s) {
    if (!b.hasOutput(carried + s)) {
      continue;
    }
    if (outputs[s].empty()) {
      return b.error("a loop without iterations has no stacked result");
    }
    if (failed(b.setResult(carried + s, stack(b, outputs[s], 0)))) {
      return failure();
    }
  }
  return success();
}

/// Entry `i` of an axis of `value`, without that axis.
static Value takeIndex(NodeBinder &b, Value value, int64_t axis, int64_t i) {
  llvm::SmallVector<int64_t> starts(b.typeOf(value).getRank(), 0), sizes(b.shapeOf(value)),
      steps(starts.size(), 1);
  starts[axis] = i;
  sizes[axis] = 1;
  Value one = b.create<SliceOp>(
      value, {b.named("starts", starts), b.named("sizes", sizes), b.named("steps", steps)});
  sizes.erase(sizes.begin() + axis);
  return b.reshape(one, sizes);
}

/// Entry `i` of an attribute with one entry per operand, or 0.
static int64_t entry(llvm::ArrayRef<int64_t> list, size_t i) {
  return i < list.size() ? list[i] : 0;
}

static LogicalResult importScan(NodeBinder &b) {
  // Version 8 has a batch dimension in front and an operand for lengths.
  bool isBatched = b.version() < 9;
  unsigned first = isBatched ? 1 : 0;
  if (isBatched && b.hasInput(0)) {
    return b.error("unsupported sequence lengths");
  }
  int64_t scanned = b.intAttr("num_scan_inputs");
  int64_t operands = static_cast<int64_t>(b.numInputs()) - first;
  onnx::GraphProto *body = b.graphAttr("body");
  if (!body || scanned < 1 || scanned > operands || body->input_size() != operands ||
      body->output_size() < operands - scanned) {
    return b.error("the body does not fit the number of operands");
  }
  unsigned states = operands - scanned;
  unsigned scans = body->output_size() - states;
  llvm::SmallVector<int64_t> inputAxes = b.intsAttr("scan_input_axes");
  llvm::SmallVector<int64_t> outputAxes = b.intsAttr("scan_output_axes");
  llvm::SmallVector<int64_t> inputOrder =
      b.intsAttr(isBatched ? "directions" : "scan_input_directions");
  llvm::SmallVector<int64_t> outputOrder = b.intsAttr("scan_output_directions");

  if (isBatched && b.rank(first) == 0) {
    return b.error("the batch dimension is missing");
  }
  int64_t batch = isBatched ? b.shape(first)[0] : 1;
  if (batch > maxUnrolled) {
    return b.error("more than " + llvm::Twine(maxUnrolled) + " entries of the batch");
  }
  std::vector<llvm::SmallVector<Value>> perBatch(states + scans);
  for (int64_t entryOfBatch = 0; entryOfBatch < batch; ++entryOfBatch) {
    llvm::SmallVector<Value> values, sources;
    llvm::SmallVector<int64_t> axes;
    int64_t length = -1;
    for (unsigned i = 0; i < operands; ++i) {
      Value operand = b.input(first + i);
      if (isBatched) {
        if (b.rank(first + i) < 1 || b.shape(first + i)[0] != batch) {
          return b.error("the batch dimensions differ");
        }
        operand = takeIndex(b, operand, 0, entryOfBatch);
        if (!operand) {
          return failure();
        }
      }
      if (i < states) {
        values.push_back(operand);
        continue;
      }
      FailureOr<int64_t> axis =
          b.normalizeAxis(entry(inputAxes, i - states), b.typeOf(operand).getRank());
      if (failed(axis)) {
        return failure();
      }
      int64_t extent = b.shapeOf(operand)[*axis];
      if (length >= 0 && extent != length) {
        return b.error("the scanned axes have different extents");
      }
      length = extent;
      sources.push_back(operand);
      axes.push_back(*axis);
    }
    if (length > maxUnrolled) {
      return b.error("more than " + llvm::Twine(maxUnrolled) + " iterations");
    }
    std::vector<llvm::SmallVector<Value>> outputs(scans);
    for (int64_t i = 0; i < length; ++i) {
      llvm::SmallVector<Value> arguments(values);
      for (unsigned s = 0; s < sources.size(); ++s) {
        int64_t at = entry(inputOrder, s) ? length - 1 - i : i;
        arguments.push_back(takeIndex(b, sources[s], axes[s], at));
        if (!arguments.back()) {
          return failure();
        }
      }
      llvm::SmallVector<Value> results;
      if (failed(b.inlineGraph("body", arguments, results))) {
        return failure();
      }
      values.assign(results.begin(), results.begin() + states);
      for (unsigned s = 0; s < scans; ++s) {
        outputs[s].push_back(results[states + s]);
      }
    }
    for (unsigned i = 0; i < states; ++i) {
      perBatch[i].push_back(values[i]);
    }
    for (unsigned s = 0; s < scans; ++s) {
      if (entry(outputOrder, s)) {
        std::reverse(outputs[s].begin(), outputs[s].end());
      }
      perBatch[states + s].push_back(stack(b, outputs[s], entry(outputAxes, s)));
    }
  }
  for (unsigned i = 0; i < states + scans; ++i) {
    if (!b.hasOutput(i)) {
      continue;
    }
    if (perBatch[i].empty() || llvm::is_contained(perBatch[i], Value())) {
      return b.hasFailed() ? failure()
                           : b.error("a scan without iterations has no "
                                     "stacked result");
    }
    Value result = isBatched ? stack(b, perBatch[i], 0) : perBatch[i][0];
    if (failed(b.setResult(i, result))) {
      return failure();
    }
  }
  return success();
}

void registerControlOps(OpRegistry &ops) {
  ops.add("If", 1, importIf);
  ops.add("Loop", 1, importLoop);
  ops.add("Scan", 1, importScan);
}

} // namespace modelc
