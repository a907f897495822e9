// The inputs of an ONNX model: open dimensions get extents, inputs may become
// constants.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/Quote.h"
#include "frontend/TensorBytes.h"
#include "frontend/onnx/GraphImporter.h"
#include "frontend/onnx/TensorData.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <set>

using namespace mlir;

namespace modelc {

namespace {

/// Dimensions by name that exporters use for the batch.
bool isBatchLike(llvm::StringRef name) {
  std::string lower = name.lower();
  return llvm::StringRef(lower).contains("batch") || lower == "n" || lower == "b" || lower == "bs";
}

/// Finds an extent for every dimension of every input.
class DimensionBinder {
public:
  DimensionBinder(const ImportOptions &options, Location location)
      : options(options), location(location) {
    for (const auto &[name, extent] : options.dims) {
      bound[name] = extent;
    }
  }

  /// Names that a full shape fixes hold for the other inputs as well.
  LogicalResult bindShapes(const onnx::GraphProto &graph) {
    for (const auto &[name, shape] : options.shapes) {
      for (int64_t extent : shape) {
        if (extent < 0) {
          return emitError(location) << "--shape " << name << ": negative extent " << extent;
        }
      }
      auto input = llvm::find_if(graph.input(), [&, &name = name](const auto &candidate) {
        return candidate.name() == name;
      });
      if (input == graph.input().end()) {
        continue; // reported with the other unknown names
      }
      const auto &dims = input->type().tensor_type().shape().dim();
      if (!input->type().tensor_type().has_shape()) {
        continue;
      }
      if (shape.size() != static_cast<size_t>(dims.size())) {
        return emitError(location) << "--shape " << name << ": expected " << dims.size()
                                   << " dimensions, got " << shape.size();
      }
      for (auto [dim, extent] : llvm::zip(dims, shape)) {
        if (dim.has_dim_value() && dim.dim_value() >= 0 && dim.dim_value() != extent) {
          return emitError(location) << "--shape " << name << ": the model fixes a dimension to "
                                     << dim.dim_value() << ", got " << extent;
        }
        if (dim.dim_param().empty()) {
          continue;
        }
        auto [it, isNew] = bound.try_emplace(dim.dim_param(), extent);
        if (!isNew && it->second != extent) {
          return emitError(location)
                 << "the dimension " << quoted(dim.dim_param()) << " is given two extents, "
                 << it->second << " and " << extent;
        }
      }
    }
    return success();
  }

  /// A leading or batch-like name is 1 in every input that mentions it.
  void bindBatch(const onnx::ValueInfoProto &input) {
    if (isGivenWhole(input.name())) {
      return;
    }
    const auto &dims = input.type().tensor_type().shape().dim();
    for (auto [i, dim] : llvm::enumerate(dims)) {
      const std::string &name = dim.dim_param();
      if (!name.empty() && (i == 0 || isBatchLike(name)) && bound.try_emplace(name, 1).second) {
        noteGuess(input, i, name);
      }
    }
  }

  /// The extents of `input`; nothing if one stays open, which
  /// `reportOpenInputs` tells.
  std::optional<llvm::SmallVector<int64_t>> extents(const onnx::ValueInfoProto &input) {
    for (const auto &[name, shape] : options.shapes) {
      if (name == input.name()) {
        return shape;
      }
    }
    const auto &tensor = input.type().tensor_type();
    std::string flag = "--shape " + flagText(input.name()) + "=";
    if (!tensor.has_shape()) {
      openInputs.push_back(quoted(input.name()) + " has no shape");
      flags.insert(flag + "EXTENTxEXTENT...");
      return std::nullopt;
    }
    llvm::SmallVector<int64_t> result;
    llvm::SmallVector<std::string> texts, names;
    bool hasUnnamed = false;
    for (auto [i, dim] : llvm::enumerate(tensor.shape().dim())) {
      const std::string &name = dim.dim_param();
      int64_t extent = -1;
      if (dim.has_dim_value() && dim.dim_value() >= 0) {
        extent = dim.dim_value();
      } else if (!name.empty() && bound.count(name)) {
        extent = bound[name];
      } else if (name.empty() && i == 0) {
        extent = 1;
        noteGuess(input, i, "");
      } else if (name.empty()) {
        hasUnnamed = true;
      } else {
        names.push_back(name);
      }
      result.push_back(extent);
      texts.push_back(extent >= 0    ? std::to_string(extent)
                      : name.empty() ? "EXTENT"
                                     : flagText(name));
    }
    if (!hasUnnamed && names.empty()) {
      return result;
    }
    openInputs.push_back(quoted(input.name()) + " is " + llvm::join(texts, "x"));
    if (hasUnnamed) {
      flags.insert(flag + llvm::join(texts, "x"));
    }
    for (const std::string &name : names) {
      // A full shape gives the named dimensions as well.
      if (!hasUnnamed) {
        flags.insert("--dim " + flagText(name) + "=EXTENT");
      }
    }
    return std::nullopt;
  }

