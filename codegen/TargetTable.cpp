// The rows of the target table, and the CPU names that LLVM adds to them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/TargetTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/AArch64TargetParser.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include <algorithm>
#include <mutex>

using namespace llvm;

namespace modelc {

void initializeTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86Disassembler();
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
    LLVMInitializeAArch64Disassembler();
    LLVMInitializeARMTargetInfo();
    LLVMInitializeARMTarget();
    LLVMInitializeARMTargetMC();
    LLVMInitializeARMAsmPrinter();
    LLVMInitializeARMDisassembler();
  });
}

/// The family of the machine that runs the compiler.
static TargetFamily hostFamily() {
  return Triple(sys::getProcessTriple()).isAArch64() ? TargetFamily::AArch64 : TargetFamily::X86;
}

static StringRef familyArch(TargetFamily family) {
  switch (family) {
  case TargetFamily::X86:
    return "x86_64";
  case TargetFamily::AArch64:
    return "aarch64";
  case TargetFamily::ArmM:
    return "thumbv7em";
  }
  llvm_unreachable("a family without an architecture");
}

ArrayRef<TargetRow> targetRows() {
  constexpr TargetFamily x86 = TargetFamily::X86, arm64 = TargetFamily::AArch64,
                         armM = TargetFamily::ArmM;
  static const TargetRow rows[] = {
      {"native", hostFamily(), familyArch(hostFamily()), "", "", "linux",
       "the processor that runs modelc"},
      {"x86-64", x86, "x86_64", "x86-64", "", "linux", "every 64-bit x86: SSE2"},
      {"x86-64-v2", x86, "x86_64", "x86-64-v2", "", "linux", "SSE4.2, since about 2009"},
      {"x86-64-v3", x86, "x86_64", "x86-64-v3", "", "linux", "AVX2 and FMA, since about 2013"},
      {"x86-64-v4", x86, "x86_64", "x86-64-v4", "", "linux", "AVX-512, since about 2017"},
      {"aarch64", arm64, "aarch64", "generic", "", "linux", "every 64-bit ARM: Armv8-A with NEON"},
      {"cortex-a53", arm64, "aarch64", "cortex-a53", "", "linux", "Armv8-A, in order"},
      {"cortex-a55", arm64, "aarch64", "cortex-a55", "", "linux",
       "Armv8.2-A, in order, dot product"},
      {"cortex-a72", arm64, "aarch64", "cortex-a72", "", "linux", "Armv8-A, out of order"},
      {"cortex-a76", arm64, "aarch64", "cortex-a76", "", "linux",
       "Armv8.2-A, out of order, dot product"},
      {"neoverse-n1", arm64, "aarch64", "neoverse-n1", "", "linux", "Armv8.2-A server core"},
      {"neoverse-v1", arm64, "aarch64", "neoverse-v1", "", "linux",
       "Armv8.4-A server core, int8 matrix products"},
      {"neoverse-n2", arm64, "aarch64", "neoverse-n2", "", "linux",
       "Armv9-A server core, int8 matrix products"},
      {"cortex-m4", armM, "thumbv7em", "cortex-m4", "", "none",
       "microcontroller, single-precision unit, DSP"},
      {"cortex-m7", armM, "thumbv7em", "cortex-m7", "", "none",
       "microcontroller, double-precision unit, DSP"},
  };
  return rows;
}

std::string familyTriple(TargetFamily family, StringRef arch, StringRef os, bool hardAbi) {
  // Normalized at once: LLVM parses a triple with three components into other fields than the
  // writer meant, and then calls the wrong run-time helpers.
  if (family == TargetFamily::ArmM) {
    return Triple::normalize((arch + "-none-unknown-eabi" + (hardAbi ? "hf" : "")).str());
  }
  return Triple::normalize(
      (arch + (os == "none" ? "-unknown-none-elf" : "-unknown-linux-gnu")).str());
}

