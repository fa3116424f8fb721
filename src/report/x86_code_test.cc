// SPDX-License-Identifier: Apache-2.0
//
// Lengths and locks of instructions. Engine side; pure.
#include "report/x86_code.h"

#include <gtest/gtest.h>

#include <vector>

namespace raddle::report {
namespace {

using Bytes = std::vector<std::uint8_t>;

struct Case {
  const char* text;
  Bytes code;
  bool locked = false;
};

// As the GNU assembler writes them.
const Case kCases[] = {
    {"ret", {0xc3}},
    {"endbr64", {0xf3, 0x0f, 0x1e, 0xfa}},
    {"add $1, (%rdi)", {0x83, 0x07, 0x01}},
    {"lock add $1, (%rdi)", {0xf0, 0x83, 0x07, 0x01}, true},
    {"lock addq $1000, 8(%rsp)", {0xf0, 0x48, 0x81, 0x44, 0x24, 0x08, 0xe8, 3, 0, 0}, true},
    {"lock cmpxchg %esi, (%rdi)", {0xf0, 0x0f, 0xb1, 0x37}, true},
    {"lock xadd %rax, 0x1000(%rip)", {0xf0, 0x48, 0x0f, 0xc1, 0x05, 0, 0x10, 0, 0}, true},
    {"lock cmpxchg16b (%rdi)", {0xf0, 0x48, 0x0f, 0xc7, 0x0f}, true},
    {"lock incl (%rax)", {0xf0, 0xff, 0x00}, true},
    {"lock btsq $3, (%rdi)", {0xf0, 0x48, 0x0f, 0xba, 0x2f, 0x03}, true},
    {"xchg %eax, (%rdi)", {0x87, 0x07}, true},
    {"xchg %al, (%rdi,%rcx,4)", {0x86, 0x04, 0x8f}, true},
    {"xchg %ax, %ax", {0x66, 0x90}},
    {"xchg %ecx, %edx", {0x87, 0xca}},
    {"cmpxchg %esi, (%rdi)", {0x0f, 0xb1, 0x37}},
    {"test $0x11223344, %eax", {0xa9, 0x44, 0x33, 0x22, 0x11}},
    {"testb $4, (%rdi)", {0xf6, 0x07, 0x04}},
    {"negl (%rdi)", {0xf7, 0x1f}},
    {"movabs $0xf0f0f0f0f0f0f0f0, %rax",
     {0x48, 0xb8, 0xf0, 0xf0, 0xf0, 0xf0, 0xf0, 0xf0, 0xf0, 0xf0}},
    {"movw $0x8787, (%rdi)", {0x66, 0xc7, 0x07, 0x87, 0x87}},
    {"vpaddd %ymm1, %ymm2, %ymm3", {0xc5, 0xed, 0xfe, 0xd9}},
    {"vzeroupper", {0xc5, 0xf8, 0x77}},
    {"vpermq $1, %ymm1, %ymm2", {0xc4, 0xe3, 0xfd, 0x00, 0xd1, 0x01}},
    {"vmovdqu64 64(%rsi), %zmm16", {0x62, 0xe1, 0xfe, 0x48, 0x6f, 0x46, 0x01}},
    {"pshufd $0, %xmm0, %xmm0", {0x66, 0x0f, 0x70, 0xc0, 0x00}},
    {"jne +0x100", {0x0f, 0x85, 0x00, 0x01, 0x00, 0x00}},
    {"enter $16, $1", {0xc8, 0x10, 0x00, 0x01}},
};

TEST(X86Code, KnowsLengthsAndLocks) {
  for (const Case& each : kCases) {
    Bytes code = each.code;
    code.resize(code.size() + 16, 0x90);
    Instruction instruction = decode(code);
    EXPECT_EQ(instruction.length, each.code.size()) << each.text;
    EXPECT_EQ(instruction.locked, each.locked) << each.text;
    EXPECT_EQ(has_locked_instruction(each.code), each.locked) << each.text;
  }
}

TEST(X86Code, TakesNoHalves) {
  for (const Case& each : kCases)
    EXPECT_EQ(decode(std::span(each.code).first(each.code.size() - 1)).length, 0u) << each.text;
}

TEST(X86Code, LooksBehindOtherInstructionsOnly) {
  // mov $0x07f0, %eax; ret: the bytes of a locked instruction, but not at the place of one.
  EXPECT_FALSE(has_locked_instruction(Bytes{0xb8, 0xf0, 0x87, 0x07, 0x00, 0xc3}));
  // A byte that is no instruction, then one.
  EXPECT_TRUE(has_locked_instruction(Bytes{0x06, 0x87, 0x07}));
  EXPECT_FALSE(has_locked_instruction({}));
}

}  // namespace
}  // namespace raddle::report
