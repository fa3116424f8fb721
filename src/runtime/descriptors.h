// SPDX-License-Identifier: Apache-2.0
//
// What is known about the program's file descriptors: which call of this run made them. Target
// side. Descriptors that are not in the table (inherited, opened by name, made by calls that are
// not watched) are of kind unknown.
//
// An entry carries device and inode and counts only while the descriptor still has them, because
// libc closes descriptors without asking us (fclose).
#pragma once

#include "runtime/runtime.h"
#include "wire/op.h"

namespace raddle::runtime {

using wire::DescriptorKind;

struct Descriptor {
  DescriptorKind kind = DescriptorKind::unknown;
  bool reaches_out = false;  // an epoll that watches something outside
  std::uint32_t number = 0;  // the how manieth of its kind; both ends of a pipe have the same
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
};

// A new run begins: its descriptors are numbered from 1.
void restart_numbers();
// A new number for descriptors of this kind.
std::uint32_t number_descriptor(DescriptorKind kind);

void note_descriptor(int file, DescriptorKind kind, std::uint32_t number);
void copy_descriptor(int from, int to);
void forget_descriptor(int file);

// Null if nothing is known about it.
Descriptor* find_descriptor(int file);

// Whether only threads of this program can change what the descriptor is ready for, as long as no
// child process has it too.
bool is_inside(int file);

// Addresses of descriptors as sync objects: not canonical, so no memory has them.
inline constexpr std::uintptr_t kDescriptorsBase = std::uintptr_t{1} << 60;
inline bool is_descriptor_address(std::uintptr_t address) { return address >= kDescriptorsBase; }
inline std::uintptr_t numbered_address(DescriptorKind kind, std::uint32_t number) {
  return kDescriptorsBase + (static_cast<std::uintptr_t>(kind) << 32) + number;
}
std::uintptr_t descriptor_address(int file);
wire::Location locate_descriptor(std::uintptr_t address);

}  // namespace raddle::runtime
