// SPDX-License-Identifier: Apache-2.0
//
// The table of descriptors. Target side; bounded: descriptors beyond it are of kind unknown.
#include "runtime/descriptors.h"

#include <sys/stat.h>

namespace raddle::runtime {
namespace {

constexpr int kDescriptorsMax = 4096;
Descriptor table[kDescriptorsMax];
std::uint32_t made[16];  // by kind

bool in_table(int file) { return file >= 0 && file < kDescriptorsMax; }

}  // namespace

void restart_numbers() {
  for (std::uint32_t& count : made) count = 0;
}

std::uint32_t number_descriptor(DescriptorKind kind) { return ++made[static_cast<unsigned>(kind)]; }

void note_descriptor(int file, DescriptorKind kind, std::uint32_t number) {
  struct stat info {};
  if (!in_table(file) || fstat(file, &info) != 0) return;
  table[file] = {.kind = kind,
                 .reaches_out = false,
                 .number = number,
                 .device = info.st_dev,
                 .inode = info.st_ino};
}

void copy_descriptor(int from, int to) {
  if (!in_table(to)) return;
  const Descriptor* known = find_descriptor(from);
  table[to] = known != nullptr ? *known : Descriptor{};
}

void forget_descriptor(int file) {
  if (in_table(file)) table[file] = {};
}

Descriptor* find_descriptor(int file) {
  if (!in_table(file) || table[file].kind == DescriptorKind::unknown) return nullptr;
  Descriptor& entry = table[file];
  struct stat info {};
  bool same = fstat(file, &info) == 0 && info.st_dev == entry.device && info.st_ino == entry.inode;
  if (!same) entry = {};
  return same ? &entry : nullptr;
}

bool is_inside(int file) {
  const Descriptor* known = find_descriptor(file);
  if (known == nullptr || known->kind == DescriptorKind::socket) return false;
  return !known->reaches_out;
}

std::uintptr_t descriptor_address(int file) {
  const Descriptor* known = find_descriptor(file);
  // The number of an unknown one may depend on what raddle was started with.
  if (known == nullptr)
    return kDescriptorsBase + static_cast<std::uintptr_t>(file >= 0 && file < 3 ? file : 3);
  return numbered_address(known->kind, known->number);
}

wire::Location locate_descriptor(std::uintptr_t address) {
  std::uintptr_t rest = address - kDescriptorsBase;
  return wire::make_location(wire::Region::outside, static_cast<std::uint32_t>(rest >> 32),
                             static_cast<std::uint32_t>(rest));
}

}  // namespace raddle::runtime
