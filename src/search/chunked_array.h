// SPDX-License-Identifier: Apache-2.0
//
// ChunkedArray: a growing array in pieces of equal size. Engine side. The search's state may be
// most of the memory there is, so this array never copies what it holds in order to grow, has at
// most a chunk or two of slack, and gives memory back when it shrinks.
//
// invariant: references to elements stay good until the element is removed.
#pragma once

#include <compare>
#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>
#include <vector>

namespace raddle::search {

template <class T, std::size_t kChunk = 1024>
class ChunkedArray {
  static_assert((kChunk & (kChunk - 1)) == 0 && std::is_trivially_copyable_v<T>);

 public:
  // Enough of a random access iterator for the algorithms of the standard library.
  class Iterator {
   public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = T*;
    using reference = T&;

    Iterator() = default;
    Iterator(ChunkedArray* array, std::ptrdiff_t at) : array_(array), at_(at) {}
    T& operator*() const { return (*array_)[static_cast<std::size_t>(at_)]; }
    T* operator->() const { return &**this; }
    T& operator[](std::ptrdiff_t by) const { return *(*this + by); }
    Iterator& operator+=(std::ptrdiff_t by) { return at_ += by, *this; }
    Iterator& operator-=(std::ptrdiff_t by) { return at_ -= by, *this; }
    Iterator& operator++() { return *this += 1; }
    Iterator& operator--() { return *this -= 1; }
    Iterator operator++(int) { return Iterator(array_, at_++); }
    Iterator operator--(int) { return Iterator(array_, at_--); }
    friend Iterator operator+(Iterator it, std::ptrdiff_t by) { return it += by; }
    friend Iterator operator+(std::ptrdiff_t by, Iterator it) { return it += by; }
    friend Iterator operator-(Iterator it, std::ptrdiff_t by) { return it -= by; }
    friend std::ptrdiff_t operator-(Iterator a, Iterator b) { return a.at_ - b.at_; }
    friend bool operator==(Iterator a, Iterator b) { return a.at_ == b.at_; }
    friend auto operator<=>(Iterator a, Iterator b) { return a.at_ <=> b.at_; }

   private:
    ChunkedArray* array_ = nullptr;
    std::ptrdiff_t at_ = 0;
  };

  T& operator[](std::size_t at) { return chunks_[at / kChunk][at % kChunk]; }
  const T& operator[](std::size_t at) const { return chunks_[at / kChunk][at % kChunk]; }
  T& back() { return (*this)[size_ - 1]; }
  Iterator begin() { return {this, 0}; }
  Iterator end() { return {this, static_cast<std::ptrdiff_t>(size_)}; }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::size_t allocated_bytes() const { return chunks_.size() * kChunk * sizeof(T); }

  void push_back(const T& value) {
    if (size_ == chunks_.size() * kChunk) chunks_.push_back(std::make_unique<T[]>(kChunk));
    (*this)[size_++] = value;
  }
  // Requires: count <= size().
  void pop_back(std::size_t count = 1) {
    size_ -= count;
    // One chunk stays in reserve, or an array that grows and shrinks by one would allocate each
    // time.
    while (chunks_.size() > size_ / kChunk + 2) chunks_.pop_back();
  }
  void clear() {
    size_ = 0;
    chunks_.clear();
    chunks_.shrink_to_fit();
  }

 private:
  std::vector<std::unique_ptr<T[]>> chunks_;
  std::size_t size_ = 0;
};

}  // namespace raddle::search
