// SPDX-License-Identifier: Apache-2.0
//
// SpilledNodes: open nodes of the execution tree on disk, sorted, the best on top. Engine side.
//
// Written once, from the worst on; then taken from the end, which is cut off the file as it is used
// up. A record is complete: with it and its base the node can be made anew. The fixed part stands
// before the deltas and its length again behind them, so that a file can be read in both
// directions.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "search/execution_tree.h"
#include "search/spill_file.h"

namespace raddle::search {

// What the search keeps beside an open node and has to follow it.
struct NodePayload {
  std::uint64_t sleep = 0;  // the sleep mask
  float weight = 0;         // of the estimate (search/tree_estimate.h)

  friend bool operator==(const NodePayload&, const NodePayload&) = default;
};

struct SpilledNode {
  std::uint64_t priority = 0;
  NodePayload payload;
  NodeId base = kNoNode;  // the deltas go on from this node, alive in the tree; kNoNode: the root
  std::vector<Delta> deltas;  // never empty

  friend bool operator==(const SpilledNode&, const SpilledNode&) = default;
};

// The bytes of a record, for temporary files and for those that are kept.
void encode(const SpilledNode& node, std::vector<char>& out);
// The length of the record that begins with these bytes; 0 if there are too few to tell, and ~0 if
// no record begins so.
std::size_t encoded_size(const char* data, std::size_t size);
// False: these bytes are no record. Requires: size == encoded_size().
bool decode(const char* data, std::size_t size, SpilledNode& out);

class SpilledNodes {
 public:
  static Result<SpilledNodes> create(const std::string& directory);

  // From the worst to the best, then finish(); afterwards only the rest.
  Status push(const SpilledNode& node);
  Status finish();

  std::uint64_t size() const { return count_; }
  std::uint64_t disk_bytes() const { return file_.size(); }
  bool empty() const { return count_ == 0; }
  // The best one. Requires: !empty().
  const SpilledNode& top() const { return top_; }
  // Removes the best one; an error concerns the one below.
  Status pop();

  // From the worst to the best, without removing.
  class Reader {
   public:
    explicit Reader(const SpilledNodes& nodes) : nodes_(nodes), left_(nodes.count_) {}
    std::uint64_t left() const { return left_; }  // with current()
    // Loads the first, and then the next after current(). Requires: left() > 0.
    Status start() { return load(); }
    Status next();
    const SpilledNode& current() const { return current_; }

   private:
    Status load();

    const SpilledNodes& nodes_;
    std::uint64_t left_;
    std::uint64_t offset_ = 0;
    std::vector<char> window_;
    std::uint64_t window_begin_ = 0;
    SpilledNode current_;
  };

 private:
  explicit SpilledNodes(SpillFile file) : file_(std::move(file)) {}
  Status load_top();
  Status window_to(std::size_t size);

  SpillFile file_;
  std::uint64_t count_ = 0;
  std::uint64_t end_ = 0;  // of the record on top
  std::vector<char> window_;
  std::uint64_t window_begin_ = 0;
  SpilledNode top_;
  std::vector<char> record_;  // scratch
};

}  // namespace raddle::search
