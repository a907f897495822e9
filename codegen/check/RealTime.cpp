//===- RealTime.cpp - The real-time contract of a library -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/check/RealTime.h"
#include "codegen/BoundTables.h"
#include "codegen/check/FlowGraph.h"
#include "codegen/check/LongestPath.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace modelc;

/// Longer chains of calls are refused: each call is one level of recursion here.
static constexpr unsigned maxCallDepth = 500;

namespace {

class RealTimeChecker {
public:
  RealTimeChecker(const ObjectCode &code, Decoder &decoder, DenseMap<CodePlace, uint64_t> loops,
                  DenseMap<CodePlace, uint64_t> stacks)
      : code(code), builder(code, decoder), loops(std::move(loops)), stacks(std::move(stacks)) {}

  RealTimeReport run();

private:
  struct Visited {
    bool finished = false;
    FunctionBounds bounds;
  };

  void add(CodePlace place, const Twine &what, bool inCode = true);
  void checkSections();
  void checkSymbols();
  const FunctionBounds &boundsOf(CodePlace entry, unsigned depth);
  void addCalls(const FlowGraph &graph, std::vector<PathNode> &nodes, FunctionBounds &bounds,
                unsigned depth);
  void addLoops(const FlowGraph &graph, ArrayRef<PathNode> nodes, FunctionBounds &bounds);
  void addStack(CodePlace entry, FunctionBounds &bounds);

  const ObjectCode &code;
  FlowGraphBuilder builder;
  DenseMap<CodePlace, uint64_t> loops, stacks;
  std::map<CodePlace, Visited> functions;
  RealTimeReport report;
};

} // namespace

void RealTimeChecker::add(CodePlace place, const Twine &what, bool inCode) {
  std::string function;
  if (inCode) {
    function = StringRef(code.nameOf(place)).split('+').first.str();
  }
  report.faults.push_back({code.describe(place), std::move(function), what.str()});
}

void RealTimeChecker::checkSections() {
  for (const auto &[number, section] : enumerate(code.sections)) {
    if (!section.allocated || !section.writable || section.size == 0) {
      continue;
    }
    std::string names;
    for (const auto &[value, symbol] : ArrayRef(section.names).take_front(5)) {
      names += (names.empty() ? ": " : ", ") + code.symbols[symbol].name.str();
    }
    report.faults.push_back(
        {code.members[section.member], "",
         ("writable section " + section.name + " of " + Twine(section.size) + " bytes" + names)
             .str()});
  }
}

/// What a name is known for.
static StringRef purposeOf(StringRef name) {
  static constexpr StringRef memory[] = {"malloc",        "calloc",         "realloc", "free",
                                         "aligned_alloc", "posix_memalign", "_Znwm",   "_ZdlPv"};
  static constexpr StringRef locks[] = {"pthread_", "mtx_", "cnd_", "sem_", "__atomic_", "__sync_"};
  if (is_contained(memory, name)) {
    return "allocates memory: ";
  }
  return any_of(locks, [&](StringRef prefix) { return name.starts_with(prefix); }) ? "locks: " : "";
}

void RealTimeChecker::checkSymbols() {
  for (const ObjectSymbol &symbol : code.symbols) {
    if (symbol.common) {
      report.faults.push_back(
          {code.members[symbol.member], "",
           ("writable global '" + symbol.name + "' of " + Twine(symbol.size) + " bytes").str()});
    }
    // Every linker defines that one by itself; it comes with the large code model.
    bool missing = symbol.undefined && code.definition(symbol).undefined &&
                   symbol.name != "_GLOBAL_OFFSET_TABLE_";
    if (missing) {
      report.faults.push_back({code.members[symbol.member], "",
                               (purposeOf(symbol.name) + "needs '" + symbol.name +
                                "', which the library does not define")
                                   .str()});
    }
  }
}

/// Puts the callees' instructions and stack on the blocks that call them.
void RealTimeChecker::addCalls(const FlowGraph &graph, std::vector<PathNode> &nodes,
                               FunctionBounds &bounds, unsigned depth) {
  bounds.instructions = bounds.stackBytes = 0;
  for (const auto &[block, node] : zip_equal(graph.blocks, nodes)) {
    for (CodePlace callee : block.calls) {
      const FunctionBounds &called = boundsOf(callee, depth + 1);
      if (!called.instructions) {
        bounds.instructions.reset();
      }
      if (!called.stackBytes) {
        bounds.stackBytes.reset();
      }
      if (bounds.missing.empty()) {
        bounds.missing = called.missing;
      }
      node.cost = SaturatingAdd(node.cost, called.instructions.value_or(0));
      if (bounds.stackBytes) {
        bounds.stackBytes = std::max(*bounds.stackBytes, *called.stackBytes);
      }
    }
  }
}

