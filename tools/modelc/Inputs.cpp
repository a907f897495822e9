//===- Inputs.cpp - what a command feeds to a model -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/modelc/Inputs.h"
#include "frontend/Quote.h"
#include "runtime/include/modelc/abi.h"
#include "tools/modelc/Failure.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>
#include <random>

using namespace llvm;
using namespace modelc;

ArrayRef<Flag> modelc::inputFlags() {
  static constexpr Flag flags[] = {
      {"i", "INPUT=FILE.npy", "the value of an input", true},
      {"random", "", "random values for the other inputs"},
      {"seed", "N", "of the random values (default: 0)"},
  };
  return flags;
}

static uint16_t halfBits(float value, const fltSemantics &semantics) {
  APFloat number(value);
  bool losesInfo;
  number.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  return static_cast<uint16_t>(number.bitcastToAPInt().getZExtValue());
}

void modelc::fillRandom(Tensor &tensor, uint64_t seed) {
  std::mt19937_64 generator(seed);
  // The distributions of the standard library differ between libraries.
  auto unit = [&] { return static_cast<double>(generator() >> 11) * 0x1p-52 - 1.0; };
  unsigned size = elementBytes(tensor.type);
  for (size_t at = 0; at + size <= tensor.bytes.size(); at += size) {
    auto store = [&](auto value) { std::memcpy(tensor.bytes.data() + at, &value, sizeof value); };
    switch (tensor.type) {
    case ElementType::F32:
      store(static_cast<float>(unit()));
      break;
    case ElementType::F64:
      store(unit());
      break;
    case ElementType::F16:
      store(halfBits(static_cast<float>(unit()), APFloat::IEEEhalf()));
      break;
    case ElementType::BF16:
      store(halfBits(static_cast<float>(unit()), APFloat::BFloat()));
      break;
    case ElementType::I8:
    case ElementType::U8:
      store(static_cast<uint8_t>(generator() >> 56));
      break;
    default:
      // Little endian: the lowest byte is the first.
      tensor.bytes[at] = static_cast<char>(generator() >> 63);
      break;
    }
  }
}

Error modelc::checkFits(const Tensor &tensor, const TensorInfo &input) {
  if (tensor.type != input.type) {
    return wrong("input " + quoted(input.name) + " has elements of type " +
                 elementName(input.type) + ", the data " + elementName(tensor.type));
  }
  if (ArrayRef<int64_t>(tensor.shape) != ArrayRef<int64_t>(input.shape)) {
    return wrong("input " + quoted(input.name) + " is compiled as " + shapeText(input.shape) +
                 ", the data is " + shapeText(tensor.shape) +
                 "; if the model leaves that open, add --shape " + flagText(input.name) + "=" +
                 shapeText(tensor.shape));
  }
  return Error::success();
}

std::vector<Tensor> modelc::makeTensors(ArrayRef<TensorInfo> infos) {
  std::vector<Tensor> tensors(infos.size());
  for (auto [tensor, info] : zip(tensors, infos)) {
    tensor.type = info.type;
    tensor.shape = info.shape;
    tensor.bytes.resize(info.bytes());
  }
  return tensors;
}

Expected<std::vector<Tensor>> modelc::readInputs(const Arguments &arguments,
                                                 const CompiledModel &model, bool mayBeRandom) {
  std::vector<Tensor> tensors = makeTensors(model.inputs);
  auto seed = arguments.number("seed", 0);
  if (!seed) {
    return seed.takeError();
  }
  std::vector<bool> isGiven(tensors.size());
  for (StringRef text : arguments.all("i")) {
    // Names may hold '=', and so may paths: the name decides.
    auto input = find_if(model.inputs, [&](const TensorInfo &info) {
      return text.starts_with(info.name) && text.drop_front(info.name.size()).starts_with("=");
    });
    if (!text.contains('=')) {
      return wrong("expected -i INPUT=FILE.npy, got " + quoted(text));
    }
    if (input == model.inputs.end()) {
      std::string known;
      for (const TensorInfo &info : model.inputs) {
        known += (known.empty() ? "" : ", ") + quoted(info.name);
      }
      return wrong("the model has no input " + quoted(text.split('=').first) + "; it has " +
                   (known.empty() ? "none" : known));
    }
    size_t number = input - model.inputs.begin();
    if (isGiven[number]) {
      return wrong("input " + quoted(input->name) + " is given twice");
    }
    isGiven[number] = true;
    auto tensor = readNpy(text.drop_front(input->name.size() + 1));
    if (!tensor) {
      return tensor.takeError();
    }
    if (Error error = checkFits(*tensor, *input)) {
      return std::move(error);
    }
    tensors[number] = std::move(*tensor);
  }
  std::string missing;
  for (auto [i, info] : enumerate(model.inputs)) {
    if (isGiven[i]) {
      continue;
    }
    missing += " -i " + flagText(info.name) + "=FILE.npy";
    fillRandom(tensors[i], *seed + i);
  }
  if (!missing.empty() && !mayBeRandom && !arguments.has("random")) {
    return wrong("inputs are missing; add" + missing + ", or --random");
  }
  return tensors;
}

Error modelc::runOnce(LoadedModel &loaded, ArrayRef<Tensor> inputs,
                      MutableArrayRef<Tensor> outputs) {
  SmallVector<const void *> in;
  SmallVector<void *> out;
  // An empty tensor has no memory, but the pointer must not be null.
  static char empty[8];
  for (const Tensor &tensor : inputs) {
    in.push_back(tensor.bytes.empty() ? empty : tensor.bytes.data());
  }
  for (Tensor &tensor : outputs) {
    out.push_back(tensor.bytes.empty() ? empty : tensor.bytes.data());
  }
  int32_t status = loaded.run(in, out);
  if (status == MODELC_OK) {
    return Error::success();
  }
  if (status == MODELC_E_INDEX) {
    return wrong("an index in the inputs is out of its range (status " + Twine(status) + ")");
  }
  return asBug(wrong("run returned status " + Twine(status)));
}
