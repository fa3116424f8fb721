// SPDX-License-Identifier: Apache-2.0
//
// Records of open nodes, and the two directions of reading them. Engine side.
#include "search/spilled_nodes.h"

#include <string.h>

#include <algorithm>

#include "base/rng.h"

namespace raddle::search {
namespace {

// Little-endian, as all of raddle's machines are.
struct Front {
  std::uint32_t deltas;
  NodeId base;
  std::uint64_t priority;
  std::uint64_t sleep;
  float weight;
  std::uint32_t reserved;
};
struct Packed {
  std::uint32_t choice;
  std::uint16_t pick;
  std::uint8_t candidates;
  std::uint8_t is_value;
};
struct Back {
  std::uint32_t deltas;
  std::uint32_t check;
};
static_assert(sizeof(Front) == 32 && sizeof(Packed) == 8 && sizeof(Back) == 8);

constexpr std::size_t kBlock = 64 * 1024;
// A run's choices are far fewer; what claims more is no record.
constexpr std::uint32_t kMaxDeltas = 1u << 28;

std::size_t record_size(std::uint32_t deltas) {
  return sizeof(Front) + std::size_t{deltas} * sizeof(Packed) + sizeof(Back);
}

std::uint32_t check_of(const char* data, std::size_t size) {
  std::uint64_t check = size;
  for (; size > 0; data += 8, size -= 8) {
    std::uint64_t word;
    memcpy(&word, data, sizeof word);
    check = mix64(check ^ word);
  }
  return static_cast<std::uint32_t>(check);
}

template <class T>
void append(std::vector<char>& out, const T& value) {
  const char* bytes = reinterpret_cast<const char*>(&value);
  out.insert(out.end(), bytes, bytes + sizeof value);
}

}  // namespace

void encode(const SpilledNode& node, std::vector<char>& out) {
  std::size_t begin = out.size();
  auto count = static_cast<std::uint32_t>(node.deltas.size());
  append(out, Front{count, node.base, node.priority, node.payload.sleep, node.payload.weight, 0});
  for (const Delta& delta : node.deltas)
    append(out, Packed{delta.choice, delta.pick, delta.candidates, delta.is_value});
  append(out, Back{count, check_of(out.data() + begin, out.size() - begin)});
}

std::size_t encoded_size(const char* data, std::size_t size) {
  std::uint32_t deltas;
  if (size < sizeof deltas) return 0;
  memcpy(&deltas, data, sizeof deltas);
  return deltas == 0 || deltas > kMaxDeltas ? ~std::size_t{0} : record_size(deltas);
}

bool decode(const char* data, std::size_t size, SpilledNode& out) {
  Front front;
  Back back;
  if (size < record_size(0)) return false;
  memcpy(&front, data, sizeof front);
  memcpy(&back, data + size - sizeof back, sizeof back);
  if (front.deltas == 0 || front.deltas > kMaxDeltas || record_size(front.deltas) != size ||
      back.deltas != front.deltas || back.check != check_of(data, size - sizeof back))
    return false;
  out.base = front.base;
  out.priority = front.priority;
  out.payload = {front.sleep, front.weight};
  out.deltas.resize(front.deltas);
  for (std::uint32_t i = 0; i < front.deltas; ++i) {
    Packed packed;
    memcpy(&packed, data + sizeof front + i * sizeof packed, sizeof packed);
    out.deltas[i] = {packed.choice, packed.pick, packed.candidates, packed.is_value != 0};
  }
  return true;
}

Result<SpilledNodes> SpilledNodes::create(const std::string& directory) {
  Result<SpillFile> file = SpillFile::create(directory);
  if (!file) return file.error();
  return SpilledNodes(std::move(*file));
}

Status SpilledNodes::push(const SpilledNode& node) {
  record_.clear();
  encode(node, record_);
  ++count_;
  return file_.append(record_.data(), record_.size());
}

Status SpilledNodes::finish() {
  Status flushed = file_.flush();
  if (!flushed) return flushed;
  record_ = {};
  end_ = file_.size();
  window_begin_ = end_;
  return empty() ? Status(Done{}) : load_top();
}

// Lets the window hold at least the last `size` bytes before end_.
Status SpilledNodes::window_to(std::size_t size) {
  if (size > end_) return file_.damaged();
  if (end_ - window_begin_ >= size) return Done{};
  // What lies behind end_ is used up.
  if (Status cut = file_.truncate(end_); !cut) return cut;
  window_begin_ = end_ - std::min<std::uint64_t>(end_, std::max(size, kBlock));
  window_.resize(end_ - window_begin_);
  return file_.read(window_begin_, window_.data(), window_.size());
}

Status SpilledNodes::load_top() {
  Back back;
  if (Status have = window_to(sizeof back); !have) return have;
  memcpy(&back, window_.data() + (end_ - sizeof back - window_begin_), sizeof back);
  if (back.deltas == 0 || back.deltas > kMaxDeltas) return file_.damaged();
  std::size_t size = record_size(back.deltas);
  if (Status have = window_to(size); !have) return have;
  if (!decode(window_.data() + (end_ - size - window_begin_), size, top_)) return file_.damaged();
  return Done{};
}

Status SpilledNodes::pop() {
  RADDLE_CHECK(!empty());
  end_ -= record_size(static_cast<std::uint32_t>(top_.deltas.size()));
  if (--count_ > 0) return load_top();
  window_ = {};
  window_begin_ = end_;
  return file_.truncate(end_);
}

Status SpilledNodes::Reader::load() {
  const SpillFile& file = nodes_.file_;
  auto window_to = [&](std::size_t size) -> Status {
    if (offset_ + size > nodes_.end_) return file.damaged();
    if (offset_ + size <= window_begin_ + window_.size()) return Done{};
    window_begin_ = offset_;
    window_.resize(std::min<std::uint64_t>(nodes_.end_ - offset_, std::max(size, kBlock)));
    return file.read(window_begin_, window_.data(), window_.size());
  };
  if (Status have = window_to(sizeof(std::uint32_t)); !have) return have;
  std::size_t size =
      encoded_size(window_.data() + (offset_ - window_begin_), sizeof(std::uint32_t));
  if (size == ~std::size_t{0}) return file.damaged();
  if (Status have = window_to(size); !have) return have;
  if (!decode(window_.data() + (offset_ - window_begin_), size, current_)) return file.damaged();
  offset_ += size;
  return Done{};
}

Status SpilledNodes::Reader::next() {
  RADDLE_CHECK(left_ > 0);
  return --left_ > 0 ? load() : Status(Done{});
}

}  // namespace raddle::search
