// SPDX-License-Identifier: Apache-2.0
//
// The nodes of the execution tree: slots that are used again, walks to the root, and the checks on
// a tree that was stored. Engine side.
#include "search/execution_tree.h"

#include <algorithm>

namespace raddle::search {

NodeId ExecutionTree::take_slot() {
  NodeId id = free_;
  if (id != kNoNode) {
    free_ = nodes_[id].parent;
  } else {
    RADDLE_CHECK(!full());
    id = static_cast<NodeId>(nodes_.size());
    nodes_.push_back({});
  }
  peak_ = std::max(peak_, ++alive_);
  return id;
}

void ExecutionTree::release(NodeId id) {
  if (id == root_) root_ = kNoNode;
  nodes_[id] = free_slot(free_);
  free_ = id;
  if (--alive_ > 0) return;
  nodes_.clear();
  free_ = kNoNode;
}

NodeId ExecutionTree::add_root(bool executed) {
  RADDLE_CHECK(root_ == kNoNode);
  root_ = take_slot();
  nodes_[root_] = {.parent = kNoNode,
                   .children = 0,
                   .choice = 0,
                   .pick = 0,
                   .candidates = 0,
                   .flags = static_cast<std::uint8_t>(executed ? kExecuted : 0)};
  return root_;
}

NodeId ExecutionTree::add(NodeId parent, const Delta& delta, bool executed) {
  RADDLE_CHECK(delta.choice >= first_new_choice(parent));
  NodeId id = take_slot();
  ++nodes_[parent].children;
  int flags = (delta.is_value ? kValue : 0) | (executed ? kExecuted : 0);
  nodes_[id] = {.parent = parent,
                .children = 0,
                .choice = delta.choice,
                .pick = delta.pick,
                .candidates = delta.candidates,
                .flags = static_cast<std::uint8_t>(flags)};
  return id;
}

const ExecutionTree::Node& ExecutionTree::at(NodeId id) const {
  RADDLE_CHECK(alive(id));
  return nodes_[id];
}

void ExecutionTree::deltas(NodeId id, std::vector<Delta>& out) const {
  out.clear();
  for (const Node* node = &at(id); !node->is_root(); node = &nodes_[node->parent])
    out.push_back(node->delta());
  std::reverse(out.begin(), out.end());
}

std::uint32_t ExecutionTree::first_new_choice(NodeId id) const {
  const Node& node = at(id);
  return node.is_root() ? 0 : node.choice + 1;
}

NodeId ExecutionTree::owner(NodeId id, std::uint32_t choice) const {
  const Node* node = &at(id);
  while (!node->is_root() && node->choice >= choice) {
    id = node->parent;
    node = &nodes_[id];
  }
  return id;
}

NodeId ExecutionTree::park(NodeId id) {
  const Node& node = at(id);
  RADDLE_CHECK(!node.is_executed() && node.children == 0 && !node.is_root());
  NodeId parent = node.parent;
  ++parked_;
  release(id);
  return parent;
}

NodeId ExecutionTree::unpark(NodeId parent, const Delta& delta) {
  RADDLE_CHECK(parked_ > 0 && at(parent).children > 0);
  --parked_;
  NodeId id = add(parent, delta);
  --nodes_[parent].children;  // was counted all the time
  return id;
}

bool ExecutionTree::restore(NodeId id, const Node& node) {
  if (id < nodes_.size() || id == kNoNode || (node.flags & ~(kValue | kExecuted)) != 0)
    return false;
  while (nodes_.size() < id) {
    nodes_.push_back(free_slot(free_));
    free_ = static_cast<NodeId>(nodes_.size() - 1);
  }
  nodes_.push_back(node);
  peak_ = std::max(peak_, ++alive_);
  return true;
}

const char* ExecutionTree::restored() {
  std::vector<std::uint32_t> present(nodes_.size(), 0);
  for (NodeId id = 0; id < nodes_.size(); ++id) {
    const Node& node = nodes_[id];
    if ((node.flags & kFree) != 0) continue;
    if (node.is_root()) {
      if (root_ != kNoNode) return "there are two roots";
      root_ = id;
      continue;
    }
    if (!alive(node.parent)) return "a node has no parent";
    if (node.choice < first_new_choice(node.parent)) return "a node departs before its parent does";
    ++present[node.parent];
  }
  if (alive_ > 0 && root_ == kNoNode) return "there is no root";
  for (NodeId id = 0; id < nodes_.size(); ++id) {
    const Node& node = nodes_[id];
    if ((node.flags & kFree) != 0) continue;
    if (present[id] > node.children) return "a node has more children than it counts";
    if (node.is_executed() != (node.children > 0)) return "a node is neither open nor needed";
    parked_ += node.children - present[id];
  }
  return nullptr;
}

}  // namespace raddle::search
