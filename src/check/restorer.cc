// SPDX-License-Identifier: Apache-2.0
//
// See restorer.h. Engine side, in the program's process.
#include "check/restorer.h"

#include <dlfcn.h>
#include <fmt/core.h>
#include <string.h>

#include <algorithm>

namespace raddle::check {
namespace {

constexpr std::size_t kWord = sizeof(std::uint64_t);
constexpr std::size_t kPage = 4096;
// To compare so much takes about a twentieth of a very short run. Where there is more, only pages
// are looked at that were written to, which asks for a system call after every run.
constexpr std::size_t kSmallBytes = std::size_t{8} << 10;
// Copies and masks of more would take longer to make than many a test.
constexpr std::size_t kBytesMax = std::size_t{64} << 20;
// Between two variables so far apart a piece ends.
constexpr std::size_t kGapBytes = 64;

// A stretch of words that are put back, or looked at.
struct Stretch {
  std::uintptr_t begin, end;
};

Stretch words_of(const GlobalsSnapshot::Copied& copied) {
  auto begin = reinterpret_cast<std::uintptr_t>(copied.address);
  return {begin & ~(kWord - 1), (begin + copied.size + kWord - 1) & ~(kWord - 1)};
}

// By address, in none of them more than a page, near ones made one. They may overlap.
std::vector<Stretch> in_pages(std::vector<Stretch> stretches) {
  std::ranges::sort(stretches, {}, &Stretch::begin);
  std::vector<Stretch> result;
  for (Stretch rest : stretches) {
    if (!result.empty() && rest.begin < result.back().end) rest.begin = result.back().end;
    while (rest.begin < rest.end) {
      std::uintptr_t page_end = (rest.begin / kPage + 1) * kPage;
      Stretch part{rest.begin, std::min(rest.end, page_end)};
      bool near = !result.empty() && part.begin - result.back().end < kGapBytes &&
                  result.back().begin / kPage == part.begin / kPage;
      if (near)
        result.back().end = part.end;
      else
        result.push_back(part);
      rest.begin = part.end;
    }
  }
  return result;
}

std::size_t bytes_of(const std::vector<Stretch>& stretches) {
  std::size_t bytes = 0;
  for (const Stretch& each : stretches) bytes += each.end - each.begin;
  return bytes;
}

}  // namespace

Restorer::Restorer(std::span<const wire::Module> modules) {
  auto taken = GlobalsSnapshot::take(modules);
  if (!taken) {
    refusal_ = taken.error().message;
    return;
  }
  before_.emplace(std::move(*taken));
  std::size_t bytes = 0;
  for (const auto& copied : before_->memory()) bytes += copied.size;
  if (bytes > kBytesMax || !before_->too_large().empty()) {
    refusal_ = fmt::format("they take more than {} MiB", kBytesMax >> 20);
    before_.reset();
    return;
  }
  keep_libraries();
  watch_memory();
}

Restorer::~Restorer() {
  raddle_in_process_restore(nullptr);
  for (void* library : libraries_) dlclose(library);
}

// What is put back has to be there.
void Restorer::keep_libraries() {
  for (const std::string& path : before_->libraries())
    if (void* library = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD))
      libraries_.push_back(library);
}

// All of the program's memory, as it is now.
void Restorer::watch_memory() {
  std::vector<Stretch> stretches;
  for (const auto& copied : before_->memory()) stretches.push_back(words_of(copied));
  stretches = in_pages(std::move(stretches));
  std::size_t bytes = bytes_of(stretches);
  then_.resize(bytes / kWord);
  auto* then = reinterpret_cast<unsigned char*>(then_.data());
  for (const Stretch& each : stretches) {
    auto* memory = reinterpret_cast<unsigned char*>(each.begin);
    auto size = static_cast<std::uint32_t>(each.end - each.begin);
    memcpy(then, memory, size);
    all_.push_back({memory, then, nullptr, size, 0});
    then += size;
  }
  restore_.context = this;
  restore_.learn = [](wire::Restore& restore) { static_cast<Restorer*>(restore.context)->learn(); };
  describe(all_, bytes);
  raddle_in_process_restore(&restore_);
}