  LogicalResult reportOpenInputs() {
    if (openInputs.empty()) {
      return success();
    }
    return emitError(location) << "the model leaves dimensions open: input "
                               << llvm::join(openInputs, ", input ") << "; add "
                               << llvm::join(flags, " ");
  }

private:
  bool isGivenWhole(llvm::StringRef input) const {
    return llvm::any_of(options.shapes, [&](const auto &shape) { return shape.first == input; });
  }

  void noteGuess(const onnx::ValueInfoProto &input, size_t dimension, llvm::StringRef name) {
    InFlightDiagnostic note = emitRemark(location);
    note << "input " << quoted(input.name()) << ": dimension " << dimension;
    if (!name.empty()) {
      note << " (" << quoted(name) << ")";
    }
    note << " is left open by the model and becomes 1; ";
    if (name.empty()) {
      note << "--shape sets it";
    } else {
      note << "--dim " << flagText(name) << "=EXTENT sets it";
    }
  }

  const ImportOptions &options;
  Location location;
  llvm::StringMap<int64_t> bound;
  llvm::SmallVector<std::string> openInputs;
  llvm::SetVector<std::string, std::vector<std::string>, std::set<std::string>> flags;
};

/// One number of a `--const` list as an attribute of `type`, or null.
Attribute parseNumber(llvm::StringRef text, Type type) {
  text = text.trim();
  if (auto floatType = dyn_cast<FloatType>(type)) {
    double value;
    if (text.getAsDouble(value)) {
      return {};
    }
    return FloatAttr::get(floatType, value);
  }
  auto integer = cast<IntegerType>(type);
  unsigned width = integer.getWidth();
  if (width == 1) {
    if (text != "true" && text != "false" && text != "1" && text != "0") {
      return {};
    }
    return BoolAttr::get(type.getContext(), text == "true" || text == "1");
  }
  int64_t value = 0;
  uint64_t unsignedValue = 0;
  if (integer.isUnsigned()) {
    if (text.getAsInteger(10, unsignedValue) || !llvm::isUIntN(width, unsignedValue)) {
      return {};
    }
    return IntegerAttr::get(type, llvm::APInt(width, unsignedValue));
  }
  if (text.getAsInteger(10, value) || !llvm::isIntN(width, value)) {
    return {};
  }
  return IntegerAttr::get(type, llvm::APInt(width, value, /*isSigned=*/true));
}

/// The text of an option that names something the model does not have.
LogicalResult checkNames(const ImportOptions &options, const onnx::GraphProto &graph,
                         const llvm::StringSet<> &inputs, Location location) {
  std::string known;
  for (const onnx::ValueInfoProto &input : graph.input()) {
    if (inputs.contains(input.name())) {
      known += (known.empty() ? "" : ", ") + quoted(input.name());
    }
  }
  auto check = [&](llvm::StringRef flag, llvm::StringRef name) {
    if (inputs.contains(name)) {
      return success();
    }
    return LogicalResult(emitError(location) << flag << ": the model has no input " << quoted(name)
                                             << "; it has " << known);
  };
  for (const auto &[name, shape] : options.shapes) {
    if (failed(check("--shape", name))) {
      return failure();
    }
  }
  for (const auto &[name, value] : options.constants) {
    if (failed(check("--const", name))) {
      return failure();
    }
  }
  for (const auto &[name, value] : options.constantTensors) {
    if (failed(check("--const", name))) {
      return failure();
    }
  }
  for (const auto &[name, extent] : options.dims) {
    bool isKnown = llvm::any_of(graph.input(), [&, &name = name](const auto &input) {
      return llvm::any_of(input.type().tensor_type().shape().dim(),
                          [&](const auto &dim) { return dim.dim_param() == name; });
    });
    if (!isKnown) {
      return emitError(location) << "--dim: no input has a dimension " << quoted(name);
    }
    if (extent < 0) {
      return emitError(location) << "--dim " << name << ": negative extent " << extent;
    }
  }
  return success();
}

} // namespace

LogicalResult GraphImporter::bindConstant(const onnx::ValueInfoProto &input, RankedTensorType type,
                                          llvm::StringRef text, Scope &scope) {
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, ',');
  llvm::SmallVector<Attribute> values;
  for (llvm::StringRef word : words) {
    Attribute value = parseNumber(word, type.getElementType());
    if (!value) {
      return emitError(fileLocation)
             << "--const " << flagText(input.name()) << ": expected a value of "
             << onnxTypeName(input.type().tensor_type().elem_type()) << ", got " << quoted(word);
    }
    values.push_back(value);
  }
  if (values.size() != 1 && static_cast<int64_t>(values.size()) != type.getNumElements()) {
    return emitError(fileLocation) << "--const " << flagText(input.name()) << ": expected 1 or "
                                   << type.getNumElements() << " values, got " << values.size();
  }
  scope.define(input.name(), createConstant(fileLocation, DenseElementsAttr::get(type, values)));
  return success();
}

