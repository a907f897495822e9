// ONNX operators that run a cell along time: GRU, LSTM, RNN.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/NodeBinder.h"

using namespace mlir;

namespace modelc {

namespace {

/// One activation function and which parameters it takes, with defaults.
struct ActivationInfo {
  llvm::StringRef name;
  Activation kind;
  bool hasAlpha, hasBeta;
  double alpha, beta;
};

constexpr ActivationInfo activationTable[] = {
    {"sigmoid", Activation::Sigmoid, false, false, 0, 0},
    {"tanh", Activation::Tanh, false, false, 0, 0},
    {"relu", Activation::Relu, false, false, 0, 0},
    {"affine", Activation::Affine, true, true, 1.0, 0},
    {"leakyrelu", Activation::LeakyRelu, true, false, 0.01, 0},
    {"thresholdedrelu", Activation::ThresholdedRelu, true, false, 1.0, 0},
    {"scaledtanh", Activation::ScaledTanh, true, true, 1.0, 1.0},
    {"hardsigmoid", Activation::HardSigmoid, true, true, 0.2, 0.5},
    {"elu", Activation::Elu, true, false, 1.0, 0},
    {"softsign", Activation::Softsign, false, false, 0, 0},
    {"softplus", Activation::Softplus, false, false, 0, 0},
};

const ActivationInfo *findActivation(llvm::StringRef name) {
  std::string lower = name.lower();
  for (const ActivationInfo &info : activationTable) {
    if (info.name == lower) {
      return &info;
    }
  }
  return nullptr;
}

/// A recurrent node, with what the cells have in common read and completed.
class RecurrentReader {
public:
  /// `gates` rows of weights per hidden unit; `activations` are the defaults
  /// of one direction.
  RecurrentReader(NodeBinder &b, int64_t gates, llvm::ArrayRef<llvm::StringRef> activations)
      : b(b), gates(gates), defaults(activations) {}

  LogicalResult read();

  NodeBinder &b;
  int64_t gates;
  llvm::SmallVector<llvm::StringRef> defaults;
  int64_t directions = 1, batch = 0, hidden = 0;
  bool isBatchFirst = false;
  /// x, w, r, bias, lengths, initial_h
  llvm::SmallVector<Value> operands;
  llvm::SmallVector<NamedAttribute> attributes;