// The runtime looks at these from now on.
void Restorer::describe(std::vector<wire::RestoredPiece>& pieces, std::size_t bytes) {
  watched_.resize(pieces.size());
  restore_.pieces = pieces.data();
  restore_.piece_count = static_cast<std::uint32_t>(pieces.size());
  restore_.watched = watched_.data();
  restore_.small = bytes <= kSmallBytes;
}

// Which bytes of the memory are variables.
void Restorer::learn() {
  GlobalsSnapshot::Variables found = before_->variables();
  for (const auto& variable : found.variables) {
    auto begin = reinterpret_cast<std::uintptr_t>(variable.address);
    if (refers_outside(variable)) anchored_.push_back({begin, begin + variable.size});
  }
  std::vector<GlobalsSnapshot::Copied> all = std::move(found.variables);
  all.insert(all.end(), found.guards.begin(), found.guards.end());
  std::vector<Stretch> stretches;
  for (const auto& each : all) stretches.push_back(words_of(each));
  stretches = in_pages(std::move(stretches));
  std::size_t bytes = bytes_of(stretches);
  masks_.assign(bytes / kWord, 0);
  auto* mask = reinterpret_cast<unsigned char*>(masks_.data());
  for (const Stretch& each : stretches) {
    auto* memory = reinterpret_cast<unsigned char*>(each.begin);
    auto size = static_cast<std::uint32_t>(each.end - each.begin);
    auto whole =
        std::prev(std::ranges::upper_bound(all_, memory, {}, &wire::RestoredPiece::address));
    pieces_.push_back({memory, whole->then + (memory - whole->address), mask, size, 0});
    mask += size;
  }
  for (const auto& each : all) mark(each);
  restore_.anchored = anchored_.data();
  restore_.anchored_count = static_cast<std::uint32_t>(anchored_.size());
  restore_.known = true;
  describe(pieces_, bytes);
}

// It may lie in several pages, and so in several pieces.
void Restorer::mark(const GlobalsSnapshot::Copied& bytes) {
  const unsigned char* end = bytes.address + bytes.size;
  auto piece = std::prev(
      std::ranges::upper_bound(pieces_, bytes.address, {}, &wire::RestoredPiece::address));
  for (; piece != pieces_.end() && piece->address < end; ++piece) {
    const unsigned char* from = std::max(bytes.address, piece->address);
    const unsigned char* to = std::min<const unsigned char*>(end, piece->address + piece->size);
    memset(const_cast<unsigned char*>(piece->mask) + (from - piece->address), 0xff,
           static_cast<std::size_t>(to - from));
  }
}

// By what it was before the first run.
bool Restorer::refers_outside(const GlobalsSnapshot::Copied& variable) const {
  std::size_t at = -reinterpret_cast<std::uintptr_t>(variable.address) & (kWord - 1);
  for (; at + kWord <= variable.size; at += kWord) {
    std::uintptr_t word;
    memcpy(&word, variable.then + at, kWord);
    if (outside_.holds(word)) return true;
  }
  return false;
}

std::string Restorer::note() const {
  constexpr const char* kWhat = "global variables are not put back after each run";
  if (!refusal_.empty()) return fmt::format("{}: {}", kWhat, refusal_);
  switch (restore_.end) {
    case wire::RestoreEnd::none:
      break;
    case wire::RestoreEnd::anchored: {
      std::string name = before_->name(reinterpret_cast<const void*>(restore_.end_address));
      return fmt::format("{}: {}, which changes, refers to memory from before the test", kWhat,
                         name);
    }
    case wire::RestoreEnd::memory:
      return "global variables are not put back any more: runs leave too much memory allocated";
  }
  return "";
}

}  // namespace raddle::check
