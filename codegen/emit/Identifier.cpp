//===- Identifier.cpp - Names of a model as C identifiers -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/emit/Identifier.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace modelc;

static constexpr size_t maxIdentifier = 63;

/// Keywords of C23 and C++23, their alternative tokens, and macros that <complex.h>,
/// <errno.h>, <stdio.h>, <stddef.h> or GNU C define: a struct field cannot bear them.
static bool isReserved(StringRef text) {
  static const StringSet<> words = {
      "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break",
      "case", "catch", "char", "char16_t", "char32_t", "char8_t", "class", "co_await", "co_return",
      "co_yield", "compl", "concept", "const", "const_cast", "consteval", "constexpr", "constinit",
      "continue", "decltype", "default", "delete", "do", "double", "dynamic_cast", "else", "enum",
      "explicit", "export", "extern", "false", "float", "for", "fortran", "friend", "goto", "if",
      "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq",
      "nullptr", "operator", "or", "or_eq", "private", "protected", "public", "register",
      "reinterpret_cast", "requires", "restrict", "return", "short", "signed", "sizeof", "static",
      "static_assert", "static_cast", "struct", "switch", "template", "this", "thread_local",
      "throw", "true", "try", "typedef", "typeid", "typename", "typeof", "typeof_unqual", "union",
      "unsigned", "using", "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq",
      "_Alignas", "_Alignof", "_Atomic", "_BitInt", "_Bool", "_Complex", "_Decimal128",
      "_Decimal32", "_Decimal64", "_Float16", "_Generic", "_Imaginary", "_Noreturn", "_Pragma",
      "_Static_assert", "_Thread_local", "EOF", "I", "NULL", "complex", "errno", "far", "i386",
      "imaginary", "linux", "near", "noreturn", "offsetof", "stderr", "stdin", "stdout", "unix",
      // Types that generated headers use; a library may not be called so.
      "int8_t", "int16_t", "int32_t", "int64_t", "intptr_t", "max_align_t", "ptrdiff_t", "size_t",
      "uint8_t", "uint16_t", "uint32_t", "uint64_t", "uintptr_t", "modelc_config",
      "modelc_model_info", "modelc_status", "modelc_tensor_info", "modelc_threads"};
  // Compilers name their own macros and keywords so.
  bool compilers = text.starts_with("__") && !text.starts_with("___");
  return words.contains(text) || compilers;
}

bool modelc::isIdentifier(StringRef text) {
  return !text.empty() && !isDigit(text.front()) &&
         all_of(text, [](char c) { return isAlnum(c) || c == '_'; }) && !isReserved(text);
}

std::string modelc::makeIdentifier(StringRef text) {
  std::string out;
  bool gap = false;
  for (char c : text) {
    bool plain = isAlnum(c) || c == '_';
    if (plain) {
      out += c;
    } else if (!gap) {
      out += '_';
    }
    gap = !plain;
    if (out.size() == maxIdentifier) {
      break;
    }
  }
  if (out.empty()) {
    return "unnamed";
  }
  while (isDigit(out.front()) || isReserved(out)) {
    out.insert(out.begin(), '_');
    out.resize(std::min(out.size(), maxIdentifier));
  }
  return out;
}

std::string IdentifierTable::add(StringRef text) {
  std::string base = makeIdentifier(text), name = base;
  // `next` keeps many equal names from making this quadratic.
  for (unsigned &number = next.try_emplace(base, 2).first->second; !used.insert(name).second;) {
    std::string suffix = "_" + utostr(number++);
    name = StringRef(base).take_front(maxIdentifier - suffix.size()).str() + suffix;
  }
  return name;
}

void modelc::assignIdentifiers(MutableArrayRef<TensorInfo> tensors) {
  IdentifierTable table;
  for (TensorInfo &tensor : tensors) {
    tensor.cName = table.add(tensor.name);
  }
}
