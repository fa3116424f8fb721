// SPDX-License-Identifier: Apache-2.0
//
// See access_stream.h. Engine side. Nearly all accesses touch exactly one variable that is known:
// they cost one lookup.
#include "analysis/access_stream.h"

#include <algorithm>

namespace raddle::analysis {
namespace {

using wire::Event;
using wire::OpClass;
using wire::OpKind;

constexpr AccessRole memory_role(const Event& event) {
  switch (wire::op_class(event.kind)) {
    case OpClass::load:
    case OpClass::read:
      return AccessRole::read;
    case OpClass::rmw:
      return (event.flags & wire::kEventFailed) != 0 ? AccessRole::read : AccessRole::update;
    default:
      return AccessRole::write;
  }
}

constexpr bool takes_for_reading(OpKind kind) {
  return kind == OpKind::rwlock_read || kind == OpKind::rwlock_try_read ||
         kind == OpKind::rwlock_timed_read;
}

}  // namespace

void AccessStream::begin() {
  granules_.clear();
  parts_.clear();
  threads_.clear();
  variables_ = 0;
  index_ = 0;
  sections_ = 0;
}

AccessStream::Thread& AccessStream::thread(ThreadId id) {
  if (id >= threads_.size()) threads_.resize(std::size_t{id} + 1);
  return threads_[id];
}

const std::vector<AccessStream::Held>& AccessStream::held(ThreadId id) const {
  return id < threads_.size() ? threads_[id].held : nothing_held_;
}

std::uint32_t AccessStream::ops(ThreadId id) const {
  return id < threads_.size() ? threads_[id].ops : 1;
}

void AccessStream::read(const Event& event, AccessSink& sink) {
  std::uint32_t index = index_++;
  if (event.kind >= OpKind::count || event.thread >= kMaxThreads) return;
  if (wire::op_class(event.kind) == OpClass::mark) return;
  Thread& self = thread(event.thread);
  bool remembered = (event.flags & wire::kEventRemembered) != 0;
  if (!remembered) ++self.ops;
  SharedAccess access;
  access.op = self.ops;
  access.index = index;
  access.site = event.site;
  access.where = event.where;
  access.thread = event.thread;
  access.size = event.size;
  access.kind = event.kind;
  access.remembered = remembered;
  access.vague = (event.flags & wire::kEventVague) != 0;
  if (wire::is_memory_access(event.kind)) {
    access.role = memory_role(event);
    touch_memory(access, sink);
  } else if ((event.flags & wire::kEventFailed) != 0) {
    return;
  } else if (wire::takes_lock(event.kind)) {
    take(access, takes_for_reading(event.kind), sink);
  } else if (event.kind == OpKind::mutex_unlock || event.kind == OpKind::rwlock_unlock) {
    give_back(access, sink);
  } else if (event.kind == OpKind::thread_exit) {
    // What it still holds, if robust, is free for others; if not, nobody gets it any more.
    self.held.clear();
  }
}

// So that a granule can be parted as far as it goes.
void AccessStream::make_room(AccessSink& sink) {
  if (variables_ + kGranule <= kVariablesMax) return;
  granules_.clear();
  parts_.clear();
  variables_ = 0;
  sink.on_forget();
}

void AccessStream::touch_memory(SharedAccess access, AccessSink& sink) {
  std::uint64_t region = std::uint64_t{access.where.region_id} << 32;
  std::uint64_t begin = access.where.offset;
  std::uint64_t end = begin + std::max<std::uint64_t>(access.size, 1);
  access.wide = (end - 1) / kGranule - begin / kGranule >= kWideGranules;
  for (std::uint64_t granule = begin / kGranule; granule <= (end - 1) / kGranule; ++granule) {
    std::uint64_t base = granule * kGranule;
    auto first = static_cast<unsigned>(begin > base ? begin - base : 0);
    auto past = static_cast<unsigned>(std::min<std::uint64_t>(end - base, kGranule));
    auto mask = static_cast<std::uint8_t>((0xffu >> (kGranule - past)) & (0xffu << first));
    touch_granule(region | granule, mask, access, sink);
  }
}

// Requires: the mask is not empty.
void AccessStream::touch_granule(std::uint64_t key, std::uint8_t mask, SharedAccess& access,
                                 AccessSink& sink) {
  const Granule& known = granules_[key];
  if (known.mask == mask) {
    access.variable = known.variable;
    return sink.on_access(access);
  }
  make_room(sink);
  Granule& granule = granules_[key];
  if (granule.mask == 0 && granule.variable == 0) {
    granule = {mask, variables_++};
    access.variable = granule.variable;
    return sink.on_access(access);
  }
  touch_parts(parts(granule), mask, access, sink);
}

AccessStream::Parts& AccessStream::parts(Granule& granule) {
  if (granule.mask != 0) {
    parts_.push_back({1, {granule.mask}, {granule.variable}});
    granule = {0, static_cast<std::uint32_t>(parts_.size())};
  }
  return parts_[granule.variable - 1];
}

void AccessStream::touch_parts(Parts& parts, std::uint8_t mask, SharedAccess& access,
                               AccessSink& sink) {
  std::uint8_t fresh = mask;
  for (unsigned i = 0, count = parts.count; i < count; ++i) {
    auto common = static_cast<std::uint8_t>(parts.masks[i] & mask);
    fresh &= static_cast<std::uint8_t>(~parts.masks[i]);
    if (common == 0 || common == parts.masks[i]) continue;
    parts.masks[i] &= static_cast<std::uint8_t>(~common);
    parts.masks[parts.count] = common;
    std::uint32_t part = parts.variables[parts.count++] = variables_++;
    sink.on_split(parts.variables[i], part);
  }
  if (fresh != 0) {
    parts.masks[parts.count] = fresh;
    parts.variables[parts.count++] = variables_++;
  }
  for (unsigned i = 0; i < parts.count; ++i) {
    if ((parts.masks[i] & mask) == 0) continue;
    access.variable = parts.variables[i];
    sink.on_access(access);
  }
}

void AccessStream::tell_lock(std::uint64_t key, SharedAccess& access, AccessSink& sink) {
  make_room(sink);
  Granule& granule = granules_[key];
  if (granule.mask == 0) granule = {1, variables_++};
  access.variable = granule.variable;
  sink.on_access(access);
}

void AccessStream::take(SharedAccess access, bool read, AccessSink& sink) {
  Thread& self = threads_[access.thread];
  std::uint64_t key = lock_key(access.where);
  for (Held& held : self.held)
    if (held.key == key) {
      ++held.depth;
      return;
    }
  self.held.push_back(
      {key, access.where, 1, access.op, access.index, ++sections_, access.site, access.kind, read});
  access.role = read ? AccessRole::read_lock : AccessRole::lock;
  tell_lock(key, access, sink);
}

void AccessStream::give_back(SharedAccess access, AccessSink& sink) {
  std::uint64_t key = lock_key(access.where);
  bool ended = false;
  auto drop = [&](Thread& holder) {
    for (std::size_t i = 0; i < holder.held.size(); ++i) {
      if (holder.held[i].key != key) continue;
      access.role = holder.held[i].read ? AccessRole::read_unlock : AccessRole::unlock;
      ended = --holder.held[i].depth == 0;
      if (ended) holder.held.erase(holder.held.begin() + static_cast<std::ptrdiff_t>(i));
      return true;
    }
    return false;
  };
  // Somebody else's: libc lets it go.
  bool found = drop(threads_[access.thread]);
  for (std::size_t i = 0; !found && i < threads_.size(); ++i) found = drop(threads_[i]);
  if (ended) tell_lock(key, access, sink);
}

}  // namespace raddle::analysis