  /// Operand `i`, a state of shape [directions, batch, hidden], or zeros.
  Value state(unsigned i);
  /// Sets the results in the layout that the node asks for.
  LogicalResult finish(llvm::SmallVector<Value> results);

private:
  LogicalResult readActivations();
};

LogicalResult RecurrentReader::readActivations() {
  std::vector<std::string> names = b.stringsAttr("activations");
  if (names.empty()) {
    for (int64_t i = 0; i < directions; ++i) {
      names.insert(names.end(), defaults.begin(), defaults.end());
    }
  }
  // The standard's default for RNN has one name too many.
  if (b.opType() == "RNN" && names.size() > defaults.size() * directions) {
    names.resize(defaults.size() * directions);
  }
  if (names.size() != defaults.size() * directions) {
    return b.attrError("activations", llvm::Twine(defaults.size() * directions) + " names",
                       llvm::Twine(names.size()));
  }
  // The lists give values in turn to the functions that take a parameter.
  llvm::SmallVector<double> alphaList = b.floatsAttr("activation_alpha");
  llvm::SmallVector<double> betaList = b.floatsAttr("activation_beta");
  auto take = [](llvm::SmallVector<double> &list, bool takes, double otherwise) {
    if (!takes || list.empty()) {
      return otherwise;
    }
    double value = list.front();
    list.erase(list.begin());
    return value;
  };
  llvm::SmallVector<int32_t> kinds;
  llvm::SmallVector<double> alphas, betas;
  for (const std::string &name : names) {
    const ActivationInfo *info = findActivation(name);
    if (!info) {
      return b.attrError("activations", "a known activation function", "'" + name + "'");
    }
    kinds.push_back(static_cast<int32_t>(info->kind));
    alphas.push_back(take(alphaList, info->hasAlpha, info->alpha));
    betas.push_back(take(betaList, info->hasBeta, info->beta));
  }
  Builder &builder = b.getImporter().getBuilder();
  attributes.push_back(b.named("activations", builder.getDenseI32ArrayAttr(kinds)));
  attributes.push_back(b.named("alphas", builder.getDenseF64ArrayAttr(alphas)));
  attributes.push_back(b.named("betas", builder.getDenseF64ArrayAttr(betas)));
  return success();
}

LogicalResult RecurrentReader::read() {
  if (b.rank(0) != 3 || b.rank(1) != 3 || b.rank(2) != 3) {
    return b.error("expected input and weights of rank 3");
  }
  FailureOr<unsigned> direction =
      b.choiceAttr("direction", {"forward", "reverse", "bidirectional"}, "forward");
  if (failed(direction)) {
    return failure();
  }
  directions = *direction == 2 ? 2 : 1;
  attributes.push_back(
      b.named("direction", DirectionAttr::get(b.context(), static_cast<Direction>(*direction))));
  if (failed(readActivations())) {
    return failure();
  }
  attributes.push_back(b.named("clip", b.floatAttr("clip")));
  isBatchFirst = b.flagAttr("layout");
  hidden = b.shape(2)[2];
  if (b.hasAttr("hidden_size") && b.intAttr("hidden_size") != hidden) {
    return b.attrError("hidden_size", llvm::Twine(hidden), llvm::Twine(b.intAttr("hidden_size")));
  }
  Value x = b.input(0);
  if (isBatchFirst) {
    x = b.transpose(x, {1, 0, 2});
  }
  batch = b.shape(0)[isBatchFirst ? 0 : 1];
  int64_t time = b.shape(0)[isBatchFirst ? 1 : 0];
  Type element = b.elementType(0);
  Value bias = b.hasInput(3) ? b.input(3) : b.splat(element, 0.0, {directions, 2 * gates * hidden});
  if (time > INT32_MAX) {
    return b.error("the sequence is too long");
  }
  Type i32 = IntegerType::get(b.context(), 32);
  Value lengths = b.hasInput(4) ? b.input(4) : b.splat(i32, time, {batch});
  operands = {x, b.input(1), b.input(2), bias, lengths, state(5)};
  return success();
}

Value RecurrentReader::state(unsigned i) {
  if (!b.hasInput(i)) {
    return b.splat(b.elementType(0), 0.0, {directions, batch, hidden});
  }
  return isBatchFirst ? b.transpose(b.input(i), {1, 0, 2}) : b.input(i);
}

LogicalResult RecurrentReader::finish(llvm::SmallVector<Value> results) {
  for (auto [i, result] : llvm::enumerate(results)) {
    if (!b.hasOutput(i)) {
      continue;
    }
    if (isBatchFirst) {
      result = i == 0 ? b.transpose(result, {2, 0, 1, 3}) : b.transpose(result, {1, 0, 2});
    }
    if (failed(b.setResult(i, result))) {
      return failure();
    }
  }
  return success();
}

} // namespace

static LogicalResult importGru(NodeBinder &b) {
  RecurrentReader reader(b, 3, {"sigmoid", "tanh"});
  if (failed(reader.read())) {
    return failure();
  }
  // Version 1 has only the form that was later called linear_before_reset=0.
  reader.attributes.push_back(b.named("linear_before_reset", b.flagAttr("linear_before_reset")));
  return reader.finish(b.createAll<GruOp>(reader.operands, reader.attributes));
}

static LogicalResult importLstm(NodeBinder &b) {
  RecurrentReader reader(b, 4, {"sigmoid", "tanh", "tanh"});
  if (failed(reader.read())) {
    return failure();
  }
  reader.operands.push_back(reader.state(6));
  reader.operands.push_back(
      b.hasInput(7) ? b.input(7)
                    : b.splat(b.elementType(0), 0.0, {reader.directions, 3 * reader.hidden}));
  reader.attributes.push_back(b.named("input_forget", b.flagAttr("input_forget")));
  return reader.finish(b.createAll<LstmOp>(reader.operands, reader.attributes));
}

static LogicalResult importRnn(NodeBinder &b) {
  RecurrentReader reader(b, 1, {"tanh"});
  if (failed(reader.read())) {
    return failure();
  }
  return reader.finish(b.createAll<RnnOp>(reader.operands, reader.attributes));
}

void registerRecurrentOps(OpRegistry &ops) {
  ops.add("GRU", 1, importGru);
  ops.add("LSTM", 1, importLstm);
  ops.add("RNN", 1, importRnn);
}

} // namespace modelc
