// SPDX-License-Identifier: Apache-2.0
//
// The parts of a stored search, one function each for writing and for reading. Engine side.
#include "search/tree_file.h"

#include <fmt/format.h>

#include "search/checked_file.h"

namespace raddle::search {
namespace {

constexpr std::string_view kMark = "raddle-s";
constexpr const char* kWhat = "the state of a search";

struct StoredNode {
  NodeId id;
  ExecutionTree::Node node;
};
static_assert(sizeof(StoredNode) == 20);

struct [[gnu::packed]] StoredOpen {
  std::uint64_t priority;
  NodeId node;
};
static_assert(sizeof(StoredOpen) == 12);

// Returns how many were not executed.
std::size_t write_nodes(CheckedWriter& file, const ExecutionTree& tree) {
  std::size_t open = 0;
  file.put(std::uint64_t{tree.slots()});
  file.put(std::uint64_t{tree.size()});
  for (std::size_t at = 0; at < tree.slots(); ++at) {
    auto id = static_cast<NodeId>(at);
    if (!tree.alive(id)) continue;
    if (!tree.at(id).is_executed()) ++open;
    file.put(StoredNode{id, tree.at(id)});
  }
  return open;
}

void write_spilled(CheckedWriter& file, const Overflow& overflow) {
  file.put(std::uint64_t{overflow.on_disk()});
  std::vector<char> record;
  Status visited = overflow.visit_worst_first([&](const SpilledNode& node) -> Status {
    record.clear();
    encode(node, record);
    file.put(record.data(), record.size());
    return Done{};
  });
  if (!visited) file.fail(visited.error());
}

class Loader {
 public:
  Loader(CheckedReader& file, ExecutionTree& tree, Fringe& fringe, Overflow& overflow)
      : file_(file), tree_(tree), fringe_(fringe), overflow_(overflow) {}

  Result<std::vector<SideTable>> load() {
    if (Status read = nodes(); !read) return read.error();
    if (Status read = open_nodes(); !read) return read.error();
    if (Status read = spilled(); !read) return read.error();
    return tables();
  }

 private:
  Error ends() const { return file_.damaged("it ends before its contents do"); }

  Status nodes() {
    std::uint64_t slots, count;
    if (!file_.get(slots) || !file_.get(count)) return ends();
    StoredNode stored;
    for (std::uint64_t i = 0; i < count; ++i) {
      if (!file_.get(stored)) return ends();
      if (stored.id >= slots || !tree_.restore(stored.id, stored.node))
        return file_.damaged(fmt::format("node {} is none", stored.id));
      if (!stored.node.is_executed()) ++unexecuted_;
    }
    const char* wrong = tree_.restored();
    return wrong == nullptr ? Status(Done{}) : file_.damaged(wrong);
  }

  Status open_nodes() {
    std::uint64_t count;
    if (!file_.get(count)) return ends();
    std::vector<bool> seen(tree_.slots(), false);
    StoredOpen stored;
    for (std::uint64_t i = 0; i < count; ++i) {
      if (!file_.get(stored)) return ends();
      if (!tree_.alive(stored.node) || tree_.at(stored.node).is_executed() || seen[stored.node])
        return file_.damaged("a node waits that does not have to");
      seen[stored.node] = true;
      fringe_.push(stored.node, stored.priority);
    }
    if (count != unexecuted_) return file_.damaged("a node is missing among those that wait");
    return Done{};
  }

  Status next_spilled(SpilledNode& node) {
    record_.resize(sizeof(std::uint32_t));
    if (!file_.get(record_.data(), record_.size())) return ends();
    std::size_t size = encoded_size(record_.data(), record_.size());
    if (size > file_.left() + record_.size()) return ends();
    std::size_t have = record_.size();
    record_.resize(size);
    if (!file_.get(record_.data() + have, size - have)) return ends();
    if (!decode(record_.data(), size, node)) return file_.damaged("a node on disk is none");
    if (node.base == kNoNode) return Done{};
    ++parked_;
    if (!tree_.alive(node.base) || node.deltas.size() != 1 ||
        node.deltas[0].choice < tree_.first_new_choice(node.base))
      return file_.damaged("a node on disk has no place in the tree");
    return Done{};
  }

  Status spilled() {
    std::uint64_t count;
    if (!file_.get(count)) return ends();
    Status read =
        overflow_.restore(count, [this](SpilledNode& node) { return next_spilled(node); });
    if (!read) return read;
    if (parked_ != tree_.parked()) return file_.damaged("a node is missing among those on disk");
    return Done{};
  }

  Result<std::vector<SideTable>> tables() {
    std::uint64_t count;
    if (!file_.get(count)) return ends();
    std::vector<SideTable> tables;
    for (std::uint64_t i = 0; i < count; ++i) {
      SideTable& table = tables.emplace_back();
      if (!file_.get_string(table.name) || !file_.get_string(table.contents)) return ends();
    }
    if (file_.left() > 0) return file_.damaged("it goes on after its contents end");
    return tables;
  }

  CheckedReader& file_;
  ExecutionTree& tree_;
  Fringe& fringe_;
  Overflow& overflow_;
  std::uint64_t unexecuted_ = 0;
  std::uint64_t parked_ = 0;
  std::vector<char> record_;
};

// Up to the subject, which is returned.
Result<std::string> open_file(CheckedReader& file, const std::string& path) {
  Status opened = file.open(path, kMark, kWhat, kTreeFileVersion);
  if (!opened) return opened.error();
  std::uint32_t reserved;
  std::string whose;
  if (!file.get(reserved) || !file.get_string(whose)) return file.damaged("it has no subject");
  return whose;
}

}  // namespace

Result<std::string> read_tree_subject(const std::string& path) {
  CheckedReader file;
  return open_file(file, path);
}

Status write_tree_file(const std::string& path, std::string_view subject, const ExecutionTree& tree,
                       Fringe& fringe, const Overflow& overflow, std::span<const Open> in_flight,
                       std::span<const SideTable> tables) {
  CheckedWriter file(path);
  file.put(kMark.data(), kMark.size());
  file.put(kTreeFileVersion);
  file.put(std::uint32_t{0});
  file.put_string(subject);
  std::size_t open = write_nodes(file, tree);
  RADDLE_CHECK(open == fringe.size() + in_flight.size());
  file.put(std::uint64_t{open});
  auto put_open = [&](const Open& entry) { file.put(StoredOpen{entry.priority, entry.node}); };
  fringe.visit_worst(fringe.size(), put_open);
  for (const Open& entry : in_flight) put_open(entry);
  write_spilled(file, overflow);
  file.put(std::uint64_t{tables.size()});
  for (const SideTable& table : tables) {
    file.put_string(table.name);
    file.put_string(table.contents);
  }
  return file.finish();
}

Result<std::vector<SideTable>> read_tree_file(const std::string& path, std::string_view subject,
                                              ExecutionTree& tree, Fringe& fringe,
                                              Overflow& overflow) {
  RADDLE_CHECK(tree.empty() && fringe.empty() && overflow.on_disk() == 0);
  CheckedReader file;
  Result<std::string> whose = open_file(file, path);
  if (!whose) return whose.error();
  if (*whose != subject)
    return Error{
        fmt::format("{} is the state of another search: of {}, not of {}", path, *whose, subject)};
  return Loader(file, tree, fringe, overflow).load();
}

}  // namespace raddle::search
