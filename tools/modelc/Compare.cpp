//===- Compare.cpp - whether two tensors are equal enough -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/modelc/Compare.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/Format.h"
#include <cmath>
#include <cstring>

using namespace llvm;
using namespace modelc;

template <typename T> static T load(const Tensor &tensor, uint64_t index) {
  T value;
  std::memcpy(&value, tensor.bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

static double fromHalf(uint16_t bits, const fltSemantics &semantics) {
  return APFloat(semantics, APInt(16, bits)).convertToDouble();
}

double modelc::elementAt(const Tensor &tensor, uint64_t index) {
  switch (tensor.type) {
  case ElementType::F32:
    return load<float>(tensor, index);
  case ElementType::F64:
    return load<double>(tensor, index);
  case ElementType::F16:
    return fromHalf(load<uint16_t>(tensor, index), APFloat::IEEEhalf());
  case ElementType::BF16:
    return fromHalf(load<uint16_t>(tensor, index), APFloat::BFloat());
  case ElementType::I8:
    return load<int8_t>(tensor, index);
  case ElementType::I16:
    return load<int16_t>(tensor, index);
  case ElementType::I32:
    return load<int32_t>(tensor, index);
  case ElementType::I64:
    return static_cast<double>(load<int64_t>(tensor, index));
  case ElementType::U8:
  case ElementType::Bool:
    return load<uint8_t>(tensor, index);
  case ElementType::U16:
    return load<uint16_t>(tensor, index);
  case ElementType::U32:
    return load<uint32_t>(tensor, index);
  case ElementType::U64:
    return static_cast<double>(load<uint64_t>(tensor, index));
  }
  return 0;
}

Tolerance modelc::defaultTolerance(ElementType type) {
  switch (type) {
  case ElementType::F32:
  case ElementType::F64:
    return {1e-3, 1e-5};
  case ElementType::F16:
    return {5e-3, 1e-3};
  case ElementType::BF16:
    return {2e-2, 1e-2};
  default:
    return {0, 0};
  }
}

Comparison modelc::compareTensors(const Tensor &got, const Tensor &expected, Tolerance tolerance) {
  Comparison result;
  if (got.type != expected.type || got.shape != expected.shape ||
      got.bytes.size() != expected.bytes.size()) {
    auto text = [](const Tensor &tensor) {
      return elementName(tensor.type).str() + " " + shapeText(tensor.shape);
    };
    result.mismatch = "got " + text(got) + ", expected " + text(expected);
    return result;
  }
  unsigned size = elementBytes(got.type);
  for (uint64_t i = 0, e = got.elements(); i < e; ++i) {
    // Also what makes large integers exact, which doubles round.
    if (std::memcmp(got.bytes.data() + i * size, expected.bytes.data() + i * size, size) == 0) {
      continue;
    }
    double x = elementAt(got, i), y = elementAt(expected, i);
    if (x == y && (got.type != ElementType::I64 && got.type != ElementType::U64)) {
      continue; // zeros of both signs
    }
    if (std::isnan(x) && std::isnan(y)) {
      continue;
    }
    double difference = std::abs(x - y);
    bool isFinite = std::isfinite(x) && std::isfinite(y);
    difference = isFinite ? difference : INFINITY;
    result.maxAbsolute = std::max(result.maxAbsolute, difference);
    double relative = difference / std::max(std::abs(y), 1e-30);
    result.maxRelative = std::max(result.maxRelative, isFinite ? relative : INFINITY);
    bool isWithin = isFinite && difference > 0 &&
                    difference <= tolerance.absolute + tolerance.relative * std::abs(y);
    if (isWithin) {
      continue;
    }
    if (result.differing++ == 0) {
      result.firstIndex = i;
      result.got = x;
      result.expected = y;
    }
  }
  return result;
}

std::string modelc::describe(const Comparison &comparison, const Tensor &tensor) {
  std::string text;
  raw_string_ostream os(text);
  if (!comparison.mismatch.empty()) {
    return comparison.mismatch;
  }
  if (comparison.differing != 0) {
    SmallVector<int64_t> position(tensor.shape.size());
    uint64_t rest = comparison.firstIndex;
    for (size_t d = tensor.shape.size(); d-- > 0;) {
      position[d] = rest % tensor.shape[d];
      rest /= tensor.shape[d];
    }
    os << comparison.differing << " of " << tensor.elements() << " elements differ, first at [";
    for (auto [d, index] : enumerate(position)) {
      os << (d == 0 ? "" : ", ") << index;
    }
    os << format("]: got %.9g, expected %.9g; ", comparison.got, comparison.expected);
  }
  os << format("largest difference %.3g, relative %.3g", comparison.maxAbsolute,
               comparison.maxRelative);
  return text;
}
