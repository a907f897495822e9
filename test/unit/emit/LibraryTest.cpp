// Emitted libraries as products see them: files, symbols, sections, headers, and programs that run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TestModel.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace modelc;
using namespace modelc::test;

static std::string source(StringRef name) {
  return (MODELC_TEST_SOURCES "/" + name).str();
}
static std::string rig(StringRef name) {
  return (MODELC_TEST_RIGS "/" + name).str();
}

static void emit(StringRef name, const modelc::Target &target, StringRef directory,
                 int firstCount = 5, const EmitOptions &options = {}) {
  TestModel test(name, target, firstCount);
  Error error = emitLibrary(test.model, target, directory, options);
  EXPECT_FALSE(error) << toString(std::move(error));
}

/// Fails the test if the program fails; false if there is none.
static bool succeeds(ArrayRef<StringRef> words) {
  std::optional<ProgramResult> result = runProgram(words);
  EXPECT_TRUE(!result || result->status == 0)
      << words.front().str() << ": " << result->status << "\n"
      << result->output;
  return result.has_value();
}

TEST(Library, ConsistsOfFiveFiles) {
  ScratchDirectory directory;
  emit("net", target("x86-64-v3"), directory.path());
  EXPECT_EQ(directory.list(), (std::vector<std::string>{"libnet.a", "net.h", "net.json", "net.pc",
                                                        "netConfig.cmake"}));
}

class EveryTarget : public testing::TestWithParam<const char *> {};
INSTANTIATE_TEST_SUITE_P(Library, EveryTarget,
                         testing::Values("x86-64", "x86-64-v3", "aarch64", "cortex-a53",
                                         "cortex-m4", "cortex-m7"));

// joinObject itself refuses undefined symbols, writable sections, relocations in read-only data and
// foreign global symbols; here other tools look at the archive.
TEST_P(EveryTarget, NeedsNothingAndShowsItsInterfaceOnly) {
  ScratchDirectory directory;
  emit("net", target(GetParam()), directory.path());
  std::string archive = directory.file("libnet.a");
  auto undefined = runProgram({"llvm-nm-19", "-u", "--quiet", archive});
  if (!undefined) {
    GTEST_SKIP() << "no llvm-nm-19";
  }
  EXPECT_EQ(StringRef(undefined->output).trim(), "net.o:");
  auto global = runProgram({"llvm-nm-19", "-g", "--just-symbol-name", archive});
  EXPECT_EQ(StringRef(global->output).trim(),
            "net.o:\nnet_info\nnet_init\nnet_reset\nnet_run\nnet_weights");
}

TEST_P(EveryTarget, IsTheSameEachTime) {
  ScratchDirectory first, second;
  modelc::Target built = target(GetParam());
  emit("net", built, first.path());
  emit("net", built, second.file("deeper/path"));
  for (const std::string &name : first.list()) {
    EXPECT_EQ(readFile(first.file(name)), readFile(second.file("deeper/path/" + name))) << name;
  }
  // Neither this machine's folders nor its files' names.
  std::string archive = readFile(first.file("libnet.a"));
  for (StringRef text : {"/tmp", "/home", "modelc-", "joined", "/work"}) {
    EXPECT_EQ(archive.find(text.str()), std::string::npos) << text.str();
  }
}

TEST(Library, KernelsMayComeInAnyOrder) {
  ScratchDirectory first, second;
  modelc::Target built = target("x86-64-v3");
  TestModel test("net", built);
  ASSERT_FALSE(emitLibrary(test.model, built, first.path()));
  std::reverse(test.model.kernels.begin(), test.model.kernels.end());
  for (ScheduleCall &call : test.model.calls) {
    call.kernel = test.model.kernels.size() - 1 - call.kernel;
  }
  ASSERT_FALSE(emitLibrary(test.model, built, second.path()));
  for (const std::string &name : first.list()) {
    EXPECT_EQ(readFile(first.file(name)), readFile(second.file(name))) << name;
  }
}

static void makeTwoLibraries(const ScratchDirectory &directory, const modelc::Target &built) {
  emit("net", built, directory.path());
  emit("other", built, directory.path(), 100);
}

