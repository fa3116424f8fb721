// SPDX-License-Identifier: Apache-2.0
//
// Files with a checksum at the end, written in one go and replaced as a whole; read in one go,
// after the checksum was verified. Engine side. Errors name the file.
//
// The checksum is a chain over 8-byte words of a step that is a bijection both of what came before
// and of the word: so one changed word is always noticed, and anything else but for 1 in 2^64.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace raddle::search {

// Writes beside `path` and takes its place when finished; before that, `path` is untouched. Of
// several processes that write one file, each replaces it as a whole.
class CheckedWriter {
 public:
  explicit CheckedWriter(std::string path);
  CheckedWriter(const CheckedWriter&) = delete;
  CheckedWriter& operator=(const CheckedWriter&) = delete;
  ~CheckedWriter();

  // After an error nothing is written any more, and finish() returns it.
  void put(const void* data, std::size_t size);
  template <class T>
  void put(const T& value) {
    put(&value, sizeof value);
  }
  void put_string(std::string_view text);
  // Whoever fails in making the contents says so here.
  void fail(Error error);
  Status finish();

 private:
  void flush();
  void write_out(const char* data, std::size_t size);
  void fail_with(const char* what);

  std::string path_;
  std::string beside_;
  int fd_ = -1;
  std::vector<char> block_;
  std::uint64_t sum_;
  Status status_ = Done{};
};

class CheckedReader {
 public:
  CheckedReader() = default;
  CheckedReader(const CheckedReader&) = delete;
  CheckedReader& operator=(const CheckedReader&) = delete;
  ~CheckedReader();

  // The first bytes are to be `mark`, 8 of them, before the rest is looked at: another file,
  // however large, is turned away at once. `version` is then the number behind it.
  Status open(const std::string& path, std::string_view mark, const char* what,
              std::uint32_t version);

  // False: the file holds less; then the rest fails too.
  bool get(void* data, std::size_t size);
  template <class T>
  bool get(T& value) {
    return get(&value, sizeof value);
  }
  bool get_string(std::string& text);
  // Of the contents, before the checksum.
  std::uint64_t left() const { return left_; }
  Error damaged(std::string_view how) const;

 private:
  Status verify(std::uint64_t size);
  bool read_block(std::uint64_t offset, std::size_t size);
  Error failed(int error) const;

  std::string path_;
  int fd_ = -1;
  std::vector<char> block_;
  std::size_t at_ = 0;        // in block_
  std::uint64_t offset_ = 0;  // of the byte behind block_
  std::uint64_t left_ = 0;
};

// What stands in the last 8 bytes of a file with these contents before them.
std::uint64_t checksum(std::string_view contents);

}  // namespace raddle::search
