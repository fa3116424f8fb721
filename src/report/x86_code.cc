// SPDX-License-Identifier: Apache-2.0
//
// Lengths of instructions, after the opcode maps of Intel's manual (volume 2, appendix A). Engine
// side; pure.
#include "report/x86_code.h"

#include <algorithm>

namespace raddle::report {
namespace {

// What follows an opcode.
enum Shape : std::uint8_t {
  kBare = 0,
  kModrm = 1,
  kByte = 2,     // an immediate of one byte
  kWord = 4,     // of two
  kFull = 8,     // of four, or two with an operand size prefix
  kWide = 16,    // of the operand's size
  kOffset = 32,  // an address
  kInvalid = 64,
};

Shape operator|(Shape a, Shape b) { return static_cast<Shape>(unsigned{a} | unsigned{b}); }

bool between(unsigned value, unsigned low, unsigned high) { return value >= low && value <= high; }

// Opcodes of one byte. Group 3 (f6, f7) has an immediate only for some of its members.
Shape one_byte_shape(unsigned opcode) {
  if (opcode < 0x40) {
    constexpr Shape kArithmetic[] = {kModrm, kModrm, kModrm,   kModrm,
                                     kByte,  kFull,  kInvalid, kInvalid};
    return kArithmetic[opcode & 7];
  }
  switch (opcode) {
    case 0x63:
    case 0x8d:
    case 0x8f:
      return kModrm;
    case 0x68:
    case 0xa9:
      return kFull;
    case 0x69:
    case 0x81:
    case 0xc7:
      return kModrm | kFull;
    case 0x6a:
    case 0xa8:
    case 0xcd:
    case 0xeb:
      return kByte;
    case 0x6b:
    case 0x80:
    case 0x83:
    case 0xc0:
    case 0xc1:
    case 0xc6:
      return kModrm | kByte;
    case 0xc2:
    case 0xca:
      return kWord;
    case 0xc8:
      return kWord | kByte;
    case 0xe8:
    case 0xe9:
      return kFull;
    case 0x60:
    case 0x61:
    case 0x82:
    case 0x9a:
    case 0xce:
    case 0xd4:
    case 0xd5:
    case 0xd6:
    case 0xea:
      return kInvalid;
    default:
      break;
  }
  if (between(opcode, 0x70, 0x7f) || between(opcode, 0xb0, 0xb7) || between(opcode, 0xe0, 0xe7))
    return kByte;
  if (between(opcode, 0xa0, 0xa3)) return kOffset;
  if (between(opcode, 0xb8, 0xbf)) return kWide;
  bool modrm = between(opcode, 0x84, 0x8e) || between(opcode, 0xd0, 0xd3) ||
               between(opcode, 0xd8, 0xdf) || opcode == 0xf6 || opcode == 0xf7 || opcode >= 0xfe;
  return modrm ? kModrm : kBare;
}

bool has_byte_in_0f(unsigned opcode) {
  return between(opcode, 0x70, 0x73) || opcode == 0xc2 || between(opcode, 0xc4, 0xc6);
}

// Opcodes after 0f.
Shape two_byte_shape(unsigned opcode) {
  if (between(opcode, 0x80, 0x8f)) return kFull;
  if (has_byte_in_0f(opcode) || opcode == 0x0f || opcode == 0xa4 || opcode == 0xac ||
      opcode == 0xba)
    return kModrm | kByte;
  bool bare = between(opcode, 0x05, 0x09) || opcode == 0x0b || opcode == 0x0e ||
              between(opcode, 0x30, 0x37) || opcode == 0x77 || between(opcode, 0xa0, 0xa2) ||
              between(opcode, 0xa8, 0xaa) || between(opcode, 0xc8, 0xcf);
  bool invalid = opcode == 0x04 || opcode == 0x0a || opcode == 0x0c ||
                 between(opcode, 0x24, 0x27) || between(opcode, 0x39, 0x3f);
  if (invalid) return kInvalid;
  return bare ? kBare : kModrm;
}

// Opcodes behind a VEX or EVEX prefix: map 1 is 0f, 2 is 0f 38, 3 is 0f 3a.
Shape vector_shape(unsigned map, unsigned opcode) {
  if (map == 1 && opcode == 0x77) return kBare;
  if (map == 3 || (map == 1 && has_byte_in_0f(opcode))) return kModrm | kByte;
  return map >= 1 && map <= 6 ? kModrm : kInvalid;
}

// Instructions that may have a lock prefix; `member` is that of a group. Others are data.
bool takes_lock(unsigned opcode, unsigned member) {
  if (opcode < 0x38) return (opcode & 7) < 2;
  if (opcode == 0x80 || opcode == 0x81 || opcode == 0x83) return member != 7;
  if (opcode == 0xf6 || opcode == 0xf7) return member == 2 || member == 3;
  return opcode == 0x86 || opcode == 0x87 || (opcode >= 0xfe && member < 2);
}
bool takes_lock_in_0f(unsigned opcode, unsigned member) {
  if (opcode == 0xba) return member >= 5;
  if (opcode == 0xc7) return member == 1;
  return opcode == 0xab || opcode == 0xb0 || opcode == 0xb1 || opcode == 0xb3 || opcode == 0xbb ||
         opcode == 0xc0 || opcode == 0xc1;
}

class Decoder {
 public:
  explicit Decoder(std::span<const std::uint8_t> code) : code_(code) {}