void RealTimeChecker::addLoops(const FlowGraph &graph, ArrayRef<PathNode> nodes,
                               FunctionBounds &bounds) {
  uint64_t heads = 0;
  PathResult path = longestPath(nodes, [&](unsigned node) -> std::optional<uint64_t> {
    ++heads;
    auto found = loops.find({graph.section, graph.blocks[node].offset});
    return found == loops.end() ? std::nullopt : std::optional(found->second);
  });
  report.loops += heads;
  auto complain = [&](ArrayRef<unsigned> found, StringRef what) {
    for (unsigned node : found) {
      CodePlace place{graph.section, graph.blocks[node].offset};
      add(place, what);
      if (bounds.missing.empty()) {
        bounds.missing = (what + " at " + code.nameOf(place)).str();
      }
    }
  };
  complain(path.unbounded, "loop without a bound");
  complain(path.irreducible, "loop that is entered at several places or nested too deep");
  if (!path.cost || *path.cost == UINT64_MAX) {
    bounds.instructions.reset();
  } else if (bounds.instructions) {
    bounds.instructions = path.cost;
  }
}

void RealTimeChecker::addStack(CodePlace entry, FunctionBounds &bounds) {
  auto found = stacks.find(entry);
  if (found == stacks.end()) {
    bounds.stackBytes.reset();
    if (bounds.missing.empty()) {
      bounds.missing = "no size of the stack frame of " + code.nameOf(entry);
    }
  } else if (bounds.stackBytes) {
    bounds.stackBytes = SaturatingAdd(*bounds.stackBytes, found->second);
  }
}

const FunctionBounds &RealTimeChecker::boundsOf(CodePlace entry, unsigned depth) {
  auto [found, isNew] = functions.try_emplace(entry);
  Visited &function = found->second;
  if (function.finished) {
    return function.bounds;
  }
  if (!isNew || depth > maxCallDepth) {
    static const FunctionBounds recursive = {std::nullopt, std::nullopt, "recursion", false};
    add(entry, isNew ? "calls are nested too deep"
                     : "recursion: calls itself, or is called by "
                       "what it calls");
    return recursive;
  }
  FlowGraph graph = builder.build(entry);
  FunctionBounds bounds;
  std::vector<PathNode> nodes;
  for (const CodeBlock &block : graph.blocks) {
    nodes.push_back({block.instructions, block.successors, block.returns});
    report.instructions += block.instructions;
  }
  for (const RealTimeFault &fault : graph.faults) {
    add(fault.place, fault.what);
  }
  addCalls(graph, nodes, bounds, depth);
  addLoops(graph, nodes, bounds);
  addStack(entry, bounds);
  if (!graph.faults.empty()) {
    // Where the flow is not known, nothing that was counted is a bound.
    bounds.instructions.reset();
    bounds.stackBytes.reset();
    if (bounds.missing.empty()) {
      bounds.missing = graph.faults.front().what + " at " + code.nameOf(graph.faults.front().place);
    }
  }
  function.bounds = std::move(bounds);
  function.finished = true;
  return function.bounds;
}

RealTimeReport RealTimeChecker::run() {
  checkSymbols();
  checkSections();
  report.stackBytes = 0;
  std::map<std::string, CodePlace> roots;
  for (const ObjectSymbol &symbol : code.symbols) {
    if (symbol.global && symbol.section && code.sections[*symbol.section].executable) {
      roots[symbol.name.str()] = {*symbol.section, symbol.value};
    }
  }
  for (const auto &[name, entry] : roots) {
    const FunctionBounds &bounds = boundsOf(entry, 0);
    if (!bounds.stackBytes) {
      report.stackBytes.reset();
    } else if (report.stackBytes) {
      report.stackBytes = std::max(*report.stackBytes, *bounds.stackBytes);
    }
  }
  for (auto &[place, function] : functions) {
    FunctionBounds &bounds = report.functions[code.nameOf(place)];
    bounds = std::move(function.bounds);
    bounds.global = roots.count(code.nameOf(place));
  }
  return std::move(report);
}

Expected<RealTimeReport> modelc::checkRealTime(MemoryBufferRef library) {
  Expected<ObjectCode> code = ObjectCode::read(library);
  if (!code) {
    return code.takeError();
  }
  Expected<std::unique_ptr<Decoder>> decoder = Decoder::create(code->machine);
  if (!decoder) {
    return decoder.takeError();
  }
  auto loops = code->table(kLoopSection), stacks = code->table(kStackSection);
  if (!loops || !stacks) {
    return joinErrors(loops ? Error::success() : loops.takeError(),
                      stacks ? Error::success() : stacks.takeError());
  }
  return RealTimeChecker(*code, **decoder, std::move(*loops), std::move(*stacks)).run();
}
