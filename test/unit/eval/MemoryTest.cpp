// Memory: ranks, element types, local buffers, views and globals.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EvalTest.h"

using namespace modelc;
using namespace modelc::test;
using Reason = EvaluationError::Reason;

TEST(EvalMemory, EveryElementTypeInBothForms) {
  for (std::string type : {"i1", "i8", "i16", "i32", "i64", "index", "f16", "bf16", "f32", "f64"}) {
    std::string text = "func.func @f(%x: memref<2x2xT>, %y: memref<4xT>) {\n"
                       "%0 = arith.constant 0 : index\n%1 = arith.constant 1 : index\n"
                       "%2 = arith.constant 2 : index\n%3 = arith.constant 3 : index\n"
                       "%a = memref.load %x[%1, %0] : memref<2x2xT>\n"
                       "memref.store %a, %y[%1] : memref<4xT>\n"
                       "%b = memref.load %y[%3] : memref<4xT>\n"
                       "memref.store %b, %x[%0, %1] : memref<2x2xT>\nreturn\n}";
    for (size_t at; (at = text.find("xT")) != std::string::npos;) {
      text.replace(at + 1, 1, type);
    }
    std::vector<Buffer> buffers = {pack(type, {0, 0, 1, 0}), pack(type, {0, 0, 0, 1})};
    auto result = runText(text, buffers);
    ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
    EXPECT_EQ(*result, 0);
    EXPECT_EQ(unpack(type, buffers[0]), (std::vector<uint64_t>{0, 1, 1, 0})) << type;
    EXPECT_EQ(unpack(type, buffers[1]), (std::vector<uint64_t>{0, 1, 0, 1})) << type;
  }
}

TEST(EvalMemory, LocalBuffersAndDim) {
  std::vector<Buffer> buffers = {pack("i32", {7, 8})};
  auto result = runText(R"(func.func @f(%x: memref<2xi32>) -> i32 {
    %local = memref.alloca() : memref<3xi32>
    %other = memref.alloca() : memref<i32>
    %0 = arith.constant 0 : index
    %1 = arith.constant 1 : index
    %d = memref.dim %local, %0 : memref<3xi32>
    %a = memref.load %x[%1] : memref<2xi32>
    memref.store %a, %local[%0] : memref<3xi32>
    %b = memref.load %local[%0] : memref<3xi32>
    %zero = memref.load %other[] : memref<i32>
    %i = arith.index_cast %d : index to i32
    %s = arith.addi %b, %i : i32
    %r = arith.addi %s, %zero : i32
    return %r : i32
  })",
                        buffers);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(*result, 11);
}

TEST(EvalMemory, ViewsAndReshapes) {
  std::vector<Buffer> buffers = {Buffer(64)};
  auto result = runText(R"(func.func @f(%scratch: memref<64xi8>) -> i32 {
    %16 = arith.constant 16 : index
    %1 = arith.constant 1 : index
    %5 = arith.constant 5 : index
    memref.assume_alignment %scratch, 64 : memref<64xi8>
    %v = memref.view %scratch[%16][] : memref<64xi8> to memref<2x6xi32>
    %flat = memref.collapse_shape %v [[0, 1]] : memref<2x6xi32> into memref<12xi32>
    %e = memref.expand_shape %flat [[0, 1]] output_shape [6, 2] : memref<12xi32> into memref<6x2xi32>
    %c = memref.cast %e : memref<6x2xi32> to memref<6x2xi32>
    %x = arith.constant 42 : i32
    memref.store %x, %v[%1, %5] : memref<2x6xi32>
    %r = memref.load %c[%5, %1] : memref<6x2xi32>
    return %r : i32
  })",
                        buffers);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(*result, 42);
  EXPECT_EQ(buffers[0][16 + 44], 42);
}

TEST(EvalMemory, Globals) {
  std::vector<Buffer> buffers;
  auto result = runText(R"(module {
    memref.global "private" constant @values : memref<2x2xi16> = dense<[[1, 2], [3, -4]]>
    memref.global "private" constant @splat : memref<5xi32> = dense<10>
    memref.global "private" constant @bools : memref<3xi1> = dense<[false, true, true]>
    memref.global "private" constant @blob : memref<2xi32> = dense_resource<two>
    func.func @f() -> i32 {
      %1 = arith.constant 1 : index
      %4 = arith.constant 4 : index
      %v = memref.get_global @values : memref<2x2xi16>
      %s = memref.get_global @splat : memref<5xi32>
      %b = memref.get_global @bools : memref<3xi1>
      %d = memref.get_global @blob : memref<2xi32>
      %a = memref.load %v[%1, %1] : memref<2x2xi16>
      %t = memref.load %s[%4] : memref<5xi32>
      %u = memref.load %b[%1] : memref<3xi1>
      %w = memref.load %d[%1] : memref<2xi32>
      %ax = arith.extsi %a : i16 to i32
      %ux = arith.extui %u : i1 to i32
      %p = arith.addi %ax, %t : i32
      %q = arith.addi %p, %ux : i32
      %r = arith.addi %q, %w : i32
      return %r : i32
    }
  }
  {-# dialect_resources: { builtin: { two: "0x040000000100000000010000" } } #-})",
                        buffers);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(*result, -4 + 10 + 1 + 256);
}

