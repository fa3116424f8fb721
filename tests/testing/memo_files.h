// SPDX-License-Identifier: Apache-2.0
//
// For tests of the memo: a directory of their own, and databases in it. Engine side.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "memo/memo.h"

namespace raddle::memo {

class MemoFiles : public ::testing::Test {
 protected:
  MemoFiles() {
    std::string pattern = std::filesystem::temp_directory_path() / "raddle-memo-XXXXXX";
    RADDLE_CHECK(mkdtemp(pattern.data()) != nullptr);
    directory_ = pattern;
  }
  ~MemoFiles() override {
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }

  std::string path(const std::string& name) const { return directory_ + "/" + name; }

  std::unique_ptr<Memo> opened(const std::string& name, const MemoOptions& options = {}) const {
    auto memo = open_memo(path(name), options);
    EXPECT_TRUE(memo) << (memo ? "" : memo.error().message);
    return memo ? std::move(*memo) : nullptr;
  }

  static void add(Memo& memo, const std::vector<Record>& records) {
    Status added = memo.add(records);
    EXPECT_TRUE(added) << (added ? "" : added.error().message);
  }

  static std::vector<Record> records(Memo& memo) {
    std::vector<Record> all;
    Status read = memo.each([&](const Record& record) {
      all.push_back(record);
      return Status(Done{});
    });
    EXPECT_TRUE(read) << (read ? "" : read.error().message);
    return all;
  }

  std::string contents(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }

  std::string directory_;
};

}  // namespace raddle::memo
