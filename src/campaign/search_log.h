// SPDX-License-Identifier: Apache-2.0
//
// SearchLog: the space that a search takes over time, as lines of a CSV file that the environment
// variable RADDLE_SEARCH_LOG names. Engine side.
//
// A line after every run at first, then after every two hundredth part more: so there are some
// thousand lines at most, and lines of different campaigns are of the same numbers of runs.
#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <utility>

#include "base/result.h"
#include "facts/campaign_result.h"

namespace raddle::campaign {

class SearchLog {
 public:
  // Nothing if the variable is not set.
  static Result<std::optional<SearchLog>> open();

  bool due(std::uint64_t runs) const { return runs >= next_; }
  void add(std::uint64_t runs, double seconds, const facts::SearchSize& size);
  // Whether every line was written.
  Status close();

 private:
  SearchLog(std::string path, std::ofstream file)
      : path_(std::move(path)), file_(std::move(file)) {}

  std::string path_;
  std::ofstream file_;
  std::uint64_t next_ = 0;
};

}  // namespace raddle::campaign
