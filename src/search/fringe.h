// SPDX-License-Identifier: Apache-2.0
//
// Fringe: the executions that wait to be run, the one with the lowest priority number first; among
// equals the one that was added last, which is depth first. Engine side.
//
// Gambit (Coons, Burckhardt, Musuvathi, PPoPP 2010), section 5.4: bins of equal priority, each a
// stack. An entry of a bin is a node's id and nothing else. Deviation: random priorities are all
// distinct, and a bin for each would cost a hundred bytes an entry; so there are at most `max_bins`
// bins, and what finds neither its bin nor room for a new one goes to a heap of 16 bytes an entry.
//
// A priority is one 64-bit number. Hierarchical priorities are packed into it by whoever makes
// them, the first in the highest bits: to compare them as lists would not fit into 16 bytes beside
// the node and its rank, nor be as fast.
//
// invariant: while a priority has a bin, entries of that priority go there; so those in its bin
// were all added after those of that priority in the heap.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "search/chunked_array.h"
#include "search/execution_tree.h"

namespace raddle::search {

// An execution that waits.
struct Open {
  NodeId node = kNoNode;
  std::uint64_t priority = 0;

  friend bool operator==(const Open&, const Open&) = default;
};

class Fringe {
 public:
  static constexpr std::size_t kMaxBins = 1024;

  // The ranks by which the heap knows which of two was added last begin at `first_rank`.
  explicit Fringe(std::size_t max_bins = kMaxBins, std::uint32_t first_rank = 0)
      : max_bins_(max_bins), next_rank_(first_rank) {}

  void push(NodeId node, std::uint64_t priority);
  // The best one, or nothing if none waits.
  std::optional<Open> pop();
  // The priority of the one that pop() would give.
  std::optional<std::uint64_t> best() const;

  // Visits the `count` entries that pop() would give last, or all, from the very last on.
  void visit_worst(std::size_t count, const std::function<void(const Open&)>& visit);
  // Removes the `count` entries that pop() would give last. Requires: count <= size().
  void drop_worst(std::size_t count);

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::size_t peak() const { return peak_; }
  // What the entries take, with what bins and allocation cost beside.
  std::size_t bytes() const { return bin_bytes_ + heap_.allocated_bytes(); }
  std::size_t peak_bytes() const { return peak_bytes_; }

 private:
  struct Entry {
    std::uint64_t priority;
    std::uint32_t rank;  // the later added, the higher
    NodeId node;
  };
  static_assert(sizeof(Entry) == 16, "the space bound of the search: 16 bytes for each open node");
  using Bin = std::vector<NodeId>;
  using Bins = std::map<std::uint64_t, Bin>;

  static bool better(const Entry& a, const Entry& b) {
    return a.priority != b.priority ? a.priority < b.priority : a.rank > b.rank;
  }
  static bool worse(const Entry& a, const Entry& b) { return better(b, a); }

  void push_to_bin(Bin& bin, NodeId node);
  void push_to_heap(NodeId node, std::uint64_t priority);
  void resize_bin(Bin& bin, std::size_t capacity);
  void remove_bin(Bins::iterator bin);
  void sort_heap();
  void renumber();
  void settle(std::size_t size);

  std::size_t max_bins_;
  Bins bins_;  // none is empty
  ChunkedArray<Entry> heap_;
  bool heap_sorted_ = true;
  std::uint32_t next_rank_;
  std::size_t size_ = 0;
  std::size_t peak_ = 0;
  std::size_t bin_bytes_ = 0;
  std::size_t peak_bytes_ = 0;
};

}  // namespace raddle::search
