// SPDX-License-Identifier: Apache-2.0
//
// What goes to disk, when, and how it comes back. Engine side.
#include "search/overflow.h"

#include <algorithm>

namespace raddle::search {
namespace {

// So many files of one level become one of the next: a node is written as often as there are
// levels.
constexpr std::size_t kFanIn = 8;
constexpr unsigned kRestoredLevel = 1000;  // is not merged

}  // namespace

Overflow::Overflow(ExecutionTree& tree, Fringe& fringe, OverflowOptions options,
                   OverflowHooks hooks)
    : tree_(tree), fringe_(fringe), options_(std::move(options)), hooks_(std::move(hooks)) {
  options_.keep = std::max<std::size_t>(options_.keep, 1);
}

std::uint64_t Overflow::disk_bytes() const {
  std::uint64_t bytes = 0;
  for (const File& file : files_) bytes += file.nodes.disk_bytes();
  return bytes;
}

void Overflow::clear() {
  files_.clear();
  on_disk_ = 0;
  broken_.reset();
}

Status Overflow::settle(std::size_t beside) {
  if (broken_) return *broken_;
  // Below twice what is to stay, files would become many and small.
  std::size_t used = bytes(beside);
  if (used > options_.limit && fringe_.size() > 2 * options_.keep) {
    std::size_t each = sizeof(ExecutionTree::Node) + fringe_.bytes() / fringe_.size();
    std::size_t excess = (used - options_.limit / 2) / each;
    std::size_t most = fringe_.size() - options_.keep;
    Status spilled = spill(std::clamp(excess, std::min(options_.keep, most), most));
    if (!spilled) return spilled;
  }
  return on_disk_ > 0 ? bring_back(beside) : Status(Done{});
}

Status Overflow::spill(std::size_t count) {
  Result<SpilledNodes> made = SpilledNodes::create(options_.directory);
  if (!made) return made.error();
  Status status = Done{};
  SpilledNode node;
  fringe_.visit_worst(count, [&](const Open& open) {
    if (!status) return;
    node.priority = open.priority;
    node.payload = hooks_.payload ? hooks_.payload(open.node) : NodePayload{};
    const ExecutionTree::Node& from = tree_.at(open.node);
    RADDLE_CHECK(!from.is_root());  // it is run before there are others
    if (options_.keep_ancestors) {
      node.base = from.parent;
      node.deltas.assign(1, from.delta());
    } else {
      node.base = kNoNode;
      tree_.deltas(open.node, node.deltas);
    }
    status = made->push(node);
  });
  if (status) status = made->finish();
  if (!status) return status;
  fringe_.visit_worst(count, [&](const Open& open) { remove_from_memory(open.node); });
  fringe_.drop_worst(count);
  on_disk_ += count;
  peak_on_disk_ = std::max(peak_on_disk_, on_disk_);
  files_.push_back({std::move(*made), 0});
  return merge_files();
}

void Overflow::remove_from_memory(NodeId node) {
  auto deleted = [this](NodeId id) {
    if (hooks_.deleted) hooks_.deleted(id);
  };
  if (!options_.keep_ancestors) return tree_.drop(node, deleted);
  deleted(node);
  tree_.park(node);
}

Status Overflow::merge_files() {
  while (files_.size() >= kFanIn) {
    auto begin = files_.end() - kFanIn;
    unsigned level = files_.back().level;
    if (begin->level != level) break;
    Result<SpilledNodes> made = SpilledNodes::create(options_.directory);
    if (!made) return made.error();
    Status merged =
        merge(&*begin, &*begin + kFanIn, [&](const SpilledNode& node) { return made->push(node); });
    if (merged) merged = made->finish();
    if (!merged) return merged;
    files_.erase(begin, files_.end());
    files_.push_back({std::move(*made), level + 1});
  }
  return Done{};
}

// Of equal ones those of earlier files were added earlier, and are worse.
Status Overflow::merge(const File* begin, const File* end, const Visit& visit) {
  std::vector<SpilledNodes::Reader> readers;
  for (const File* file = begin; file != end; ++file) readers.emplace_back(file->nodes);
  for (SpilledNodes::Reader& reader : readers)
    if (Status started = reader.start(); !started) return started;
  while (true) {
    SpilledNodes::Reader* worst = nullptr;
    for (SpilledNodes::Reader& reader : readers)
      if (reader.left() > 0 &&
          (worst == nullptr || reader.current().priority > worst->current().priority))
        worst = &reader;
    if (worst == nullptr) return Done{};
    if (Status visited = visit(worst->current()); !visited) return visited;
    if (Status next = worst->next(); !next) return next;
  }
}

Status Overflow::visit_worst_first(const Visit& visit) const {
  return merge(files_.data(), files_.data() + files_.size(), visit);
}

Status Overflow::restore(std::uint64_t count, const Next& next) {
  RADDLE_CHECK(on_disk_ == 0);
  if (count == 0) return Done{};
  Result<SpilledNodes> made = SpilledNodes::create(options_.directory);
  if (!made) return made.error();
  SpilledNode node;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (Status read = next(node); !read) return read;
    if (Status pushed = made->push(node); !pushed) return pushed;
  }
  if (Status finished = made->finish(); !finished) return finished;
  files_.push_back({std::move(*made), kRestoredLevel});
  on_disk_ = count;
  peak_on_disk_ = std::max(peak_on_disk_, on_disk_);
  return Done{};
}

Overflow::File* Overflow::best_file() {
  File* best = nullptr;
  for (File& file : files_)
    if (best == nullptr || file.nodes.top().priority <= best->nodes.top().priority) best = &file;
  return best;
}

Status Overflow::bring_back(std::size_t beside) {
  std::optional<std::uint64_t> in_memory = fringe_.best();
  std::vector<Open> back;
  Status status = Done{};
  path_.clear();
  path_nodes_.clear();
  while (status && on_disk_ > 0 && back.size() < options_.keep) {
    if (bytes(beside) > options_.limit && back.size() > options_.keep / 8) break;
    File* file = best_file();
    const SpilledNode& top = file->nodes.top();
    if (in_memory && top.priority >= *in_memory) break;
    back.push_back({insert(top), top.priority});
    --on_disk_;
    status = file->nodes.pop();
    if (file->nodes.empty()) files_.erase(files_.begin() + (file - files_.data()));
  }
  // The best is pushed last, and so is popped first.
  for (auto open = back.rbegin(); open != back.rend(); ++open)
    fringe_.push(open->node, open->priority);
  if (!status) broken_ = status.error();
  return status;
}

NodeId Overflow::insert(const SpilledNode& node) {
  NodeId id =
      node.base != kNoNode ? tree_.unpark(node.base, node.deltas[0]) : insert_path(node.deltas);
  if (hooks_.restored) hooks_.restored(id, node.payload);
  return id;
}

NodeId Overflow::insert_path(const std::vector<Delta>& deltas) {
  if (tree_.root() == kNoNode) tree_.add_root(true);
  // The last delta is the open node's own, and no part of anybody else's path.
  std::size_t length = deltas.size() - 1;
  std::size_t shared = 0;
  while (shared < std::min(length, path_.size()) && path_[shared] == deltas[shared]) ++shared;
  path_.resize(shared);
  path_nodes_.resize(shared);
  NodeId above = shared > 0 ? path_nodes_.back() : tree_.root();
  for (std::size_t at = shared; at < length; ++at) {
    above = tree_.add(above, deltas[at], true);
    path_.push_back(deltas[at]);
    path_nodes_.push_back(above);
  }
  return tree_.add(above, deltas[length]);
}

}  // namespace raddle::search
