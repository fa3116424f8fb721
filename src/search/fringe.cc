// SPDX-License-Identifier: Apache-2.0
//
// Bins of stacks, and a heap for what has no bin. Engine side.
#include "search/fringe.h"

#include <algorithm>
#include <limits>

namespace raddle::search {
namespace {

// What a bin costs beside its entries: a node of the map, and the headers of two allocations.
constexpr std::size_t kBinBytes =
    sizeof(std::pair<const std::uint64_t, std::vector<NodeId>>) + 4 * sizeof(void*) + 16;
constexpr std::size_t kSmallestBin = 4;

}  // namespace

// A bin grows by half and shrinks when it is a third full, so that an entry never takes more than
// its 16 bytes; the small ones are too few to matter.
void Fringe::resize_bin(Bin& bin, std::size_t capacity) {
  bin_bytes_ -= bin.capacity() * sizeof(NodeId);
  Bin resized;
  resized.reserve(capacity);
  resized.assign(bin.begin(), bin.end());
  bin.swap(resized);
  bin_bytes_ += bin.capacity() * sizeof(NodeId);
}

void Fringe::push_to_bin(Bin& bin, NodeId node) {
  if (bin.size() == bin.capacity())
    resize_bin(bin, std::max(kSmallestBin, bin.capacity() + bin.capacity() / 2));
  bin.push_back(node);
}

void Fringe::remove_bin(Bins::iterator bin) {
  bin_bytes_ -= kBinBytes + bin->second.capacity() * sizeof(NodeId);
  bins_.erase(bin);
}

// Sorted, the best first, a heap is still one.
void Fringe::sort_heap() {
  if (!heap_sorted_) std::sort(heap_.begin(), heap_.end(), better);
  heap_sorted_ = true;
}

void Fringe::renumber() {
  sort_heap();
  auto rank = static_cast<std::uint32_t>(heap_.size());
  next_rank_ = rank;
  for (Entry& entry : heap_) entry.rank = --rank;
}

void Fringe::push_to_heap(NodeId node, std::uint64_t priority) {
  if (next_rank_ == std::numeric_limits<std::uint32_t>::max()) renumber();
  heap_.push_back({priority, next_rank_++, node});
  std::push_heap(heap_.begin(), heap_.end(), worse);
  heap_sorted_ = heap_.size() == 1;
}

void Fringe::settle(std::size_t size) {
  size_ = size;
  peak_ = std::max(peak_, size_);
  peak_bytes_ = std::max(peak_bytes_, bytes());
  if (heap_.empty() && heap_.allocated_bytes() > 0) heap_.clear();
}

void Fringe::push(NodeId node, std::uint64_t priority) {
  auto bin = bins_.find(priority);
  if (bin == bins_.end() && bins_.size() < max_bins_) {
    bin = bins_.try_emplace(priority).first;
    bin_bytes_ += kBinBytes;
  }
  if (bin != bins_.end())
    push_to_bin(bin->second, node);
  else
    push_to_heap(node, priority);
  settle(size_ + 1);
}

std::optional<std::uint64_t> Fringe::best() const {
  if (size_ == 0) return std::nullopt;
  if (heap_.empty()) return bins_.begin()->first;
  if (bins_.empty()) return heap_[0].priority;
  return std::min(bins_.begin()->first, heap_[0].priority);
}

std::optional<Open> Fringe::pop() {
  if (size_ == 0) return std::nullopt;
  Open open;
  if (heap_.empty() || (!bins_.empty() && bins_.begin()->first <= heap_[0].priority)) {
    auto first = bins_.begin();
    Bin& bin = first->second;
    open = {bin.back(), first->first};
    bin.pop_back();
    if (bin.empty())
      remove_bin(first);
    else if (bin.capacity() > 64 && bin.size() < bin.capacity() / 3)
      resize_bin(bin, bin.capacity() / 2);
  } else {
    open = {heap_[0].node, heap_[0].priority};
    std::pop_heap(heap_.begin(), heap_.end(), worse);
    heap_.pop_back();
    heap_sorted_ = heap_.size() <= 1;
  }
  settle(size_ - 1);
  return open;
}

void Fringe::visit_worst(std::size_t count, const std::function<void(const Open&)>& visit) {
  sort_heap();
  std::size_t in_heap = heap_.size();
  auto bin = bins_.rbegin();
  std::size_t from_bin = 0;
  for (count = std::min(count, size_); count > 0; --count) {
    // Of equal ones those in the heap are older.
    if (in_heap > 0 && (bin == bins_.rend() || heap_[in_heap - 1].priority >= bin->first)) {
      --in_heap;
      visit({heap_[in_heap].node, heap_[in_heap].priority});
      continue;
    }
    visit({bin->second[from_bin], bin->first});
    if (++from_bin < bin->second.size()) continue;
    ++bin;
    from_bin = 0;
  }
}

void Fringe::drop_worst(std::size_t count) {
  RADDLE_CHECK(count <= size_);
  sort_heap();
  std::size_t left = size_ - count;
  while (count > 0) {
    if (!heap_.empty() && (bins_.empty() || heap_.back().priority >= bins_.rbegin()->first)) {
      heap_.pop_back();
      --count;
      continue;
    }
    auto last = std::prev(bins_.end());
    Bin& bin = last->second;
    std::size_t here = std::min(count, bin.size());
    count -= here;
    if (here == bin.size()) {
      remove_bin(last);
    } else {
      bin.erase(bin.begin(), bin.begin() + static_cast<std::ptrdiff_t>(here));
      resize_bin(bin, bin.size());
    }
  }
  settle(left);
}

}  // namespace raddle::search
