// SPDX-License-Identifier: Apache-2.0
//
// The state of a systematic search in a file, so that a later campaign can go on with it: execution
// tree, fringe, what is on disk, and tables that the search keeps for nodes. Engine side.
//
// A file is replaced as a whole or not at all: it is written under another name beside, brought to
// the disk, and renamed. It begins with a mark and the version of its format and ends with a
// checksum, which is verified before anything else is believed. Node ids are kept, so that tables
// may name nodes. Numbers are little-endian.
//
//   mark, version                 16 bytes
//   subject                       a string: its length (8 bytes) and its bytes
//   bound of ids, count, nodes    8, 8, 20 bytes each: id, parent, children, choice, pick,
//                                 candidates, flags; by increasing id
//   count, open nodes             8, 12 bytes each: priority, id; from the one to be run last
//   count, nodes on disk          8, records as in search/spilled_nodes.h; likewise
//   count, tables                 8, two strings each: name, contents
//   checksum                      8
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "search/execution_tree.h"
#include "search/fringe.h"
#include "search/overflow.h"

namespace raddle::search {

inline constexpr std::uint32_t kTreeFileVersion = 2;

// What the search keeps beside; its contents are the search's own affair.
struct SideTable {
  std::string name;
  std::string contents;

  friend bool operator==(const SideTable&, const SideTable&) = default;
};

// `subject` says whose state this is: program, arguments, strategy, whatever must be the same for
// it to be of use. `in_flight` are nodes that were popped but not run to their end: they will be
// the first to be popped. Requires: every node that was not executed is in the fringe or in flight.
Status write_tree_file(const std::string& path, std::string_view subject, const ExecutionTree& tree,
                       Fringe& fringe, const Overflow& overflow, std::span<const Open> in_flight,
                       std::span<const SideTable> tables);

// Requires: tree, fringe and overflow are empty, the overflow over these two. After an error they
// are of no use. Errors name the file, and say whether it is none of ours, of another version, of
// another subject, or damaged.
Result<std::vector<SideTable>> read_tree_file(const std::string& path, std::string_view subject,
                                              ExecutionTree& tree, Fringe& fringe,
                                              Overflow& overflow);

// Whose state it is, after the file as a whole was found to be sound.
Result<std::string> read_tree_subject(const std::string& path);

}  // namespace raddle::search
