// SPDX-License-Identifier: Apache-2.0
//
// Checksummed files on system calls. Engine side.
#include "search/checked_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "base/rng.h"

namespace raddle::search {
namespace {

constexpr std::size_t kBlock = 64 * 1024;  // the checksum's as well
constexpr std::uint64_t kSumBegin = 0x7261'6464'6c65'2e31;

std::uint64_t add_block(std::uint64_t sum, const char* data, std::size_t size) {
  sum = mix64(sum ^ size);
  while (size > 0) {
    std::uint64_t word = 0;
    std::size_t here = std::min(size, sizeof word);
    memcpy(&word, data, here);
    sum = mix64(sum ^ word) + 1;
    data += here;
    size -= here;
  }
  return sum;
}

// Makes the renaming durable. Some file systems cannot sync folders; the file is no worse for it.
void sync_folder_of(const std::string& path) {
  std::string folder = std::filesystem::path(path).parent_path().string();
  int fd = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  fsync(fd);
  close(fd);
}

}  // namespace

std::uint64_t checksum(std::string_view contents) {
  std::uint64_t sum = kSumBegin;
  for (; !contents.empty(); contents.remove_prefix(std::min(contents.size(), kBlock)))
    sum = add_block(sum, contents.data(), std::min(contents.size(), kBlock));
  return sum;
}

CheckedWriter::CheckedWriter(std::string path)
    : path_(std::move(path)), beside_(fmt::format("{}.{}.new", path_, getpid())), sum_(kSumBegin) {
  fd_ = open(beside_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd_ < 0) fail_with("create");
  block_.reserve(kBlock);
}

CheckedWriter::~CheckedWriter() {
  if (fd_ < 0) return;
  close(fd_);
  unlink(beside_.c_str());
}

void CheckedWriter::fail_with(const char* what) {
  fail(Error{fmt::format("cannot {} {}: {}", what, path_, strerror(errno))});
}

void CheckedWriter::fail(Error error) {
  if (status_) status_ = std::move(error);
}

void CheckedWriter::write_out(const char* data, std::size_t size) {
  while (status_ && size > 0) {
    ssize_t count = write(fd_, data, size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail_with("write");
    data += count;
    size -= static_cast<std::size_t>(count);
  }
}

void CheckedWriter::flush() {
  if (block_.empty()) return;
  sum_ = add_block(sum_, block_.data(), block_.size());
  write_out(block_.data(), block_.size());
  block_.clear();
}

void CheckedWriter::put(const void* data, std::size_t size) {
  const char* bytes = static_cast<const char*>(data);
  while (status_ && size > 0) {
    std::size_t here = std::min(size, kBlock - block_.size());
    block_.insert(block_.end(), bytes, bytes + here);
    bytes += here;
    size -= here;
    if (block_.size() == kBlock) flush();
  }
}

void CheckedWriter::put_string(std::string_view text) {
  put(std::uint64_t{text.size()});
  put(text.data(), text.size());
}

Status CheckedWriter::finish() {
  flush();
  write_out(reinterpret_cast<const char*>(&sum_), sizeof sum_);
  if (status_ && fsync(fd_) != 0) fail_with("write");
  if (status_ && rename(beside_.c_str(), path_.c_str()) != 0)
    fail(Error{fmt::format("cannot write {}: {}", path_, strerror(errno))});
  if (!status_) return status_;
  close(fd_);
  fd_ = -1;
  sync_folder_of(path_);
  return Done{};
}

CheckedReader::~CheckedReader() {
  if (fd_ >= 0) close(fd_);
}

Error CheckedReader::failed(int error) const {
  return Error{fmt::format("cannot read {}: {}", path_, strerror(error))};
}

Error CheckedReader::damaged(std::string_view how) const {
  return Error{fmt::format("{} is damaged: {}", path_, how)};
}

// errno is 0 if the file has become shorter.
bool CheckedReader::read_block(std::uint64_t offset, std::size_t size) {
  block_.resize(size);
  for (std::size_t at = 0; at < size;) {
    ssize_t count = pread(fd_, block_.data() + at, size - at, static_cast<off_t>(offset + at));
    if (count < 0 && errno == EINTR) continue;
    if (count == 0) errno = 0;
    if (count <= 0) return false;
    at += static_cast<std::size_t>(count);
  }
  return true;
}

Status CheckedReader::open(const std::string& path, std::string_view mark, const char* what,
                           std::uint32_t version) {
  path_ = path;
  fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat info;
  if (fd_ < 0 || fstat(fd_, &info) != 0) return failed(errno);
  if (!S_ISREG(info.st_mode))
    return Error{fmt::format("{} is not {}: no regular file", path, what)};
  auto size = static_cast<std::uint64_t>(info.st_size);
  std::uint32_t found = 0;
  std::size_t head = mark.size() + sizeof found;
  if (size > 0 && !read_block(0, std::min<std::uint64_t>(size, head))) return failed(errno);
  std::string_view begin(block_.data(), std::min(block_.size(), mark.size()));
  if (begin != mark.substr(0, begin.size()) || size == 0)
    return Error{fmt::format("{} is not {}: it begins differently", path, what)};
  if (size < head + sizeof(std::uint64_t)) return damaged("it is too short");
  memcpy(&found, block_.data() + mark.size(), sizeof found);
  if (found != version)
    return Error{fmt::format("{} is {} in format {}, and this version of raddle reads format {}",
                             path, what, found, version)};
  if (Status verified = verify(size - sizeof(std::uint64_t)); !verified) return verified;
  offset_ = head;
  left_ = size - sizeof(std::uint64_t) - head;
  block_.clear();
  return Done{};
}

Status CheckedReader::verify(std::uint64_t size) {
  std::uint64_t sum = kSumBegin;
  for (std::uint64_t at = 0; at < size; at += block_.size()) {
    if (!read_block(at, std::min<std::uint64_t>(size - at, kBlock)))
      return errno == 0 ? damaged("it has become shorter") : failed(errno);
    sum = add_block(sum, block_.data(), block_.size());
  }
  std::uint64_t stored = 0;
  if (!read_block(size, sizeof stored)) return failed(errno);
  memcpy(&stored, block_.data(), sizeof stored);
  if (stored != sum) return damaged("its checksum does not fit its contents");
  return Done{};
}

bool CheckedReader::get(void* data, std::size_t size) {
  if (size > left_) return left_ = 0, false;
  char* bytes = static_cast<char*>(data);
  while (size > 0) {
    if (at_ == block_.size()) {
      std::size_t next = std::min<std::uint64_t>(left_, kBlock);
      if (!read_block(offset_, next)) return left_ = 0, false;
      offset_ += next;
      at_ = 0;
    }
    std::size_t here = std::min(size, block_.size() - at_);
    memcpy(bytes, block_.data() + at_, here);
    at_ += here;
    bytes += here;
    size -= here;
    left_ -= here;
  }
  return true;
}

bool CheckedReader::get_string(std::string& text) {
  std::uint64_t size;
  if (!get(size) || size > left_) return left_ = 0, false;
  text.resize(size);
  return get(text.data(), size);
}

}  // namespace raddle::search
