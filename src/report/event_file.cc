// SPDX-License-Identifier: Apache-2.0
//
// Encoding and checking of events.bin. Engine side. Every length is checked against what is left,
// and the events against their hash: a damaged file is an error, never a wrong picture.
#include "report/event_file.h"

#include <cstring>

#include "base/rng.h"
#include "facts/event_hash.h"

namespace raddle::report {
namespace {

struct Header {
  char magic[8];
  std::uint32_t format;
  std::uint32_t events_version;
  std::uint32_t modules;
  std::uint32_t locals;
  std::uint64_t events;
  std::uint64_t hash;
  std::uint64_t stacks;
  std::uint64_t stack_hash;
};
struct ModuleHeader {
  std::uint64_t base;
  std::uint32_t site_base;
  std::uint32_t size;
  std::uint32_t path_length;
  std::uint32_t reserved;
};

struct Local {
  std::uint64_t place;
  std::uint32_t site;
  std::int32_t offset;
};

constexpr char kEventMagic[8] = {'R', 'A', 'D', 'D', 'L', 'E', 'E', 'V'};
constexpr std::uint32_t kEventFormat = 3;

template <class T>
void append(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
bool take(std::string_view& data, T& value) {
  if (data.size() < sizeof value) return false;
  std::memcpy(&value, data.data(), sizeof value);
  data.remove_prefix(sizeof value);
  return true;
}

bool take_modules(std::string_view& data, std::uint32_t count,
                  std::vector<facts::Module>& modules) {
  for (std::uint32_t i = 0; i < count; ++i) {
    ModuleHeader header;
    if (!take(data, header) || header.path_length > data.size()) return false;
    modules.push_back({std::string(data.substr(0, header.path_length)), header.base,
                       header.site_base, header.size});
    data.remove_prefix(header.path_length);
  }
  return true;
}

std::uint64_t hash_bytes(std::string_view data) {
  std::uint64_t hash = data.size();
  for (char c : data) hash = mix64(hash ^ static_cast<unsigned char>(c));
  return hash;
}

std::string encode_stacks(const facts::EventStacks& stacks) {
  std::string out;
  for (const std::vector<SiteId>& stack : stacks.stacks()) {
    append(out, static_cast<std::uint32_t>(stack.size()));
    for (SiteId site : stack) append(out, site);
  }
  for (std::uint32_t stack : stacks.stack_of_event()) append(out, stack);
  for (const auto& [key, places] : stacks.locals())
    for (const facts::LocalPlace& place : places) append(out, Local{key, place.site, place.offset});
  return out;
}

bool take_stacks(std::string_view& data, const Header& header, facts::EventStacks& stacks) {
  std::vector<std::vector<SiteId>> all;
  for (std::uint64_t i = 0; i < header.stacks; ++i) {
    std::uint32_t length;
    if (!take(data, length) || length > data.size() / sizeof(SiteId)) return false;
    std::vector<SiteId>& stack = all.emplace_back(length);
    for (SiteId& site : stack) take(data, site);
  }
  for (std::uint64_t i = 0; header.stacks > 0 && i < header.events; ++i) {
    std::uint32_t stack;
    if (!take(data, stack) || stack >= all.size()) return false;
    stacks.add(all[stack]);
  }
  for (std::uint32_t i = 0; i < header.locals; ++i) {
    Local local;
    if (!take(data, local)) return false;
    stacks.add_local(wire::Location::of_key(local.place), {local.site, local.offset});
  }
  return true;
}

bool take_events(std::string_view& data, const Header& header, std::vector<wire::Event>& events) {
  if (header.events > data.size() / sizeof(wire::Event)) return false;
  events.resize(header.events);
  std::size_t bytes = events.size() * sizeof(wire::Event);
  if (bytes != 0) std::memcpy(events.data(), data.data(), bytes);
  data.remove_prefix(bytes);
  for (const wire::Event& event : events)
    if (event.kind >= wire::OpKind::count) return false;
  return facts::event_hash(events) == header.hash;
}

}  // namespace

std::string encode_events(const EventFile& file) {
  std::string stacks = encode_stacks(file.stacks);
  Header header{};
  std::memcpy(header.magic, kEventMagic, sizeof kEventMagic);
  header.format = kEventFormat;
  header.events_version = kEventVersion;
  header.modules = static_cast<std::uint32_t>(file.modules.modules().size());
  header.events = file.events.size();
  header.hash = facts::event_hash(file.events);
  header.stacks = file.stacks.stacks().size();
  header.stack_hash = hash_bytes(stacks);
  for (const auto& [key, places] : file.stacks.locals())
    header.locals += static_cast<std::uint32_t>(places.size());
  std::string out;
  append(out, header);
  for (const facts::Module& module : file.modules.modules()) {
    append(out, ModuleHeader{module.base, module.site_base, module.size,
                             static_cast<std::uint32_t>(module.path.size()), 0});
    out += module.path;
  }
  out.append(reinterpret_cast<const char*>(file.events.data()),
             file.events.size() * sizeof(wire::Event));
  return out + stacks;
}

Result<EventFile> decode_events(std::string_view data, const std::string& name) {
  Header header;
  if (!take(data, header) || std::memcmp(header.magic, kEventMagic, sizeof kEventMagic) != 0)
    return Error{name + ": not an event file"};
  if (header.format != kEventFormat || header.events_version != kEventVersion)
    return Error{name +
                 ": written by another version of raddle; replay the finding to get a new one"};
  std::vector<facts::Module> modules;
  Error damaged{name + ": damaged or truncated"};
  EventFile file;
  if (!take_modules(data, header.modules, modules)) return damaged;
  if (!take_events(data, header, file.events)) return damaged;
  if (hash_bytes(data) != header.stack_hash) return damaged;
  if (!take_stacks(data, header, file.stacks) || !data.empty()) return damaged;
  file.modules = facts::ModuleTable(std::move(modules));
  return file;
}

}  // namespace raddle::report