static void compileAndRun(StringRef targetName, ArrayRef<StringRef> compiler,
                          ArrayRef<StringRef> emulator) {
  ScratchDirectory directory;
  makeTwoLibraries(directory, target(targetName));
  std::string program = directory.file("program"), include = "-I" + directory.path().str();
  std::string check = source("check.c"), main = source("main_hosted.c");
  std::string net = directory.file("libnet.a"), other = directory.file("libother.a");
  std::vector<StringRef> words(compiler.begin(), compiler.end());
  words.insert(words.end(), {"-std=c11", "-O1", "-Wall", "-Wextra", "-pedantic", "-Werror", include,
                             check, main, net, other, "-o", program});
  if (!succeeds(words)) {
    GTEST_SKIP() << "no " << compiler.front().str();
  }
  std::vector<StringRef> run(emulator.begin(), emulator.end());
  run.push_back(program);
  if (!succeeds(run)) {
    GTEST_SKIP() << "no " << run.front().str();
  }
}

TEST(Library, RunsOnThisMachine) {
  compileAndRun("x86-64-v3", {"cc"}, {});
}
TEST(Library, RunsInAStaticProgram) {
  compileAndRun("x86-64", {"cc", "-static", "-fno-pie", "-no-pie"}, {});
}
TEST(Library, RunsWithClangAndLld) {
  compileAndRun("native", {"clang-19", "-fuse-ld=lld"}, {});
}
TEST(Library, RunsOnAArch64) {
  compileAndRun("aarch64", {"aarch64-linux-gnu-gcc", "-static"}, {"qemu-aarch64"});
}
TEST(Library, RunsOnACortexA53) {
  compileAndRun("cortex-a53", {"aarch64-linux-gnu-gcc", "-static"},
                {"qemu-aarch64", "-cpu", "cortex-a53"});
}

static void runOnMicrocontroller(StringRef cpu, StringRef floatAbi) {
  ScratchDirectory directory;
  modelc::TargetOptions options;
  options.floatAbi = floatAbi.str();
  makeTwoLibraries(directory, cantFail(parseTarget(cpu, options)));
  std::string include = "-I" + directory.path().str(), program = directory.file("program");
  std::string mcpu = "-mcpu=" + cpu.str(), mabi = "-mfloat-abi=" + floatAbi.str();
  std::string triple =
      floatAbi == "hard" ? "--target=thumbv7em-none-eabihf" : "--target=thumbv7em-none-eabi";
  std::vector<std::string> objects;
  for (const std::string &file :
       {source("check.c"), source("main_bare.c"), rig("start_cortexm.c")}) {
    objects.push_back(directory.file("program" + std::to_string(objects.size()) + ".o"));
    if (!succeeds({"clang-19", triple, mcpu, mabi, "-std=c11", "-O1", "-ffreestanding", "-Wall",
                   "-Wextra", "-Werror", include, "-c", file, "-o", objects.back()})) {
      GTEST_SKIP() << "no clang-19";
    }
  }
  std::string script = rig("mps2_an386.ld"), net = directory.file("libnet.a"),
              other = directory.file("libother.a");
  ASSERT_TRUE(succeeds(
      {"ld.lld-19", "-T", script, objects[0], objects[1], objects[2], net, other, "-o", program}));
  if (!succeeds({"qemu-system-arm", "-M", "mps2-an386", "-display", "none", "-monitor", "none",
                 "-serial", "none", "-semihosting-config", "enable=on,target=native", "-kernel",
                 program})) {
    GTEST_SKIP() << "no qemu-system-arm";
  }
}

TEST(Library, RunsOnACortexM4) {
  runOnMicrocontroller("cortex-m4", "hard");
}
TEST(Library, RunsOnACortexM4WithSoftfp) {
  runOnMicrocontroller("cortex-m4", "softfp");
}

TEST(Library, LinksIntoASharedLibrary) {
  ScratchDirectory directory;
  EmitOptions exported;
  exported.exportSymbols = true;
  emit("net", target("x86-64-v3"), directory.path());
  emit("other", target("x86-64-v3"), directory.path(), 5, exported);
  std::string output = directory.file("libboth.so");
  if (!succeeds({"cc", "-shared", "-Wl,-z,text,--fatal-warnings,--whole-archive",
                 directory.file("libnet.a"), directory.file("libother.a"), "-Wl,--no-whole-archive",
                 "-o", output})) {
    GTEST_SKIP() << "no cc";
  }
  auto names = runProgram({"llvm-nm-19", "-D", "--defined-only", "--just-symbol-name", output});
  if (names) {
    EXPECT_EQ(StringRef(names->output).trim(), "other_info\nother_init\nother_reset\nother_run");
  }
}

