// A small compiled model made by hand, and the programs that use libraries of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TestModel.h"
#include "codegen/emit/Identifier.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace modelc;
using namespace modelc::test;

// $ is the name of the library.
static constexpr StringRef denseText = R"(
define hidden void @$_dense(ptr %w, ptr %x, ptr %y) nounwind {
entry:
  br label %row
row:
  %r = phi i32 [0, %entry], [%r1, %rowend]
  br label %column
column:
  %k = phi i32 [0, %row], [%k1, %column]
  %s = phi float [0.0, %row], [%s1, %column]
  %o = mul i32 %r, 16
  %ok = add i32 %o, %k
  %pw = getelementptr float, ptr %w, i32 %ok
  %px = getelementptr float, ptr %x, i32 %k
  %wv = load float, ptr %pw, align 4
  %xv = load float, ptr %px, align 4
  %m = fmul float %wv, %xv
  %s1 = fadd float %s, %m
  %k1 = add i32 %k, 1
  %e = icmp eq i32 %k1, 16
  br i1 %e, label %rowend, label %column
rowend:
  %py = getelementptr float, ptr %y, i32 %r
  store float %s1, ptr %py, align 4
  %r1 = add i32 %r, 1
  %f = icmp eq i32 %r1, 16
  br i1 %f, label %done, label %row
done:
  ret void
}
)";

// @body computes %y of %x and %b.
static constexpr StringRef loopText = R"(
define hidden void @$_#(ptr %pa, ptr %pb, ptr %pc) nounwind {
entry:
  br label %loop
loop:
  %i = phi i32 [0, %entry], [%i1, %loop]
  %a = getelementptr float, ptr %pa, i32 %i
  %bb = getelementptr float, ptr %pb, i32 %i
  %c = getelementptr float, ptr %pc, i32 %i
  %x = load float, ptr %a, align 4
  %b = load float, ptr %bb, align 4
@body
  store float %y, ptr %c, align 4
  %i1 = add i32 %i, 1
  %e = icmp eq i32 %i1, 16
  br i1 %e, label %done, label %loop
done:
  ret void
}
)";

static constexpr StringRef countText = R"(
define hidden void @$_count(ptr %state, ptr %out) nounwind {
  %old = load i32, ptr %state, align 4
  %new = add i32 %old, 1
  store i32 %new, ptr %state, align 4
  store i32 %new, ptr %out, align 4
  ret void
}
)";

static constexpr StringRef pickText = R"(
define hidden i32 @$_pick(ptr %x, ptr %index, ptr %out, ptr %scratch) nounwind {
  %i = load i32, ptr %index, align 4
  %good = icmp ult i32 %i, 16
  %safe = select i1 %good, i32 %i, i32 0
  %p = getelementptr float, ptr %x, i32 %safe
  %v = load float, ptr %p, align 4
  store float %v, ptr %scratch, align 4
  %t = fadd float %v, %v
  store float %t, ptr %out, align 4
  %status = select i1 %good, i32 0, i32 7
  ret i32 %status
}
)";