TEST(EvalMemory, BuffersMayOverlapAndBeMisaligned) {
  Parsed parsed(R"(func.func @f(%x: memref<2xf64>, %y: memref<2xf64>) {
    %0 = arith.constant 0 : index
    %1 = arith.constant 1 : index
    %a = memref.load %x[%0] : memref<2xf64>
    memref.store %a, %y[%1] : memref<2xf64>
    return
  })");
  Buffer memory(17);
  Buffer one = pack("f64", {bits(1.0)});
  std::copy(one.begin(), one.end(), memory.begin() + 1);
  llvm::MutableArrayRef<char> view = llvm::MutableArrayRef<char>(memory).drop_front(1);
  Budget budget{100};
  auto result = interpret(parsed.function(), {view, view}, budget);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(unpack("f64", Buffer(memory.begin() + 9, memory.end()))[0], bits(1.0));
}

static const char *const loadAt = R"(func.func @f(%x: memref<4xi32>, %i: memref<index>) {
  %at = memref.load %i[] : memref<index>
  %a = memref.load %x[%at] : memref<4xi32>
  return
})";

TEST(EvalMemory, RefusesIndicesOutOfBounds) {
  Buffer x(16);
  std::string expected = "memref.load: index 4 is out of bounds, expected 0 <= index < 4";
  EXPECT_EQ(failure(loadAt, Reason::OutOfBounds, {x, pack("index", {4})}), expected);
  EXPECT_EQ(failure(loadAt, Reason::OutOfBounds, {x, pack("index", {~0ull})}),
            "memref.load: index -1 is out of bounds, expected 0 <= index < 4");
  EXPECT_EQ(failure(loadAt, Reason::OutOfBounds, {x, pack("index", {3})}), "no error");
  // Inside the buffer, but outside its row.
  EXPECT_EQ(failure(R"(func.func @f(%x: memref<2x3xi8>) {
    %0 = arith.constant 0 : index
    %3 = arith.constant 3 : index
    %v = arith.constant 1 : i8
    memref.store %v, %x[%0, %3] : memref<2x3xi8>
    return
  })",
                    Reason::OutOfBounds, {Buffer(6)}),
            "memref.store: index 3 is out of bounds, expected 0 <= index < 3");
  EXPECT_EQ(failure(R"(func.func @f(%x: memref<0xi8>) {
    %0 = arith.constant 0 : index
    %v = memref.load %x[%0] : memref<0xi8>
    return
  })",
                    Reason::OutOfBounds, {Buffer(0)}),
            "memref.load: index 0 is out of bounds, expected 0 <= index < 0");
}

TEST(EvalMemory, RefusesViewsBehindTheEnd) {
  EXPECT_EQ(failure(R"(func.func @f(%x: memref<16xi8>) {
    %13 = arith.constant 13 : index
    %v = memref.view %x[%13][] : memref<16xi8> to memref<1xi32>
    return
  })",
                    Reason::OutOfBounds, {Buffer(16)}),
            "memref.view: the view ends behind its memref");
}

TEST(EvalMemory, ChecksBuffers) {
  EXPECT_EQ(failure(loadAt, Reason::BadBuffers, {Buffer(16)}), "expected 2 buffers, got 1");
  EXPECT_EQ(failure(loadAt, Reason::BadBuffers, {Buffer(15), Buffer(8)}),
            "argument 0 needs 16 bytes, its buffer has 15");
}

TEST(EvalMemory, BoundsLocalMemory) {
  EXPECT_EQ(failure(R"(func.func @f() {
    %x = memref.alloca() : memref<268435457xi8>
    return
  })",
                    Reason::OutOfMemory),
            "memref.alloca: local buffers need more than 268435456 bytes");
  EXPECT_EQ(failure(R"(func.func @f() {
    %x = memref.alloca() : memref<9223372036854775807x4xf64>
    return
  })",
                    Reason::Unsupported),
            "memref.alloca: the memref has more bytes than an address can count");
  EXPECT_EQ(failure(R"(module {
    memref.global "private" constant @big : memref<100000000xi32> = dense<1>
    func.func @f() {
      %x = memref.get_global @big : memref<100000000xi32>
      return
    }
  })",
                    Reason::OutOfMemory),
            "memref.get_global: the constant needs 400000000 bytes");
}
