// From a target's name and flags to the facts of its processor.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Target.h"
#include "codegen/TargetTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include <map>

using namespace llvm;

namespace modelc {

namespace {

/// A target's spelling, taken apart.
struct Spelling {
  std::unique_ptr<TargetRow> row;
  std::string features; ///< "+a,-b"
};

} // namespace

static std::string describe(ArrayRef<StringRef> nearest) {
  return nearest.empty() ? std::string() : "; did you mean '" + join(nearest, "' or '") + "'?";
}

/// The length of the longest prefix of `text` that is in `names` and ends where a feature begins or
/// the text ends. Longest first, as both CPU and feature names contain '-' ("skylake-avx512",
/// "skylake-avx512f").
static size_t longestName(StringRef text, function_ref<bool(StringRef)> isName) {
  for (size_t end = text.size(); end > 0; --end) {
    bool boundary = end == text.size() || text[end] == '+' || text[end] == '-';
    if (boundary && isName(text.take_front(end))) {
      return end;
    }
  }
  return 0;
}

static Error unknownTarget(StringRef spec) {
  StringRef wrong = spec.take_until([](char c) { return c == '+'; });
  return createStringError(inconvertibleErrorCode(),
                           "unknown target '%s', expected one that 'modelc targets --all' lists%s",
                           spec.str().c_str(),
                           describe(nearestNames(wrong, targetNames())).c_str());
}

static Expected<std::string> parseFeatures(StringRef text, StringRef cpuName,
                                           const MCSubtargetInfo &subtarget) {
  std::vector<std::string> known;
  for (const SubtargetFeatureKV &feature : subtarget.getAllProcessorFeatures()) {
    known.push_back(feature.Key);
  }
  std::string features;
  while (!text.empty()) {
    char sign = text.front();
    text = text.drop_front();
    size_t length = longestName(text, [&](StringRef name) { return is_contained(known, name); });
    if (length == 0) {
      StringRef wrong = text.take_until([](char c) { return c == '+'; });
      return createStringError(inconvertibleErrorCode(), "target '%s' has no feature '%s'%s",
                               cpuName.str().c_str(), wrong.str().c_str(),
                               describe(nearestNames(wrong, known)).c_str());
    }
    features +=
        (features.empty() ? "" : ",") + std::string(1, sign) + text.take_front(length).str();
    text = text.drop_front(length);
  }
  return features;
}

static Expected<Spelling> parseSpelling(StringRef spec) {
  Spelling spelling;
  size_t length = longestName(spec, [&](StringRef name) {
    spelling.row = findRow(name);
    return spelling.row != nullptr;
  });
  if (length == 0) {
    return unknownTarget(spec);
  }
  const TargetRow &row = *spelling.row;
  std::string triple = familyTriple(row.family, row.arch, row.os, true);
  std::unique_ptr<MCSubtargetInfo> subtarget = createSubtarget(triple, "", "");
  if (!subtarget) {
    return createStringError(inconvertibleErrorCode(), "LLVM was built without a back end for '%s'",
                             triple.c_str());
  }
  Expected<std::string> features = parseFeatures(spec.drop_front(length), row.name, *subtarget);
  if (!features) {
    return features.takeError();
  }
  spelling.features = std::move(*features);
  return spelling;
}

static void appendFeatures(std::string &features, StringRef more) {
  if (!more.empty()) {
    features += (features.empty() ? "" : ",") + more.str();
  }
}

/// The features of the machine that runs the compiler, in a fixed order. The CPU's name alone is
/// not enough: a hypervisor may hide some of its features.
static std::string hostFeatures() {
  std::map<std::string, bool> sorted;
  for (const auto &feature : sys::getHostCPUFeatures()) {
    sorted[feature.first().str()] = feature.second;
  }
  std::string features;
  for (const auto &[name, enabled] : sorted) {
    appendFeatures(features, (enabled ? "+" : "-") + name);
  }
  return features;
}

static void deriveX86Facts(Target &target, function_ref<bool(StringRef)> has) {
  // 512-bit registers need evex512 as well: AVX10.1/256 has the AVX-512 instructions without them.
  bool wide = has("avx512f") && has("evex512");
  target.vectorBytes = wide ? 64 : has("avx2") ? 32 : 16;
  target.vectorRegisters = wide || has("avx512vl") ? 32 : 16;
  target.hasFma = has("fma");
  target.hasRound = target.hasRoundEven = has("sse4.1");
  target.hasMaskedMemory = has("avx2");
  target.hasF16Convert = has("f16c");
  target.runtimeClass = "x86_64";
}

static void deriveAArch64Facts(Target &target, function_ref<bool(StringRef)> has) {
  bool neon = has("neon");
  target.vectorBytes = neon ? 16 : 4;
  target.vectorRegisters = 32;
  target.hasFma = target.hasRound = target.hasRoundEven = target.hasF16Convert = has("fp-armv8");
  target.hasFpu = target.hasDouble = has("fp-armv8");
  target.runtimeClass = "aarch64";
}

static void deriveArmMFacts(Target &target, function_ref<bool(StringRef)> has) {
  bool fpu = has("vfp2sp") && !has("soft-float");
  target.hardFloat = target.floatAbi == "hard";
  target.hasFpu = fpu;
  target.hasDouble = fpu && has("fp64");
  target.vectorBytes = 4;
  target.vectorRegisters = fpu ? 32 : 8;
  target.hasFma = fpu && has("vfp4d16sp");
  target.hasRound = fpu && has("fp-armv8d16sp");
  target.hasRoundEven = false; // LLVM 19 calls roundevenf, though the unit has vrintn
  target.hasF16Convert = fpu && has("fp16");
  target.align = 8;
  target.pic = false;
  target.runtimeClass = target.hardFloat ? "thumbv7em_hf" : "thumbv7em_sf";
}

static Error deriveFacts(Target &target) {
  std::unique_ptr<MCSubtargetInfo> subtarget =
      createSubtarget(target.triple, target.cpu, target.features);
  if (!subtarget) {
    return createStringError(inconvertibleErrorCode(), "LLVM was built without a back end for '%s'",
                             target.triple.c_str());
  }
  auto has = [&](StringRef feature) { return subtarget->checkFeatures(("+" + feature).str()); };
  target.pointerBits = Triple(target.triple).isArch64Bit() ? 64 : 32;
  switch (target.family) {
  case TargetFamily::X86:
    deriveX86Facts(target, has);
    if (!has("sse2")) {
      return createStringError(
          inconvertibleErrorCode(),
          "target '%s': 64-bit x86 passes floating-point values in SSE2 registers, which '-sse2' "
          "takes away",
          target.name.c_str());
    }
    break;
  case TargetFamily::AArch64:
    deriveAArch64Facts(target, has);
    break;
  case TargetFamily::ArmM:
    deriveArmMFacts(target, has);
    break;
  }
  return Error::success();
}

/// Checks --os and --float-abi against the family and sets the triple and the features that follow
/// from them.
static Error applyFlags(Target &target, const TargetRow &row, const TargetOptions &options) {
  target.os = options.os.empty() ? row.os.str() : options.os;
  if (target.os != "linux" && target.os != "none") {
    return createStringError(inconvertibleErrorCode(), "unknown --os '%s': expected none or linux",
                             target.os.c_str());
  }
  if (row.family == TargetFamily::ArmM) {
    if (target.os != "none") {
      return createStringError(inconvertibleErrorCode(),
                               "target '%s' has no operating system: --os=%s does not apply",
                               target.name.c_str(), target.os.c_str());
    }
    target.floatAbi = options.floatAbi.empty() ? "hard" : options.floatAbi;
    if (target.floatAbi != "hard" && target.floatAbi != "softfp" && target.floatAbi != "soft") {
      return createStringError(inconvertibleErrorCode(),
                               "unknown --float-abi '%s': expected hard, softfp or soft",
                               target.floatAbi.c_str());
    }
    if (target.floatAbi == "soft") {
      appendFeatures(target.features, "+soft-float,-fpregs");
    }
  } else if (!options.floatAbi.empty()) {
    return createStringError(inconvertibleErrorCode(),
                             "--float-abi applies to 32-bit ARM only, not to '%s'",
                             target.name.c_str());
  }
  target.triple = familyTriple(row.family, row.arch, target.os, target.floatAbi == "hard");
  return Error::success();
}

Expected<Target> parseTarget(StringRef spec, const TargetOptions &options) {
  Expected<Spelling> spelling = parseSpelling(spec);
  if (!spelling) {
    return spelling.takeError();
  }
  const TargetRow &row = *spelling->row;
  Target target;
  target.name = spec.str();
  target.family = row.family;
  target.cpu = row.cpu.str();
  target.features = row.features.str();
  if (row.name == "native") {
    target.cpu = sys::getHostCPUName().str();
    target.features = hostFeatures();
  }
  appendFeatures(target.features, spelling->features);
  if (Error error = applyFlags(target, row, options)) {
    return std::move(error);
  }
  if (Error error = deriveFacts(target)) {
    return std::move(error);
  }
  return target;
}

bool hasFeature(const Target &target, StringRef feature) {
  std::unique_ptr<MCSubtargetInfo> subtarget =
      createSubtarget(target.triple, target.cpu, target.features);
  if (!subtarget) {
    return false;
  }
  bool known = any_of(subtarget->getAllProcessorFeatures(),
                      [&](const SubtargetFeatureKV &entry) { return feature == entry.Key; });
  return known && subtarget->checkFeatures(("+" + feature).str());
}

std::unique_ptr<TargetMachine> createTargetMachine(const Target &target) {
  initializeTargets();
  std::string error;
  const llvm::Target *backend = TargetRegistry::lookupTarget(target.triple, error);
  if (!backend) {
    return nullptr;
  }
  llvm::TargetOptions options;
  // The generators say where contraction is allowed, by a flag on each operation.
  options.AllowFPOpFusion = FPOpFusion::Standard;
  options.FunctionSections = true;
  options.DataSections = true;
  options.MCOptions.ABIName = target.abi;
  if (target.family == TargetFamily::ArmM) {
    options.FloatABIType = target.hardFloat ? FloatABI::Hard : FloatABI::Soft;
  }
  return std::unique_ptr<TargetMachine>(backend->createTargetMachine(
      target.triple, target.cpu, target.features, options, target.pic ? Reloc::PIC_ : Reloc::Static,
      std::nullopt, CodeGenOptLevel::Default));
}

} // namespace modelc
