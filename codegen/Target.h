// The target table: what a processor is called, and the facts that generators and emission read
// from it. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_TARGET_H
#define MODELC_CODEGEN_TARGET_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class TargetMachine;
}

namespace modelc {

/// The processor families that the table knows. A family fixes the architecture name of the triple,
/// the operating systems, the ABI and the runtime class; rows of one family differ in CPU and
/// features only.
enum class TargetFamily { X86, AArch64, ArmM };

/// One row of the table as `modelc targets` lists it.
struct TargetRow {
  llvm::StringRef name; ///< what `--target=` takes
  TargetFamily family;
  llvm::StringRef arch;     ///< architecture component of the triple
  llvm::StringRef cpu;      ///< LLVM's CPU name; empty for "native": the CPU that runs the compiler
  llvm::StringRef features; ///< LLVM feature string on top of the CPU's own
  llvm::StringRef os;       ///< default operating system: "linux" or "none"
  llvm::StringRef summary;  ///< one line for the listing
};

/// Flags beside the target's name. Empty means: the default of the row.
struct TargetOptions {
  std::string os;       ///< --os=none|linux
  std::string floatAbi; ///< --float-abi=hard|softfp|soft, 32-bit ARM only
};

/// One row of the table after flags and features are applied. All facts are derived from LLVM's own
/// description of the processor (MCSubtargetInfo), so that `haswell`, `x86-64-v3` and
/// `x86-64-v2+avx2+fma` agree.
struct Target {
  std::string name; ///< as the user spelled it: "native", "cortex-a53", "x86-64+avx2"
  std::string triple, cpu, features, abi; ///< LLVM's; the triple is normalized
  TargetFamily family = TargetFamily::X86;
  std::string os;       ///< "linux" or "none"
  std::string floatAbi; ///< "hard", "softfp" or "soft" on 32-bit ARM, else empty
  std::string
      runtimeClass;      ///< which precompiled runtime fits: "x86_64", "aarch64", "thumbv7em_hf"...
  bool hardFloat = true; ///< floating-point values travel in floating-point registers
  bool hasFpu = true;    ///< f32 arithmetic is native
  bool hasDouble =
      true;        ///< f64 arithmetic is native (false on Cortex-M4: its unit is single precision)
  bool pic = true; ///< position-independent code (false on bare metal)
  bool hasFma = false;          ///< fused multiply-add is one instruction
  bool hasRound = false;        ///< floor, ceil and trunc are instructions
  bool hasRoundEven = false;    ///< so is rounding half to even
  bool hasMaskedMemory = false; ///< masked vector load/store are instructions
  bool hasF16Convert = false;   ///< f16 <-> f32 conversion is an instruction
  unsigned pointerBits = 64;
  unsigned vectorBytes = 16; ///< 64 AVX-512, 32 AVX2, 16 SSE and NEON, 4 means no vectors
  unsigned vectorRegisters = 16;
  unsigned align = 64; ///< alignment that the emitted library asks of state and scratch memory

  bool operator==(const Target &other) const {
    return triple == other.triple && cpu == other.cpu && features == other.features &&
           abi == other.abi && floatAbi == other.floatAbi && pic == other.pic;
  }
};

/// The rows with a name of their own; any other CPU name of LLVM for the same families is accepted
/// as well.
llvm::ArrayRef<TargetRow> targetRows();

/// Every name that parseTarget accepts before features: the rows, then LLVM's CPU names, sorted.
std::vector<std::string> targetNames();

/// Parses `cpu[+feature...][-feature...]`, for example `cortex-a55+dotprod` or `znver4-avx512f`.
/// The error for an unknown name or feature names the nearest ones and where to find the list.
llvm::Expected<Target> parseTarget(llvm::StringRef spec, const TargetOptions &options = {});

/// Whether the target's processor has LLVM's feature `feature` ("avx512vnni", "dotprod", "dsp").
bool hasFeature(const Target &target, llvm::StringRef feature);

/// A code generator for the target: function sections, no contraction across operations unless the
/// IR allows it.
std::unique_ptr<llvm::TargetMachine> createTargetMachine(const Target &target);

/// Registers LLVM's back ends of the table's families, once per process; thread-safe. The functions
/// above call it.
void initializeTargets();

} // namespace modelc

#endif // MODELC_CODEGEN_TARGET_H