static std::string replace(std::string text, StringRef from, StringRef to) {
  for (size_t at = 0; (at = text.find(from.str(), at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to.str());
  }
  return text;
}

static CompiledKernel compile(StringRef text, StringRef library, StringRef kernel,
                              const modelc::Target &target) {
  LLVMContext context;
  SMDiagnostic diagnostic;
  std::string source = replace(text.str(), "$", library);
  std::unique_ptr<Module> module = parseAssemblyString(source, diagnostic, context);
  EXPECT_TRUE(module) << diagnostic.getMessage().str();
  std::unique_ptr<TargetMachine> machine = createTargetMachine(target);
  module->setTargetTriple(target.triple);
  module->setDataLayout(machine->createDataLayout());
  module->setSourceFileName("");
  CompiledKernel compiled;
  compiled.symbol = (library + "_" + kernel).str();
  compiled.returnsStatus = kernel == "pick";
  raw_svector_ostream stream(compiled.object);
  legacy::PassManager passes;
  EXPECT_FALSE(machine->addPassesToEmitFile(passes, stream, nullptr, CodeGenFileType::ObjectFile));
  passes.run(*module);
  return compiled;
}

static std::string loop(StringRef name, StringRef body) {
  return replace(replace(loopText.str(), "#", name), "@body", body);
}

static ArrayRef<char> bytesOf(const std::vector<float> &values) {
  return {reinterpret_cast<const char *>(values.data()), values.size() * sizeof(float)};
}

TestModel::TestModel(StringRef name, const modelc::Target &target, int firstCount) {
  for (int i = 0; i < 256; ++i) {
    matrix.push_back(static_cast<float>((i * 37 + 11) % 29 - 14) * 0.125f);
  }
  for (int i = 0; i < 16; ++i) {
    bias.push_back(static_cast<float>(i) * 0.5f + 1.0f);
  }
  model.name = name.str();
  model.inputs = {{"in*/put\n\"${HOME}\\", "", ElementType::F32, {1, 16}},
                  {"int", "", ElementType::I32, {}}};
  model.outputs = {{"y", "", ElementType::F32, {16}},
                   {"y", "", ElementType::I32, {}},
                   {"\xff\x1b[31m", "", ElementType::F32, {1}}};
  assignIdentifiers(model.inputs);
  assignIdentifiers(model.outputs);
  model.stateBytes = 8;
  for (int shift = 0; shift < 32; shift += 8) {
    model.initialState.push_back(static_cast<char>(firstCount >> shift));
  }
  model.scratchBytes = 192;
  model.weightBytes = 1152 + 64 + 64;
  model.weights = {{0, bytesOf(matrix)}, {1152, bytesOf(bias)}};
  model.kernels.push_back(compile(denseText, name, "dense", target));
  model.kernels.push_back(compile(
      loop("relu", "  %p = fcmp olt float %x, 0.0\n  %y = select i1 %p, float 0.0, float %x"), name,
      "relu", target));
  model.kernels.push_back(compile(loop("bias", "  %y = fadd float %x, %b"), name, "bias", target));
  model.kernels.push_back(compile(countText, name, "count", target));
  model.kernels.push_back(compile(pickText, name, "pick", target));
  Place x{Space::Input, 0, 0}, s{Space::Scratch, 0, 64};
  model.calls = {{0, {{Space::Weights, 0, 0}, x, s}, 0, false, "dense"},
                 {1, {s, s, s}, 0, false, "relu*/\n"},
                 {2, {s, {Space::Weights, 0, 1152}, {Space::Output, 0, 0}}, 0, false, "bias"},
                 {3, {{Space::State, 0, 0}, {Space::Output, 1, 0}}, 0, false, "count"},
                 {4, {x, {Space::Input, 1, 0}, {Space::Output, 2, 0}}, 128, true, "pick"}};
  model.sourceFormat = "onnx";
  model.sourceHash = std::string(64, 'a');
  model.states = {{"counter", ElementType::I32, {}, 0}};
  model.scratchValues = {{"s", 64, 64, 0, 2}};
  model.scratchLowerBound = 64;
  model.multiplyAdds = 256;
  model.parameters = 272;
  model.notes = {"dimension 0 was set to 1"};
}

modelc::Target modelc::test::target(StringRef name) {
  return cantFail(parseTarget(name));
}

ScratchDirectory::ScratchDirectory() {
  EXPECT_FALSE(sys::fs::createUniqueDirectory("modelc-emit-test", directory));
}

ScratchDirectory::~ScratchDirectory() {
  (void)sys::fs::remove_directories(directory);
}

std::string ScratchDirectory::file(StringRef name) const {
  SmallString<128> path = directory;
  sys::path::append(path, name);
  return path.str().str();
}

std::vector<std::string> ScratchDirectory::list() const {
  std::vector<std::string> names;
  std::error_code code;
  for (sys::fs::directory_iterator it(directory, code), end; !code && it != end;
       it.increment(code)) {
    names.push_back(sys::path::filename(it->path()).str());
  }
  llvm::sort(names);
  return names;
}

std::string modelc::test::readFile(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  EXPECT_TRUE(buffer) << path.str();
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

std::optional<ProgramResult> modelc::test::runProgram(ArrayRef<StringRef> words) {
  ErrorOr<std::string> program = sys::findProgramByName(words.front());
  if (!program) {
    return std::nullopt;
  }
  ScratchDirectory directory;
  std::string output = directory.file("output");
  std::optional<StringRef> redirects[] = {StringRef(), StringRef(output), StringRef(output)};
  ProgramResult result;
  result.status = sys::ExecuteAndWait(*program, words, std::nullopt, redirects,
                                      /*SecondsToWait=*/60);
  result.output = readFile(output);
  return result;
}
