// SPDX-License-Identifier: Apache-2.0
//
// KeptSearch: the state of an unfinished systematic search in DIR/search, for `raddle test
// --resume`. Engine side. One file for each command line of a program and strategy; it is removed
// by the campaign that comes to the end of the search. A campaign that begins anew sets it aside as
// FILE.old, in the place of what was set aside before, when it keeps something of its own: who
// forgot --resume has lost nothing yet.
//
// A search may go on only where its runs so far still mean something: with the same program, built
// the same, on the same input, under the same options. The file says which those were, and what
// differs is named.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "cli/test_options.h"
#include "launch/program.h"

namespace raddle::cli {

class KeptSearch {
 public:
  KeptSearch(const TestOptions& options, const launch::Program& program);

  // Lets the search go on where the last campaign has stopped. An error says why it cannot.
  Status load(search::Search& search);
  // Requires: search.resumable().
  Status save(search::Search& search);
  void remove() const;
  const std::string& path() const { return path_; }

  // What must be the same, and how the user calls it.
  using Facts = std::vector<std::pair<std::string, std::string>>;
  const Facts& facts() const { return facts_; }

 private:
  Error nothing_kept() const;

  std::string program_;  // as the user gave it
  std::string strategy_;
  std::string directory_;
  std::string path_;
  Facts facts_;
  bool mine_ = false;  // what lies in the file is of this search
};

// Facts with these names are no options.
inline constexpr const char* kFactProgram = "program";
inline constexpr const char* kFactArguments = "arguments";
inline constexpr const char* kFactDirectory = "directory";
inline constexpr const char* kFactBuild = "build";
inline constexpr const char* kFactLibrary = "library ";  // and its name
inline constexpr const char* kFactInput = "input";

// Facts as text, and back; for tests. A text that is none has none.
std::string print_facts(const KeptSearch::Facts& facts);
KeptSearch::Facts parse_facts(const std::string& text);
// In a sentence, what is not the same; empty if everything is.
std::string describe_differences(const KeptSearch::Facts& then, const KeptSearch::Facts& now);

}  // namespace raddle::cli
