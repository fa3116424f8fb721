// SPDX-License-Identifier: Apache-2.0
//
// ExecutionTree: the executions that a systematic search knows of and still needs, as differences
// from each other. Engine side; no dependency on runs.
//
// Gambit (Coons, Burckhardt, Musuvathi, PPoPP 2010), sections 3.2 and 3.3. A node stands for one
// complete execution: that of its parent up to the node's own delta ("at this choice, pick that"),
// the delta, and the default behaviour from there on. The root is the default behaviour throughout.
// Deviations: a delta names a choice instead of a step, as a step with one candidate is not worth
// an index; deltas may also pick values; and a node's new part begins behind its delta
// (first_new_choice()), where the loops of the paper's Figure 4 begin at it and would add the node
// itself again for ever.
//
// The tree deletes itself. Invariants:
// - A node that was not executed yet is a leaf: it waits in the fringe, or is being run.
// - A node that was executed has children, alive or parked; when the last one goes, so does the
// node
//   and then its parent, if that was its last. So after the last execution the tree is empty, the
//   root included, and holds no memory.
// - Down any path the deltas' choices increase.
// - An id is good until its node is deleted; ids are then used again, so that side tables with a
// row
//   for each node must hear of deletions (`on_delete`). They are small numbers, all below slots().
#pragma once

#include <cstdint>
#include <vector>

#include "base/check.h"
#include "search/chunked_array.h"

namespace raddle::search {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = 0xffffffff;

// One departure from the default behaviour.
struct Delta {
  std::uint32_t choice = 0;     // which of the run's choices, counted from 0
  std::uint16_t pick = 0;       // the thread, or the value
  std::uint8_t candidates = 0;  // how many could be picked there; 255: that many or more
  bool is_value = false;

  friend bool operator==(const Delta&, const Delta&) = default;
};
static_assert(sizeof(Delta) == 8);

class ExecutionTree {
 public:
  // What is stored for each execution; the root has no delta, and says 0 in its place.
  struct Node {
    NodeId parent;           // kNoNode: the root
    std::uint32_t children;  // alive, or parked
    std::uint32_t choice;
    std::uint16_t pick;
    std::uint8_t candidates;
    std::uint8_t flags;

    bool is_value() const { return (flags & kValue) != 0; }
    bool is_executed() const { return (flags & kExecuted) != 0; }
    bool is_root() const { return parent == kNoNode; }
    Delta delta() const { return {choice, pick, candidates, is_value()}; }
  };
  static_assert(sizeof(Node) == 16, "the space bound of the search: 16 bytes for each execution");

  // Requires: there is none. `executed`: was run before, and is needed for what will come below it.
  NodeId add_root(bool executed = false);
  // Requires: !full(); delta.choice >= first_new_choice(parent).
  NodeId add(NodeId parent, const Delta& delta, bool executed = false);

  // Requires: the node is alive.
  const Node& at(NodeId id) const;
  bool alive(NodeId id) const { return id < nodes_.size() && (nodes_[id].flags & kFree) == 0; }
  NodeId root() const { return root_; }

  // What the node's execution picks otherwise than the default, from the root down: ordered by
  // choice.
  void deltas(NodeId id, std::vector<Delta>& out) const;
  // The first choice of the node's execution that its parent's did not make.
  std::uint32_t first_new_choice(NodeId id) const;
  // Of the node and its ancestors the deepest whose delta lies before `choice`: the one whose run
  // was the first to make this choice. An alternative there is a child of that node.
  NodeId owner(NodeId id, std::uint32_t choice) const;

  // The node was run, and what its run showed was added. Without children it is deleted, and so is
  // every ancestor that loses its last child by that; `on_delete(NodeId)` hears of each, while the
  // node can still be looked at. Requires: alive, not executed.
  template <class OnDelete>
  void executed(NodeId id, OnDelete&& on_delete) {
    Node& node = mutable_at(id);
    RADDLE_CHECK(!node.is_executed());
    node.flags |= kExecuted;
    if (node.children == 0) detach(id, on_delete);
  }
  void executed(NodeId id) {
    executed(id, [](NodeId) {});
  }

  // The node is not to be run after all: as if it were executed and had shown nothing.
  template <class OnDelete>
  void drop(NodeId id, OnDelete&& on_delete) {
    executed(id, on_delete);
  }

  // Takes an unexecuted node out of memory, to come back later: its slot is free, but its parent
  // keeps counting it, and so stays. Returns the parent.
  NodeId park(NodeId id);
  // Brings it back, under another id.
  NodeId unpark(NodeId parent, const Delta& delta);

  std::size_t size() const { return alive_; }  // nodes alive
  std::size_t parked() const { return parked_; }
  bool empty() const { return alive_ == 0 && parked_ == 0; }
  bool full() const { return free_ == kNoNode && nodes_.size() == kNoNode; }
  std::size_t peak() const { return peak_; }
  std::size_t bytes() const { return alive_ * sizeof(Node); }
  std::size_t peak_bytes() const { return peak_ * sizeof(Node); }
  std::size_t allocated_bytes() const { return nodes_.allocated_bytes(); }
  // All ids are below this.
  std::size_t slots() const { return nodes_.size(); }

  // For a tree that comes back from a file (search/tree_file.h): into an empty tree restore() puts
  // each node as at() gave it, by increasing ids (false: they are not, or it is none); restored()
  // then says what is wrong with them, or nullptr. Children that are counted but not there are
  // taken to be parked.
  bool restore(NodeId id, const Node& node);
  const char* restored();

 private:
  static constexpr std::uint8_t kValue = 1;
  static constexpr std::uint8_t kExecuted = 2;
  static constexpr std::uint8_t kFree = 4;

  Node& mutable_at(NodeId id) {
    RADDLE_CHECK(alive(id));
    return nodes_[id];
  }
  static Node free_slot(NodeId next) {
    return {.parent = next, .children = 0, .choice = 0, .pick = 0, .candidates = 0, .flags = kFree};
  }
  NodeId take_slot();
  void release(NodeId id);
  template <class OnDelete>
  void detach(NodeId id, OnDelete&& on_delete) {
    while (true) {
      NodeId parent = nodes_[id].parent;
      on_delete(id);
      release(id);
      if (parent == kNoNode) return;
      Node& above = nodes_[parent];
      if (--above.children > 0 || !above.is_executed()) return;
      id = parent;
    }
  }

  // A free slot's `parent` is the next free slot.
  ChunkedArray<Node> nodes_;
  NodeId free_ = kNoNode;
  NodeId root_ = kNoNode;
  std::size_t alive_ = 0;
  std::size_t parked_ = 0;
  std::size_t peak_ = 0;
};

}  // namespace raddle::search
