// SPDX-License-Identifier: Apache-2.0
//
// Looking for it. Target side. Nothing here allocates; the kernel's lists are read piece by piece.
#include "runtime/shared_with_others.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/outside.h"
#include "runtime/real.h"
#include "runtime/start.h"

namespace raddle::runtime {
namespace {

// More output than this would be written again for every run from a checkpoint.
constexpr off_t kPrintedMax = 1 << 20;

struct Stream {
  dev_t device;
  ino_t inode;
};
Stream printed_to[2];  // standard output and error
std::uint32_t modules_before;

bool is_stream(int file, const Stream& stream) {
  struct stat info {};
  return fstat(file, &info) == 0 && info.st_dev == stream.device && info.st_ino == stream.inode &&
         info.st_size <= kPrintedMax;
}

bool has_kernel_threads() {
  struct stat tasks {};
  return stat("/proc/self/task", &tasks) != 0 || tasks.st_nlink > 3;  // ".", ".." and one
}

// As the kernel writes it: linux_dirent64.
struct Entry {
  std::uint64_t inode, offset;
  std::uint16_t size;
  std::uint8_t type;
  char name[];
};

// -1 if the name is no number.
int number_of(const char* name) {
  int number = 0;
  for (; *name >= '0' && *name <= '9'; ++name) number = number * 10 + (*name - '0');
  return *name == '\0' ? number : -1;
}

bool has_opened_files() {
  int folder = RADDLE_REAL(open)("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return true;
  alignas(Entry) char buffer[4096];
  bool found = false;
  for (;;) {
    long size = RADDLE_REAL(syscall)(SYS_getdents64, static_cast<long>(folder), buffer,
                                     static_cast<long>(sizeof buffer));
    found |= size < 0;
    if (size <= 0) break;
    for (long at = 0; at < size;) {
      const auto* entry = reinterpret_cast<const Entry*>(buffer + at);
      int file = number_of(entry->name);
      found |= file >= 0 && file != folder && !was_inherited(file);
      at += entry->size;
    }
  }
  RADDLE_REAL(close)(folder);
  return found;
}

// A line of /proc/self/maps begins "START-END rwxs", with s for shared.
class MapsReader {
 public:
  bool shared_found() const { return found_; }

  void take(char c) {
    if (c == '\n') {
      *this = MapsReader(found_);
      return;
    }
    ++column_;
    if (spaces_ == 0 && !past_start_) add_digit(c);
    if (c == ' ') {
      ++spaces_;
      column_ = 0;
    }
    bool ours = start_ == reinterpret_cast<std::uintptr_t>(g.shared);
    found_ |= spaces_ == 1 && column_ == 4 && c == 's' && !ours;
  }

  explicit MapsReader(bool found) : found_(found) {}

 private:
  void add_digit(char c) {
    past_start_ = c == '-';
    if (!past_start_)
      start_ = start_ * 16 + static_cast<std::uintptr_t>(c <= '9' ? c - '0' : c - 'a' + 10);
  }

  bool found_;
  bool past_start_ = false;
  unsigned spaces_ = 0;
  unsigned column_ = 0;
  std::uintptr_t start_ = 0;
};

bool has_shared_memory() {
  int maps = RADDLE_REAL(open)("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (maps < 0) return true;
  MapsReader reader(false);
  char buffer[4096];
  ssize_t size;
  while ((size = RADDLE_REAL(read)(maps, buffer, sizeof buffer)) > 0)
    for (ssize_t i = 0; i < size; ++i) reader.take(buffer[i]);
  RADDLE_REAL(close)(maps);
  return size < 0 || reader.shared_found();
}

}  // namespace

void note_what_is_shared() {
  for (int i = 0; i < 2; ++i) {
    struct stat info {};
    if (fstat(STDOUT_FILENO + i, &info) == 0) printed_to[i] = {info.st_dev, info.st_ino};
  }
  modules_before = g.shared->module_count;
}

bool shares_nothing() {
  return children_alive == 0 && g.shared->module_count == modules_before &&
         is_stream(STDOUT_FILENO, printed_to[0]) && is_stream(STDERR_FILENO, printed_to[1]) &&
         !has_kernel_threads() && !has_opened_files() && !has_shared_memory();
}

std::size_t bytes_printed(int file) {
  struct stat info {};
  return fstat(file, &info) == 0 ? static_cast<std::size_t>(info.st_size) : 0;
}

InputPlace input_place() {
  struct stat info {};
  if (fstat(STDIN_FILENO, &info) != 0 || !S_ISREG(info.st_mode)) return {false, 0};
  return {true, lseek(STDIN_FILENO, 0, SEEK_CUR)};
}

void reopen_input(const InputPlace& place) {
  if (!place.has_offset) return;
  int fresh = RADDLE_REAL(open)("/proc/self/fd/0", O_RDONLY | O_CLOEXEC);
  if (fresh < 0) return;
  RADDLE_REAL(dup2)(fresh, STDIN_FILENO);
  RADDLE_REAL(close)(fresh);
  if (place.offset > 0) lseek(STDIN_FILENO, place.offset, SEEK_SET);
}

}  // namespace raddle::runtime
