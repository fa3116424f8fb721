// SPDX-License-Identifier: Apache-2.0
//
// Encoding and checking of events.bin. Engine side. Every length is checked against what is left,
// and the events against their hash: a damaged file is an error, never a wrong picture.
#include "report/event_file.h"

#include <cstring>

#include "facts/event_hash.h"
#include "wire/shared_block.h"

namespace raddle::report {
namespace {

struct Header {
  char magic[8];
  std::uint32_t format;
  std::uint32_t protocol;
  std::uint32_t modules;
  std::uint32_t reserved;
  std::uint64_t events;
  std::uint64_t hash;
};
struct ModuleHeader {
  std::uint64_t base;
  std::uint32_t site_base;
  std::uint32_t size;
  std::uint32_t path_length;
  std::uint32_t reserved;
};

constexpr char kEventMagic[8] = {'R', 'A', 'D', 'D', 'L', 'E', 'E', 'V'};
constexpr std::uint32_t kEventFormat = 1;

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

}  // namespace

std::string encode_events(std::span<const wire::Event> events, const facts::ModuleTable& modules) {
  Header header{};
  std::memcpy(header.magic, kEventMagic, sizeof kEventMagic);
  header.format = kEventFormat;
  header.protocol = wire::kProtocolVersion;
  header.modules = static_cast<std::uint32_t>(modules.modules().size());
  header.events = events.size();
  header.hash = facts::event_hash(events);
  std::string out;
  append(out, header);
  for (const facts::Module& module : modules.modules()) {
    append(out, ModuleHeader{module.base, module.site_base, module.size,
                             static_cast<std::uint32_t>(module.path.size()), 0});
    out += module.path;
  }
  out.append(reinterpret_cast<const char*>(events.data()), events.size_bytes());
  return out;
}

Result<EventFile> decode_events(std::string_view data, const std::string& name) {
  Header header;
  if (!take(data, header) || std::memcmp(header.magic, kEventMagic, sizeof kEventMagic) != 0)
    return Error{name + ": not an event file"};
  if (header.format != kEventFormat || header.protocol != wire::kProtocolVersion)
    return Error{name +
                 ": written by another version of raddle; replay the finding to get a new one"};
  std::vector<facts::Module> modules;
  Error damaged{name + ": damaged or truncated"};
  if (!take_modules(data, header.modules, modules)) return damaged;
  if (data.size() % sizeof(wire::Event) != 0 || data.size() / sizeof(wire::Event) != header.events)
    return damaged;
  EventFile file;
  file.modules = facts::ModuleTable(std::move(modules));
  file.events.resize(header.events);
  if (!data.empty()) std::memcpy(file.events.data(), data.data(), data.size());
  for (const wire::Event& event : file.events)
    if (event.kind >= wire::OpKind::count) return damaged;
  if (facts::event_hash(file.events) != header.hash) return damaged;
  return file;
}

}  // namespace raddle::report
