// What the tests of the interpreter share: functions from text, buffers from bits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EvalTest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include <cstring>

using namespace mlir;

namespace modelc::test {

static MLIRContext *context() {
  static auto *shared = [] {
    auto *made = new MLIRContext(MLIRContext::Threading::DISABLED);
    made->loadDialect<arith::ArithDialect, func::FuncDialect, math::MathDialect,
                      memref::MemRefDialect, scf::SCFDialect, vector::VectorDialect>();
    return made;
  }();
  return shared;
}

Parsed::Parsed(llvm::StringRef text)
    : module(parseSourceString<ModuleOp>(text, ParserConfig(context()))) {
  EXPECT_TRUE(module) << text.str();
}

func::FuncOp Parsed::function() {
  return module->lookupSymbol<func::FuncOp>("f");
}

static size_t bytesOf(llvm::StringRef type) {
  if (type == "i1" || type == "i8") {
    return 1;
  }
  if (type == "i16" || type == "f16" || type == "bf16") {
    return 2;
  }
  return type == "i32" || type == "f32" ? 4 : 8;
}

Buffer pack(llvm::StringRef type, llvm::ArrayRef<uint64_t> elements) {
  size_t size = bytesOf(type);
  Buffer buffer(size * elements.size());
  for (size_t i = 0; i < elements.size(); ++i) {
    for (size_t byte = 0; byte < size; ++byte) {
      buffer[i * size + byte] = char(elements[i] >> (8 * byte));
    }
  }
  return buffer;
}

std::vector<uint64_t> unpack(llvm::StringRef type, const Buffer &buffer) {
  size_t size = bytesOf(type);
  std::vector<uint64_t> elements(buffer.size() / size);
  for (size_t i = 0; i < elements.size(); ++i) {
    for (size_t byte = 0; byte < size; ++byte) {
      elements[i] |= uint64_t(uint8_t(buffer[i * size + byte])) << (8 * byte);
    }
  }
  return elements;
}

llvm::Expected<int32_t> runText(llvm::StringRef text, std::vector<Buffer> &buffers,
                                uint64_t steps) {
  Parsed parsed(text);
  std::vector<MutableArrayRef<char>> views(buffers.begin(), buffers.end());
  Budget budget{steps};
  return interpret(parsed.function(), views, budget);
}

std::string failure(llvm::StringRef text, EvaluationError::Reason reason,
                    std::vector<Buffer> buffers, uint64_t steps) {
  auto result = runText(text, buffers, steps);
  if (result) {
    return "no error";
  }
  std::string message;
  llvm::handleAllErrors(result.takeError(), [&](const EvaluationError &error) {
    EXPECT_EQ(int(error.reason()), int(reason)) << error.message();
    message = error.message();
  });
  return message;
}

std::string scalarText(const ScalarCase &test) {
  std::string in = "memref<" + std::to_string(test.inputs.size()) + "x" + test.in + ">";
  std::string text = "func.func @f(%in: " + in + ", %out: memref<" + test.out + ">) {\n";
  for (size_t i = 0; i < test.inputs.size(); ++i) {
    std::string n = std::to_string(i);
    text += "%i" + n + " = arith.constant " + n + " : index\n%" + char('a' + i) +
            " = memref.load %in[%i" + n + "] : " + in + "\n";
  }
  return text + test.operations + "\nmemref.store %r, %out[] : memref<" + test.out + ">\nreturn\n}";
}

void check(const ScalarCase &test) {
  std::vector<Buffer> buffers = {pack(test.in, test.inputs), pack(test.out, {0})};
  auto result = runText(scalarText(test), buffers);
  ASSERT_TRUE(bool(result)) << test.operations << "\n" << llvm::toString(result.takeError());
  uint64_t got = unpack(test.out, buffers[1])[0];
  EXPECT_EQ(got, test.expected) << std::hex << test.operations << "\ngot 0x" << got
                                << ", expected 0x" << test.expected;
}

} // namespace modelc::test
