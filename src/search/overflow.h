// SPDX-License-Identifier: Apache-2.0
//
// Overflow: keeps execution tree and fringe within a memory limit, by moving the open nodes that
// would come last to disk, and back when it is their turn. Engine side.
//
// Gambit (Coons, Burckhardt, Musuvathi, PPoPP 2010) suggests it at the end of section 3.3. Here the
// order is kept to the last tie: with a limit, the search runs the same executions in the same
// order as without. The files are sorted runs, as in external sorting, which are merged when they
// become many. Invariants:
// - After settle() the fringe's best is the best of all, or there is none at all.
// - Of two nodes with the same priority, one in memory was added after one on disk, and one in a
//   later file after one in an earlier file. (Only the worst goes out; only the best comes in, and
//   never beside others of its priority.)
// - Nothing is removed from memory before it is written, nor from files before it is in memory.
//
// A node on disk either leaves its ancestors in the tree (`keep_ancestors`): then all that is known
// of them stays, as DPOR needs it, whose later runs add children to them. Or it is written with its
// whole path and its ancestors may go too, which a search needs that adds children only to the node
// that was just run.
//
// The limit is kept as far as that is possible: a few open nodes stay in memory, and so do the
// nodes that must.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "search/execution_tree.h"
#include "search/fringe.h"
#include "search/spilled_nodes.h"

namespace raddle::search {

struct OverflowOptions {
  std::size_t limit = std::numeric_limits<std::size_t>::max();  // bytes
  std::string directory;                                        // of the temporary files
  bool keep_ancestors = true;
  // At least so many open nodes (and one) stay in memory, and so many come back at once.
  std::size_t keep = 4096;
};

// What the search keeps for nodes beside the tree. All are optional.
struct OverflowHooks {
  // What has to go to disk with an open node.
  std::function<NodePayload(NodeId)> payload;
  // An open node is back, under this id, with the payload it had.
  std::function<void(NodeId, const NodePayload&)> restored;
  // This id is free: its node was deleted, or is on disk (after payload()).
  std::function<void(NodeId)> deleted;
};

class Overflow {
 public:
  Overflow(ExecutionTree& tree, Fringe& fringe, OverflowOptions options, OverflowHooks hooks = {});

  // To be called before each fringe.pop(). `beside`: bytes of the search's own tables, which count
  // towards the limit. After an error in writing everything is where it was; after one in reading
  // there is no way on, and all later calls return it again.
  Status settle(std::size_t beside = 0);

  // Forgets what is on disk: the search begins anew, with an empty tree and an empty fringe.
  void clear();

  std::uint64_t on_disk() const { return on_disk_; }  // nodes
  std::uint64_t peak_on_disk() const { return peak_on_disk_; }
  std::uint64_t disk_bytes() const;
  std::size_t files() const { return files_.size(); }

  // All nodes on disk, from the worst to the best; they stay there.
  using Visit = std::function<Status(const SpilledNode&)>;
  Status visit_worst_first(const Visit& visit) const;
  // The other way round: `count` nodes, given by `next` from the worst to the best, are on disk
  // from now on; the tree counts them as parked where they have a base. Requires: on_disk() == 0.
  using Next = std::function<Status(SpilledNode&)>;
  Status restore(std::uint64_t count, const Next& next);

 private:
  struct File {
    SpilledNodes nodes;
    unsigned level;  // 0: written by spill(); merging makes the next level
  };

  std::size_t bytes(std::size_t beside) const { return tree_.bytes() + fringe_.bytes() + beside; }
  Status spill(std::size_t count);
  void remove_from_memory(NodeId node);
  Status merge_files();
  static Status merge(const File* begin, const File* end, const Visit& visit);
  File* best_file();
  Status bring_back(std::size_t beside);
  NodeId insert(const SpilledNode& node);
  NodeId insert_path(const std::vector<Delta>& deltas);

  ExecutionTree& tree_;
  Fringe& fringe_;
  OverflowOptions options_;
  OverflowHooks hooks_;
  std::vector<File> files_;  // in the order of their writing; none is empty
  std::optional<Error> broken_;
  std::uint64_t on_disk_ = 0;
  std::uint64_t peak_on_disk_ = 0;
  // The path that insert_path() made last, which the next one may share.
  std::vector<Delta> path_;
  std::vector<NodeId> path_nodes_;
};

}  // namespace raddle::search