TEST(Library, HeadersSuitCAndCxxTogether) {
  ScratchDirectory directory;
  makeTwoLibraries(directory, target("x86-64-v3"));
  std::string include = "-I" + directory.path().str(), file = directory.file("both.inc");
  {
    std::error_code code;
    raw_fd_ostream(file, code) << "#include \"net.h\"\n#include \"other.h\"\n#include \"net.h\"\n";
  }
  for (StringRef compiler : {"cc", "clang-19"}) {
    for (StringRef flags : {"c:-std=c11", "c++:-std=c++11", "c++:-std=c++17"}) {
      auto [language, standard] = flags.split(':');
      succeeds({compiler, "-x", language, standard, "-Wall", "-Wextra", "-pedantic", "-Werror",
                "-fsyntax-only", include, file});
    }
  }
}

TEST(Library, NoTextOfTheModelLeavesAComment) {
  ScratchDirectory directory;
  emit("net", target("x86-64-v3"), directory.path());
  std::string header = readFile(directory.file("net.h"));
  EXPECT_NE(header.find(
                "/* [1,16] f32, \"in\\x2a/put\\x0a\\x22\\x24\\x7bHOME\\x7d\\x5c\" in the model */"),
            std::string::npos)
      << header;
  for (StringRef name : {"net.h", "net.json", "net.pc", "netConfig.cmake"}) {
    for (char c : readFile(directory.file(name))) {
      EXPECT_TRUE(c == '\n' || (c >= ' ' && c != '\x7f')) << name.str();
    }
  }
}

TEST(Library, ManifestTellsWhatIsInside) {
  ScratchDirectory directory;
  emit("net", target("cortex-m4"), directory.path());
  auto json = json::parse(readFile(directory.file("net.json")));
  ASSERT_TRUE(static_cast<bool>(json));
  const json::Object &root = *json->getAsObject();
  EXPECT_EQ(root.getInteger("schema"), 1);
  EXPECT_EQ(root.getInteger("state_bytes"), 24);
  EXPECT_EQ(root.getInteger("scratch_bytes"), 192);
  EXPECT_EQ(root.getInteger("weights_bytes"), 1280);
  EXPECT_EQ(root.getInteger("align"), 8);
  EXPECT_EQ(root.getString("denormals"), "flush");
  EXPECT_EQ(root.getArray("imports")->size(), 0u);
  EXPECT_EQ(root.getArray("calls")->size(), 5u);
  const json::Object &input = *(*root.getArray("inputs"))[0].getAsObject();
  EXPECT_EQ(input.getString("name"), "in*/put\n\"${HOME}\\");
  EXPECT_EQ(input.getString("c_name"), "in_put_HOME_");
  EXPECT_GT(*(*root.getArray("kernels"))[0].getAsObject()->getInteger("code_bytes"), 0);
  succeeds({"python3", "-c",
            "import json, sys\n"
            "try:\n"
            "    import jsonschema\n"
            "except ImportError:\n"
            "    sys.exit(0)\n"
            "jsonschema.validate(json.load(open(sys.argv[1])), json.load(open(sys.argv[2])))",
            directory.file("net.json"), MODELC_MANIFEST_SCHEMA});
}

TEST(Library, DebuggersSeeTheLayers) {
  ScratchDirectory directory;
  emit("net", target("x86-64-v3"), directory.path());
  auto lines = runProgram({"llvm-dwarfdump-19", "--debug-line", directory.file("libnet.a")});
  if (!lines) {
    GTEST_SKIP() << "no llvm-dwarfdump-19";
  }
  EXPECT_NE(lines->output.find("name: \"net.layers\""), std::string::npos) << lines->output;
  EXPECT_NE(lines->output.find("version: 4"), std::string::npos);
  EXPECT_EQ(lines->output.find("include_directories"), std::string::npos);
}

