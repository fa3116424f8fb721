// SPDX-License-Identifier: Apache-2.0
//
// The happens-before hash. Engine side. A range is gone over twice: first to gather what it depends
// on, then to leave its own hash there; nearly all events touch one granule and need one lookup.
#include "analysis/happens_before.h"

#include "base/rng.h"

namespace raddle::analysis {
namespace {

using wire::Event;
using wire::OpClass;
using wire::OpKind;

constexpr unsigned kGranuleShift = 3;
// Region ids leave the top bit free: it separates an object from the bytes it is made of, which do
// not depend on each other (model/dependence.h).
constexpr std::uint64_t kObjectTag = std::uint64_t{1} << 63;

constexpr bool is_object(OpClass cls) { return cls == OpClass::sync || cls == OpClass::shared; }

constexpr bool is_exclusive(OpClass cls) {
  return cls == OpClass::sync || cls == OpClass::store || cls == OpClass::rmw ||
         cls == OpClass::write;
}

constexpr std::uint64_t combine(std::uint64_t seed, std::uint64_t value) {
  return mix64(seed + 0x9e3779b97f4a7c15ull + value);
}

// What the event does, without when. The number chosen by a value choice is part of what happens;
// all other values, and which bytes are touched, follow from the order. Locations stay out because
// heap blocks are numbered in the order of allocations, which are independent of each other.
std::uint64_t label(const Event& event) {
  std::uint64_t what = (std::uint64_t{event.site} << 32) |
                       (std::uint64_t{static_cast<std::uint8_t>(event.kind)} << 24) |
                       (std::uint64_t{event.size} << 8) | (event.flags & wire::kEventFailed);
  if (event.kind == OpKind::value) what ^= event.value * 0xbf58476d1ce4e5b9ull;
  return what;
}

// The keys of the object or of the granules that an event touches: [first, last].
struct Keys {
  std::uint64_t first;
  std::uint64_t last;
};

Keys keys_of(const Event& event, OpClass cls) {
  if (is_object(cls)) return {event.where.key() | kObjectTag, event.where.key() | kObjectTag};
  std::uint64_t region = std::uint64_t{event.where.region_id} << 32;
  std::uint64_t begin = event.where.offset;
  std::uint64_t last = begin + (event.size == 0 ? 0 : event.size - 1u);
  return {region | (begin >> kGranuleShift), region | (last >> kGranuleShift)};
}

}  // namespace

void HappensBefore::begin() {
  threads_.clear();
  accesses_.clear();
}

HappensBefore::Thread& HappensBefore::thread(ThreadId id) {
  if (id >= threads_.size()) threads_.resize(std::size_t{id} + 1);
  Thread& thread = threads_[id];
  if (!thread.seen) {
    // Only the initial thread, or one whose creation was not seen, gets here unborn.
    if (thread.birth == 0) thread.birth = mix64(id + 1u);
    thread.last = thread.birth;
    thread.seen = true;
  }
  return thread;
}

std::uint64_t HappensBefore::Access::before(bool exclusive) const {
  // The sum of the readers is scattered already; the factor only tells it from the writer.
  return exclusive ? write + reads * 0xbf58476d1ce4e5b9ull : write;
}

void HappensBefore::Access::add(bool exclusive, std::uint64_t hash) {
  if (exclusive)
    *this = {hash, 0};
  else
    reads += hash;
}

// Extends `hash` by what the event depends on and leaves the result for those that depend on it.
std::uint64_t HappensBefore::touch(const Event& event, OpClass cls, std::uint64_t hash) {
  bool exclusive = is_exclusive(cls);
  Keys keys = keys_of(event, cls);
  if (keys.first == keys.last) {
    Access& access = accesses_[keys.first];
    hash = combine(hash, access.before(exclusive));
    access.add(exclusive, hash);
    return hash;
  }
  for (std::uint64_t key = keys.first; key <= keys.last; ++key)
    hash = combine(hash, accesses_[key].before(exclusive));
  for (std::uint64_t key = keys.first; key <= keys.last; ++key) accesses_[key].add(exclusive, hash);
  return hash;
}

void HappensBefore::on_event(const Event& event) {
  if (event.kind >= OpKind::count) return;
  OpClass cls = wire::op_class(event.kind, event.order);
  if (cls == OpClass::mark) return;
  Thread& self = thread(event.thread);
  bool touches_data = is_object(cls) || wire::is_memory_access(event.kind);
  if ((event.flags & wire::kEventRemembered) != 0) {
    if (touches_data) touch(event, cls, combine(self.birth, label(event)));
    return;
  }
  std::uint64_t hash = combine(self.last, label(event));
  if (touches_data) hash = touch(event, cls, hash);
  ThreadId other = wire::other_of(event);
  bool names_thread = other < kMaxThreads;
  if (event.kind == OpKind::thread_join && names_thread) {
    std::uint64_t joined = thread(other).last;
    hash = combine(hash, joined);
  }
  if (event.kind == OpKind::thread_create && names_thread) {
    auto child = static_cast<std::size_t>(other);
    if (child >= threads_.size()) threads_.resize(child + 1);
    threads_[child] = Thread{.birth = mix64(hash), .last = 0, .seen = false};
  }
  threads_[event.thread].last = hash;  // `self` may have moved
}

std::uint64_t HappensBefore::hash() const {
  std::uint64_t sum = 0;
  for (const Thread& thread : threads_)
    if (thread.seen) sum += mix64(thread.last);
  return mix64(sum);
}

}  // namespace raddle::analysis
