// SPDX-License-Identifier: Apache-2.0
//
// Lines of the user's source files, where these can still be read. Engine side.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace raddle::report {

class SourceLines {
 public:
  // Relative names are looked up below `directory`.
  explicit SourceLines(std::string directory) : directory_(std::move(directory)) {}

  // Line `line`, counted from 1, without surrounding blanks; "" if there is none.
  std::string line(const std::string& file, int line);

 private:
  std::string directory_;
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace raddle::report