TEST(Library, PackagesAreFound) {
  ScratchDirectory directory;
  emit("net", target("x86-64-v3"), directory.path());
  std::string path = "PKG_CONFIG_PATH=" + directory.path().str();
  auto flags = runProgram({"env", path, "pkg-config", "--cflags", "--libs", "net"});
  ASSERT_TRUE(flags);
  std::string where = directory.path().str();
  EXPECT_EQ(StringRef(flags->output).trim(), "-I" + where + " -L" + where + " -lnet");
  ASSERT_FALSE(sys::fs::create_directories(directory.file("product")));
  {
    std::error_code code;
    raw_fd_ostream(directory.file("product/CMakeLists.txt"), code)
        << "cmake_minimum_required(VERSION 3.16)\nproject(product NONE)\n"
           "find_package(net REQUIRED CONFIG PATHS .. NO_DEFAULT_PATH)\n"
           "get_target_property(where net::net IMPORTED_LOCATION)\n"
           "if(NOT EXISTS \"${where}\")\n  message(FATAL_ERROR \"${where}\")\nendif()\n";
  }
  succeeds({"cmake", "-G", "Ninja", "-S", directory.file("product"), "-B",
            directory.file("product/build")});
}

TEST(Library, LeavesNothingWhenItFails) {
  modelc::Target built = target("x86-64-v3");
  ScratchDirectory directory;
  // A directory in the place of a file: the last rename fails.
  ASSERT_FALSE(sys::fs::create_directories(directory.file("out/libnet.a/full")));
  TestModel test("net", built);
  Error error = emitLibrary(test.model, built, directory.file("out"));
  EXPECT_TRUE(static_cast<bool>(error));
  consumeError(std::move(error));
  ASSERT_FALSE(sys::fs::remove_directories(directory.file("out/libnet.a")));
  EXPECT_FALSE(sys::fs::remove(directory.file("out"), /*IgnoreNonExisting=*/false));

  // A kernel that is no object: not even the directory appears.
  test.model.kernels[1].object.clear();
  error = emitLibrary(test.model, built, directory.file("new/deep"));
  EXPECT_TRUE(static_cast<bool>(error));
  consumeError(std::move(error));
  EXPECT_FALSE(sys::fs::exists(directory.file("new")));
}

/// Ten kernels into one library: the message of a violated rule.
static std::string refusal(TestModel &test, const modelc::Target &built) {
  Expected<JoinedObject> object = joinObject(test.model, built);
  return object ? "" : toString(object.takeError());
}

TEST(Library, RefusesModelsThatBreakTheRules) {
  modelc::Target built = target("x86-64-v3");
  auto message = [&](auto change) {
    TestModel test("net", built);
    change(test.model);
    return refusal(test, built);
  };
  EXPECT_EQ(message([](CompiledModel &) {}), "");
  EXPECT_NE(message([](CompiledModel &m) { m.name = "a b"; }), "");
  EXPECT_NE(message([](CompiledModel &m) { m.inputs[0].cName = "int"; }), "");
  EXPECT_NE(message([](CompiledModel &m) { m.inputs[0].cName = m.inputs[1].cName; }), "");
  EXPECT_NE(message([](CompiledModel &m) { m.inputs[0].shape = {INT64_MAX, 4}; }), "");
  EXPECT_NE(message([](CompiledModel &m) { m.inputs[0].shape = {-1}; }), "");
  EXPECT_NE(message([](CompiledModel &m) { m.weights[1].offset = 64; }), "");
  EXPECT_NE(message([](CompiledModel &m) { m.weights[1].offset = 1156; }), "");
  EXPECT_NE(message([](CompiledModel &m) { m.weightBytes = 1200; }), "");
  EXPECT_NE(message([](CompiledModel &m) { m.calls[0].kernel = 5; }), "");
  EXPECT_NE(message([](CompiledModel &m) { m.calls[0].operands[0].offset = 2000; }), "");
  EXPECT_NE(message([](CompiledModel &m) { m.calls[0].operands[1].index = 2; }), "");
  EXPECT_NE(message([](CompiledModel &m) { m.calls[4].scratchOffset = 193; }), "");
  EXPECT_NE(message([](CompiledModel &m) { m.calls[2].kernel = 4; }), "");
  EXPECT_NE(message([](CompiledModel &m) { m.kernels[0].symbol = "net_run"; }), "");
  EXPECT_NE(message([](CompiledModel &m) { m.kernels[0].symbol = "net__enter"; }), "");
  EXPECT_NE(message([](CompiledModel &m) { m.kernels[0].symbol = "dense"; }), "");
  EXPECT_NE(message([](CompiledModel &m) { m.initialState.resize(9); }), "");
  // Known to the schedule but defined by no object.
  EXPECT_NE(
      message([](CompiledModel &m) { m.kernels[0].symbol = "net_missing"; }).find("net_missing"),
      std::string::npos);
}