LogicalResult GraphImporter::bindInputs(Scope &scope, llvm::SmallVectorImpl<Type> &types,
                                        llvm::SmallVectorImpl<std::string> &names) {
  const onnx::GraphProto &graph = model.proto.graph();
  // An initializer with the name of an input is its default value; the
  // default is taken.
  llvm::StringSet<> open;
  for (const onnx::ValueInfoProto &input : graph.input()) {
    if (scope.find(input.name()).kind == Scope::Entry::Undefined) {
      open.insert(input.name());
    }
  }
  if (failed(checkNames(options, graph, open, fileLocation))) {
    return failure();
  }
  DimensionBinder dimensions(options, fileLocation);
  if (failed(dimensions.bindShapes(graph))) {
    return failure();
  }
  bool isComplete = true;
  for (const onnx::ValueInfoProto &input : graph.input()) {
    if (open.contains(input.name())) {
      dimensions.bindBatch(input);
    }
  }
  for (const onnx::ValueInfoProto &input : graph.input()) {
    if (!open.contains(input.name())) {
      continue;
    }
    if (!input.type().has_tensor_type()) {
      emitError(fileLocation) << "input " << quoted(input.name())
                              << ": unsupported type, expected a tensor";
      isComplete = false;
      continue;
    }
    int dataType = input.type().tensor_type().elem_type();
    Type element = elementTypeFromOnnx(dataType, getContext());
    if (!element || !isComputable(element)) {
      emitError(fileLocation) << "input " << quoted(input.name()) << ": unsupported element type "
                              << onnxTypeName(dataType);
      isComplete = false;
      continue;
    }
    auto extents = dimensions.extents(input);
    if (!extents) {
      continue;
    }
    std::optional<uint64_t> bytes = storedBytes(*extents, element);
    if (!bytes || *bytes > options.limits.tensorBytes) {
      return emitError(fileLocation) << "input " << quoted(input.name()) << " is too large";
    }
    auto type = RankedTensorType::get(*extents, element);
    auto constant =
        llvm::find_if(options.constants, [&](const auto &c) { return c.first == input.name(); });
    if (constant != options.constants.end()) {
      if (failed(bindConstant(input, type, constant->second, scope))) {
        return failure();
      }
      continue;
    }
    auto tensor = llvm::find_if(options.constantTensors,
                                [&](const auto &c) { return c.first == input.name(); });
    if (tensor != options.constantTensors.end()) {
      if (tensor->second.getType() != type) {
        return emitError(fileLocation) << "--const " << flagText(input.name()) << ": expected "
                                       << type << ", got " << tensor->second.getType();
      }
      scope.define(input.name(), createConstant(fileLocation, tensor->second));
      continue;
    }
    types.push_back(type);
    names.push_back(input.name());
  }
  return success(succeeded(dimensions.reportOpenInputs()) && isComplete);
}

} // namespace modelc
