// SPDX-License-Identifier: Apache-2.0
//
// Temporary files on system calls. Engine side.
#include "search/spill_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/check.h"

namespace raddle::search {
namespace {

constexpr std::size_t kBuffer = 64 * 1024;

// Some file systems know no files without names; there the name is taken away at once.
int open_nameless(const std::string& directory) {
  int fd = open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return fd;
  std::string name = directory + "/raddle-spill-XXXXXX";
  fd = mkostemp(name.data(), O_CLOEXEC);
  if (fd >= 0) unlink(name.c_str());
  return fd;
}

}  // namespace

Result<SpillFile> SpillFile::create(const std::string& directory) {
  int fd = open_nameless(directory);
  if (fd < 0)
    return Error{fmt::format("cannot create a temporary file in {} for the state of the search: {}",
                             directory, strerror(errno))};
  return SpillFile(fd, directory);
}

SpillFile::SpillFile(SpillFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      directory_(std::move(other.directory_)),
      buffer_(std::move(other.buffer_)),
      size_(other.size_) {}

SpillFile& SpillFile::operator=(SpillFile&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(directory_, other.directory_);
  std::swap(buffer_, other.buffer_);
  std::swap(size_, other.size_);
  return *this;
}

SpillFile::~SpillFile() {
  if (fd_ >= 0) close(fd_);
}

Error SpillFile::failed(const char* what, int error) const {
  return Error{fmt::format("cannot {} a temporary file in {} with the state of the search: {}",
                           what, directory_, strerror(error))};
}

Error SpillFile::damaged() const {
  return Error{fmt::format(
      "a temporary file in {} no longer holds what was written of the state of the search",
      directory_)};
}

Status SpillFile::append(const void* data, std::size_t size) {
  const char* bytes = static_cast<const char*>(data);
  if (buffer_.capacity() == 0) buffer_.reserve(kBuffer);
  buffer_.insert(buffer_.end(), bytes, bytes + size);
  size_ += size;
  if (buffer_.size() < kBuffer) return Done{};
  Status done = flush();
  if (done) buffer_.reserve(kBuffer);
  return done;
}

Status SpillFile::flush() {
  std::uint64_t offset = size_ - buffer_.size();
  for (std::size_t at = 0; at < buffer_.size();) {
    ssize_t count =
        pwrite(fd_, buffer_.data() + at, buffer_.size() - at, static_cast<off_t>(offset + at));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failed("write", errno);
    at += static_cast<std::size_t>(count);
  }
  buffer_ = {};
  return Done{};
}

Status SpillFile::read(std::uint64_t offset, void* data, std::size_t size) const {
  RADDLE_CHECK(buffer_.empty() && offset + size <= size_);
  char* bytes = static_cast<char*>(data);
  while (size > 0) {
    ssize_t count = pread(fd_, bytes, size, static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failed("read", errno);
    if (count == 0) return damaged();
    bytes += count;
    offset += static_cast<std::uint64_t>(count);
    size -= static_cast<std::size_t>(count);
  }
  return Done{};
}

Status SpillFile::truncate(std::uint64_t size) {
  RADDLE_CHECK(buffer_.empty() && size <= size_);
  if (ftruncate(fd_, static_cast<off_t>(size)) != 0) return failed("shorten", errno);
  size_ = size;
  return Done{};
}

}  // namespace raddle::search