  Instruction decode() {
    read_prefixes();
    unsigned opcode = next();
    bool escaped = opcode == 0x0f;
    Shape shape = kInvalid;
    if (opcode == 0xc4 || opcode == 0xc5 || opcode == 0x62) {
      shape = read_vector_prefix(opcode);
    } else if (escaped) {
      opcode = next();
      if (opcode == 0x38 || opcode == 0x3a) {
        shape = opcode == 0x3a ? kModrm | kByte : kModrm;
        next();
      } else {
        shape = two_byte_shape(opcode);
      }
    } else {
      shape = one_byte_shape(opcode);
      group_3_ = opcode == 0xf6 ? kByte : opcode == 0xf7 ? kFull : kBare;
    }
    if ((shape & kModrm) != 0) read_operand();
    skip_immediates(shape);
    if ((shape & kInvalid) != 0 || at_ > code_.size()) return {};
    bool exchanges = !escaped && (opcode == 0x86 || opcode == 0x87);
    bool takes = escaped ? takes_lock_in_0f(opcode, member_) : takes_lock(opcode, member_);
    return {static_cast<unsigned>(at_), in_memory_ && (exchanges || (lock_ && takes))};
  }

 private:
  unsigned next() {
    unsigned value = at_ < code_.size() ? code_[at_] : 0;
    ++at_;
    return value;
  }

  void read_prefixes() {
    constexpr std::uint8_t kPrefixes[] = {0xf0, 0xf2, 0xf3, 0x2e, 0x36, 0x3e,
                                          0x26, 0x64, 0x65, 0x66, 0x67};
    while (at_ < code_.size() && std::ranges::find(kPrefixes, code_[at_]) != std::end(kPrefixes)) {
      lock_ |= code_[at_] == 0xf0;
      short_operand_ |= code_[at_] == 0x66;
      short_address_ |= code_[at_] == 0x67;
      ++at_;
    }
    if (at_ < code_.size() && between(code_[at_], 0x40, 0x4f)) wide_ = (next() & 8) != 0;
  }

  Shape read_vector_prefix(unsigned first) {
    unsigned map = 1;
    if (first == 0xc5) {
      next();
    } else if (first == 0xc4) {
      map = next() & 31;
      next();
    } else {
      map = next() & 7;
      next();
      next();
    }
    return vector_shape(map, next());
  }

  // The ModRM byte, the SIB byte, and how far from there.
  void read_operand() {
    unsigned modrm = next(), mode = modrm >> 6, base = modrm & 7;
    member_ = modrm >> 3 & 7;
    if (group_3_ != kBare && member_ < 2) skip_immediates(group_3_);
    if (mode == 3) return;
    in_memory_ = true;
    if (base == 4) base = next() & 7;
    if (mode == 1) ++at_;
    if (mode == 2 || (mode == 0 && base == 5)) at_ += 4;
  }

  void skip_immediates(Shape shape) {
    if ((shape & kByte) != 0) at_ += 1;
    if ((shape & kWord) != 0) at_ += 2;
    if ((shape & kFull) != 0) at_ += short_operand_ && !wide_ ? 2 : 4;
    if ((shape & kWide) != 0) at_ += wide_ ? 8 : short_operand_ ? 2 : 4;
    if ((shape & kOffset) != 0) at_ += short_address_ ? 4 : 8;
  }

  std::span<const std::uint8_t> code_;
  std::size_t at_ = 0;
  bool lock_ = false, short_operand_ = false, short_address_ = false, wide_ = false;
  bool in_memory_ = false;
  unsigned member_ = 0;  // of a group of instructions with one opcode
  Shape group_3_ = kBare;
};

}  // namespace

Instruction decode(std::span<const std::uint8_t> code) { return Decoder(code).decode(); }

bool has_locked_instruction(std::span<const std::uint8_t> code) {
  // Most functions have none of the bytes that it takes.
  auto is_telling = [](std::uint8_t byte) { return byte == 0xf0 || byte == 0x86 || byte == 0x87; };
  if (std::ranges::none_of(code, is_telling)) return false;
  while (!code.empty()) {
    Instruction instruction = decode(code);
    if (instruction.locked) return true;
    code = code.subspan(std::max(instruction.length, 1u));
  }
  return false;
}

}  // namespace raddle::report
