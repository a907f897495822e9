// The values that names of an ONNX graph stand for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_FRONTEND_ONNX_SCOPE_H
#define MODELC_FRONTEND_ONNX_SCOPE_H

#include "mlir/IR/Value.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

namespace modelc {

/// Names of one graph or function body. A subgraph's scope sees the names of
/// the graph around it, and may shadow them; a function's scope has no parent.
class Scope {
public:
  struct Entry {
    enum Kind {
      Undefined,   ///< no such name
      Present,     ///< `value` holds it
      Absent,      ///< a formal input of a function that the call leaves out
      Broken,      ///< its node could not be imported, which was reported
      Initializer, ///< not read yet: `tensor` holds it
    };
    Kind kind = Undefined;
    mlir::Value value = {};
    onnx::TensorProto *tensor = nullptr;
  };

  explicit Scope(Scope *parent = nullptr) : parent(parent) {}

  void define(llvm::StringRef name, mlir::Value value) {
    entries[name] = {Entry::Present, value, nullptr};
  }
  void define(llvm::StringRef name, onnx::TensorProto &tensor) {
    entries[name] = {Entry::Initializer, {}, &tensor};
  }
  void defineAbsent(llvm::StringRef name) { entries[name] = {Entry::Absent, {}, nullptr}; }
  void defineBroken(llvm::StringRef name) { entries[name] = {Entry::Broken, {}, nullptr}; }

  /// The entry for `name` in the nearest scope that has one. The reference
  /// is valid until the next definition.
  Entry &find(llvm::StringRef name) {
    static Entry undefined;
    for (Scope *scope = this; scope; scope = scope->parent) {
      auto it = scope->entries.find(name);
      if (it != scope->entries.end()) {
        return it->second;
      }
    }
    undefined = Entry();
    return undefined;
  }

  /// What a graph says about the type of a value. An empty shape is that of a
  /// scalar, but where exporters describe inner values some mean an unknown one.
  struct Declaration {
    const onnx::TypeProto *type;
    bool isEmptyShapeOpen;
  };

  /// Remembers what the graph says about `values`, which must outlive the scope.
  void declare(const google::protobuf::RepeatedPtrField<onnx::ValueInfoProto> &values,
               bool isEmptyShapeOpen) {
    for (const onnx::ValueInfoProto &value : values) {
      declarations[value.name()].push_back({&value.type(), isEmptyShapeOpen});
    }
  }
  /// Everything that the graph which defines `name` says about it.
  llvm::ArrayRef<Declaration> declarationsOf(llvm::StringRef name) const {
    const Scope *scope = this;
    while (scope->parent && !scope->entries.count(name)) {
      scope = scope->parent;
    }
    auto it = scope->declarations.find(name);
    return it == scope->declarations.end() ? llvm::ArrayRef<Declaration>()
                                           : llvm::ArrayRef(it->second);
  }

private:
  llvm::StringMap<Entry> entries;
  llvm::StringMap<llvm::SmallVector<Declaration, 1>> declarations;
  Scope *parent;
};

} // namespace modelc

#endif // MODELC_FRONTEND_ONNX_SCOPE_H