std::unique_ptr<MCSubtargetInfo> createSubtarget(StringRef triple, StringRef cpu,
                                                 StringRef features) {
  initializeTargets();
  std::string error;
  const llvm::Target *target = TargetRegistry::lookupTarget(triple.str(), error);
  if (!target) {
    return nullptr;
  }
  return std::unique_ptr<MCSubtargetInfo>(target->createMCSubtargetInfo(triple, cpu, features));
}

/// LLVM's CPU names of one family that the table accepts without a row.
static std::vector<std::string> familyCpus(TargetFamily family) {
  std::vector<std::string> names;
  std::string triple = familyTriple(family, familyArch(family), "linux", true);
  std::unique_ptr<MCSubtargetInfo> subtarget = createSubtarget(triple, "", "");
  if (!subtarget) {
    return names;
  }
  // x86's list begins with the 32-bit processors.
  ArrayRef<SubtargetFeatureKV> features = subtarget->getAllProcessorFeatures();
  const auto *is64Bit =
      find_if(features, [](const SubtargetFeatureKV &f) { return StringRef(f.Key) == "64bit"; });
  for (const SubtargetSubTypeKV &cpu : subtarget->getAllProcessorDescriptions()) {
    bool usable = is64Bit == features.end() || cpu.Implies.getAsBitset().test(is64Bit->Value);
    // "generic" means something else in every family: the rows have names for it.
    if (usable && StringRef(cpu.Key) != "generic") {
      names.push_back(cpu.Key);
    }
  }
  return names;
}

/// All CPU names beside the rows, sorted by name; computed once.
static const std::vector<std::pair<std::string, TargetFamily>> &cpuNames() {
  static const auto *names = [] {
    auto *list = new std::vector<std::pair<std::string, TargetFamily>>();
    for (TargetFamily family : {TargetFamily::X86, TargetFamily::AArch64}) {
      for (std::string &name : familyCpus(family)) {
        list->emplace_back(std::move(name), family);
      }
    }
    llvm::sort(*list);
    list->erase(std::unique(list->begin(), list->end(),
                            [](const auto &a, const auto &b) { return a.first == b.first; }),
                list->end());
    return list;
  }();
  return *names;
}

std::unique_ptr<TargetRow> findRow(StringRef name) {
  for (const TargetRow &row : targetRows()) {
    if (row.name == name) {
      return std::make_unique<TargetRow>(row);
    }
  }
  // LLVM's aliases ("apple-m1", "grace") are CPUs of its list under another name.
  StringRef resolved = AArch64::resolveCPUAlias(name);
  for (const auto &[cpu, family] : cpuNames()) {
    if (cpu == resolved) {
      return std::make_unique<TargetRow>(
          TargetRow{cpu, family, familyArch(family), cpu, "", "linux", ""});
    }
  }
  return nullptr;
}

std::vector<std::string> targetNames() {
  std::vector<std::string> names;
  for (const TargetRow &row : targetRows()) {
    names.push_back(row.name.str());
  }
  for (const auto &entry : cpuNames()) {
    if (!is_contained(names, entry.first)) {
      names.push_back(entry.first);
    }
  }
  return names;
}

SmallVector<StringRef, 3> nearestNames(StringRef wrong, ArrayRef<std::string> names) {
  // A third of the letters may be wrong: beyond that the suggestions are noise.
  unsigned limit = std::clamp<size_t>(wrong.size() / 3, 1, 4);
  std::vector<std::pair<unsigned, StringRef>> close;
  for (const std::string &name : names) {
    unsigned distance = wrong.edit_distance_insensitive(name, /*AllowReplacements=*/true, limit);
    if (distance <= limit) {
      close.emplace_back(distance, name);
    }
  }
  llvm::sort(close); // by distance, then by name
  SmallVector<StringRef, 3> nearest;
  for (const auto &[distance, name] : ArrayRef(close).take_front(3)) {
    nearest.push_back(name);
  }
  return nearest;
}

} // namespace modelc
