// Integer operations: values at the edges of every width.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EvalTest.h"

using namespace modelc::test;

TEST(EvalInteger, Wraps) {
  check({"%r = arith.addi %a, %b : i8", "i8", "i8", {200, 100}, 44});
  check({"%r = arith.addi %a, %b : i64", "i64", "i64", {~0ull, 2}, 1});
  check({"%r = arith.addi %a, %b : index", "index", "index", {~0ull, 2}, 1});
  check({"%r = arith.subi %a, %b : i16", "i16", "i16", {1, 2}, 0xffff});
  check({"%r = arith.muli %a, %b : i32", "i32", "i32", {0x10001, 0x10001}, 0x20001});
  check({"%r = arith.muli %a, %b : i1", "i1", "i1", {1, 1}, 1});
  check({"%r = arith.addi %a, %b : i1", "i1", "i1", {1, 1}, 0});
}

TEST(EvalInteger, Bitwise) {
  check({"%r = arith.andi %a, %b : i8", "i8", "i8", {0xf0, 0x3c}, 0x30});
  check({"%r = arith.ori %a, %b : i8", "i8", "i8", {0xf0, 0x3c}, 0xfc});
  check({"%r = arith.xori %a, %b : i8", "i8", "i8", {0xf0, 0x3c}, 0xcc});
}

TEST(EvalInteger, ShiftsByAnyAmount) {
  check({"%r = arith.shli %a, %b : i8", "i8", "i8", {0x81, 1}, 0x02});
  check({"%r = arith.shli %a, %b : i8", "i8", "i8", {0x81, 8}, 0});
  check({"%r = arith.shli %a, %b : i64", "i64", "i64", {1, 64}, 0});
  check({"%r = arith.shrui %a, %b : i8", "i8", "i8", {0x81, 1}, 0x40});
  check({"%r = arith.shrui %a, %b : i64", "i64", "i64", {~0ull, 200}, 0});
  check({"%r = arith.shrsi %a, %b : i8", "i8", "i8", {0x81, 1}, 0xc0});
  check({"%r = arith.shrsi %a, %b : i8", "i8", "i8", {0x81, 200}, 0xff});
  check({"%r = arith.shrsi %a, %b : i64", "i64", "i64", {1ull << 63, 63}, ~0ull});
}

TEST(EvalInteger, MinMax) {
  check({"%r = arith.minsi %a, %b : i8", "i8", "i8", {0x80, 1}, 0x80});
  check({"%r = arith.maxsi %a, %b : i8", "i8", "i8", {0x80, 1}, 1});
  check({"%r = arith.minui %a, %b : i8", "i8", "i8", {0x80, 1}, 1});
  check({"%r = arith.maxui %a, %b : i8", "i8", "i8", {0x80, 1}, 0x80});
}

TEST(EvalInteger, Division) {
  check({"%r = arith.divsi %a, %b : i8", "i8", "i8", {0xf9, 2}, 0xfd}); // -7 / 2 = -3
  check({"%r = arith.divsi %a, %b : i8", "i8", "i8", {0x80, 0xff}, 0x80});
  check({"%r = arith.divsi %a, %b : i64", "i64", "i64", {1ull << 63, ~0ull}, 1ull << 63});
  check({"%r = arith.divui %a, %b : i8", "i8", "i8", {0xf9, 2}, 0x7c});
  check({"%r = arith.remsi %a, %b : i8", "i8", "i8", {0xf9, 2}, 0xff}); // -7 % 2 = -1
  check({"%r = arith.remsi %a, %b : i64", "i64", "i64", {1ull << 63, ~0ull}, 0});
  check({"%r = arith.remui %a, %b : i8", "i8", "i8", {0xf9, 16}, 9});
  check({"%r = arith.ceildivsi %a, %b : i8", "i8", "i8", {7, 2}, 4});
  check({"%r = arith.ceildivsi %a, %b : i8", "i8", "i8", {0xf9, 2}, 0xfd});
  check({"%r = arith.ceildivsi %a, %b : i8", "i8", "i8", {0xf9, 0xfe}, 4});
  check({"%r = arith.ceildivui %a, %b : i8", "i8", "i8", {0xff, 2}, 0x80});
  check({"%r = arith.floordivsi %a, %b : i8", "i8", "i8", {0xf9, 2}, 0xfc}); // -4
  check({"%r = arith.floordivsi %a, %b : i8", "i8", "i8", {7, 0xfe}, 0xfc});
  check({"%r = arith.floordivsi %a, %b : index", "index", "index", {8, 2}, 4});
}

TEST(EvalInteger, CountsAndAbs) {
  check({"%r = math.absi %a : i8", "i8", "i8", {0xfb}, 5});
  check({"%r = math.absi %a : i8", "i8", "i8", {0x80}, 0x80});
  check({"%r = math.ctlz %a : i16", "i16", "i16", {0x0100}, 7});
  check({"%r = math.ctlz %a : i16", "i16", "i16", {0}, 16});
  check({"%r = math.cttz %a : i16", "i16", "i16", {0x0100}, 8});
  check({"%r = math.cttz %a : i16", "i16", "i16", {0}, 16});
  check({"%r = math.cttz %a : i64", "i64", "i64", {0}, 64});
  check({"%r = math.ctpop %a : i32", "i32", "i32", {0xff00ff01}, 17});
}

