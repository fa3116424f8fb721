// SPDX-License-Identifier: Apache-2.0
//
// SpillFile: a temporary file without a name, for what does not fit into memory. Engine side. It is
// gone with the process, however that ends. Bytes are appended through a buffer, read from
// anywhere, and cut off at the end. Errors name the directory, as the file itself has no name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace raddle::search {

class SpillFile {
 public:
  static Result<SpillFile> create(const std::string& directory);
  SpillFile(SpillFile&& other) noexcept;
  SpillFile& operator=(SpillFile&& other) noexcept;
  ~SpillFile();

  Status append(const void* data, std::size_t size);
  // What was appended is with the system, and the buffer's memory is given back.
  Status flush();
  // Requires: flushed; offset + size <= size().
  Status read(std::uint64_t offset, void* data, std::size_t size) const;
  // Keeps the first `size` bytes. Requires: flushed; size <= size().
  Status truncate(std::uint64_t size);
  std::uint64_t size() const { return size_; }
  // For what is wrong with the contents.
  Error damaged() const;

 private:
  SpillFile(int fd, std::string directory) : fd_(fd), directory_(std::move(directory)) {}
  Error failed(const char* what, int error) const;

  int fd_;
  std::string directory_;
  std::vector<char> buffer_;
  std::uint64_t size_ = 0;  // with what is in the buffer
};

}  // namespace raddle::search
