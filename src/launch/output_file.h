// SPDX-License-Identifier: Apache-2.0
//
// OutputFile: where the program's standard output or error goes. Engine side. A memfd, or a real
// file when a command has to read it by name; emptied before every run.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "launch/unique_fd.h"

namespace raddle::launch {

// More than this of one run's output is not kept.
inline constexpr std::size_t kOutputKeptMax = 1u << 20;

class OutputFile {
 public:
  static Result<OutputFile> in_memory(const char* name);
  static Result<OutputFile> on_disk();

  OutputFile(OutputFile&&) = default;
  OutputFile& operator=(OutputFile&& other) noexcept;
  ~OutputFile();

  // The descriptor that the program inherits: every write appends.
  int fd() const { return fd_.get(); }
  const std::string& path() const { return path_; }  // empty for one in memory

  void clear();
  void append(const std::string& text);
  std::string text() const;
  // As many of them as there are, at most kOutputKeptMax.
  std::string first_bytes(std::uint64_t count) const;

 private:
  OutputFile() = default;

  UniqueFd fd_;
  std::string path_;
};

}  // namespace raddle::launch