TEST(EvalInteger, Predicates) {
  // For -1 and 1 as i8: signed below, unsigned above.
  struct {
    const char *predicate;
    bool below, equal, above;
  } rows[] = {{"eq", false, true, false},  {"ne", true, false, true},   {"slt", true, false, false},
              {"sle", true, true, false},  {"sgt", false, false, true}, {"sge", false, true, true},
              {"ult", false, false, true}, {"ule", false, true, true},  {"ugt", true, false, false},
              {"uge", true, true, false}};
  for (auto &row : rows) {
    std::string text = "%r = arith.cmpi " + std::string(row.predicate) + ", %a, %b : i8";
    check({text.c_str(), "i8", "i1", {0xff, 1}, row.below});
    check({text.c_str(), "i8", "i1", {0xff, 0xff}, row.equal});
    check({text.c_str(), "i8", "i1", {1, 0xff}, row.above});
  }
}

TEST(EvalInteger, SelectAndExtended) {
  check({"%t = arith.constant true\n%r = arith.select %t, %a, %b : i8", "i8", "i8", {1, 2}, 1});
  check({"%t = arith.constant false\n%r = arith.select %t, %a, %b : i8", "i8", "i8", {1, 2}, 2});
  check({"%r, %o = arith.addui_extended %a, %b : i8, i1", "i8", "i8", {200, 100}, 44});
  check({"%s, %r = arith.addui_extended %a, %b : i8, i1", "i8", "i1", {200, 100}, 1});
  check({"%s, %r = arith.addui_extended %a, %b : i64, i1", "i64", "i1", {~0ull, 1}, 1});
  check({"%s, %r = arith.addui_extended %a, %b : i64, i1", "i64", "i1", {~0ull, 0}, 0});
  check({"%r, %h = arith.mulsi_extended %a, %b : i8", "i8", "i8", {0x80, 0x80}, 0});
  check({"%l, %r = arith.mulsi_extended %a, %b : i8", "i8", "i8", {0x80, 0x80}, 0x40});
  check({"%l, %r = arith.mulsi_extended %a, %b : i64", "i64", "i64", {~0ull, 5}, ~0ull});
  check({"%l, %r = arith.mului_extended %a, %b : i64", "i64", "i64", {~0ull, ~0ull}, ~0ull - 1});
  check({"%r, %h = arith.mului_extended %a, %b : i32", "i32", "i32", {0xffffffff, 2}, 0xfffffffe});
  check({"%l, %r = arith.mului_extended %a, %b : i32", "i32", "i32", {0xffffffff, 2}, 1});
}

TEST(EvalInteger, Casts) {
  check({"%r = arith.extui %a : i8 to i64", "i8", "i64", {0x80}, 0x80});
  check({"%r = arith.extsi %a : i8 to i32", "i8", "i32", {0x80}, 0xffffff80});
  check({"%r = arith.extsi %a : i1 to i64", "i1", "i64", {1}, ~0ull});
  check({"%r = arith.trunci %a : i64 to i8", "i64", "i8", {0x1ff}, 0xff});
  check({"%r = arith.trunci %a : i8 to i1", "i8", "i1", {2}, 0});
  check({"%r = arith.index_cast %a : i32 to index", "i32", "index", {0xffffffff}, ~0ull});
  check({"%r = arith.index_cast %a : index to i16", "index", "i16", {0x12345}, 0x2345});
  check({"%r = arith.index_cast %a : index to i64", "index", "i64", {~0ull}, ~0ull});
  check({"%r = arith.index_castui %a : i32 to index", "i32", "index", {0xffffffff}, 0xffffffff});
  check({"%r = arith.index_castui %a : index to i8", "index", "i8", {0x1ff}, 0xff});
  check({"%r = arith.bitcast %a : i32 to f32", "i32", "f32", {0x3f800000}, bits(1.0f)});
  check({"%r = arith.bitcast %a : f64 to i64", "f64", "i64", {bits(-2.0)}, bits(-2.0)});
  check({"%r = arith.bitcast %a : i16 to f16", "i16", "f16", {0x7d01}, 0x7d01});
  check({"%r = arith.bitcast %a : bf16 to i16", "bf16", "i16", {0xff81}, 0xff81});
  check({"%r = arith.bitcast %a : f16 to bf16", "f16", "bf16", {0x3c01}, 0x3c01});
}

TEST(EvalInteger, Constants) {
  check({"%r = arith.constant -3 : i8", "i8", "i8", {0}, 0xfd});
  check({"%r = arith.constant -3 : index", "i8", "index", {0}, uint64_t(-3)});
  check({"%r = arith.constant true", "i8", "i1", {0}, 1});
  check({"%r = arith.constant 1.5 : f16", "i8", "f16", {0}, 0x3e00});
  check({"%r = arith.constant 0x7FC1 : bf16", "i8", "bf16", {0}, 0x7fc1});
  check({"%r = arith.constant 1.5 : f32", "i8", "f32", {0}, bits(1.5f)});
  check({"%r = arith.constant -1.5 : f64", "i8", "f64", {0}, bits(-1.5)});
}
