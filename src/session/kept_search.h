// SPDX-License-Identifier: Apache-2.0
//
// KeptSearch: the state of an unfinished systematic search in DIR/search, for `raddle test
// --resume`. Engine side. One file for each command line of a program, test of it and strategy; it
// is removed
// by the campaign that comes to the end of the search. A campaign that begins anew sets it aside as
// FILE.old, in the place of what was set aside before, when it keeps something of its own: who
// forgot --resume has lost nothing yet.
//
// A search may go on only where its runs so far still mean something: with the same program, built
// the same, on the same input, under the same options. The file says which those were, and what
// differs is named.
#pragma once

#include <string>

#include "base/result.h"
#include "outcome/program_facts.h"
#include "search/abilities.h"
#include "session/request.h"

namespace raddle::session {

using outcome::Facts;

class KeptSearch {
 public:
  // `facts`: request_facts().
  KeptSearch(const Request& request, Facts facts);

  // Lets the search go on where the last campaign has stopped. An error says why it cannot; unless
  // it has to, nothing happens then, and `note` says why if there is something to go on with.
  Result<bool> load(search::Search& search, std::string& note);
  // Requires: search.resumable().
  Status save(search::Resumable& search);
  void remove() const;
  const std::string& path() const { return path_; }

 private:
  Error nothing_kept() const;

  std::string program_;  // as the user gave it
  std::string strategy_;
  std::string directory_;
  std::string path_;
  Facts facts_;
  bool must_ = false;  // it is an error if it cannot go on
  bool mine_ = false;  // what lies in the file is of this search
};

// What must be the same for a search to go on, and how the user calls it.
Facts request_facts(const Request& request);

// What outcome::print_facts() has printed, read back. A text that is none has none.
Facts parse_facts(const std::string& text);
// In a sentence, what is not the same; empty if everything is.
std::string describe_differences(const Facts& then, const Facts& now);

}  // namespace raddle::session
