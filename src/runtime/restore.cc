// SPDX-License-Identifier: Apache-2.0
//
// Putting variables back. Target side. See restore.h.
//
// Nearly all runs leave nothing behind, so what counts is how soon that is seen. A test program has
// a few hundred bytes of variables, which are compared after every run. Where they are too many for
// that, only pages are looked at that somebody has written to: all pages are shared with the server
// that repeats runs, which is a fork of this process, so the first write to a page is a page fault.
// If the thread had none since the last look, only known pages can have changed (as in snapshot.h).
// To ask for the number of page faults takes longer than to compare a page or two; so after many
// runs it pays to learn which of the memory are variables: often few.
#include "runtime/restore.h"

#include <string.h>

#include "runtime/heap.h"
#include "runtime/own_pages.h"
#include "runtime/page_scan.h"
#include "runtime/raw_call.h"
#include "runtime/real.h"
#include "runtime/runtime.h"
#include "wire/restore.h"

namespace raddle::runtime {
namespace {

using wire::Restore;
using wire::RestoredPiece;
using wire::RestoreEnd;

// Memory that runs have left allocated in all. Nothing may refer to it once the variables have been
// put back, but that is not known: locals of the test may.
constexpr std::size_t kLeftMax = 64 << 20;

// So often the kernel is asked before variables are learned.
constexpr std::uint32_t kAskedMax = 10'000;

using Word = std::uint64_t __attribute__((may_alias));

Restore* restoring;  // null: nothing is put back
std::uint32_t watched_count;
std::uint64_t faults_seen;
std::uint32_t asked;

// Exit handlers of the run. More than these are registered at once.
constexpr std::uint32_t kHandlersMax = 256;
struct ExitHandler {
  void (*handler)(void*);
  void* object;
  void* library;
} handlers[kHandlersMax];
std::uint32_t handler_count;

void watch(std::uint32_t index) {
  RestoredPiece& piece = restoring->pieces[index];
  if (piece.watched != 0) return;
  piece.watched = 1;
  restoring->watched[watched_count++] = index;
}

void watch_all() {
  for (std::uint32_t i = 0; i < restoring->piece_count; ++i) watch(i);
}

// Watches the pieces in pages that are exclusively ours.
void watch_written() {
  constexpr std::uintptr_t kPage = 4096;
  OwnPages pages;
  for (std::uint32_t i = 0; i < restoring->piece_count; ++i) {
    auto page = reinterpret_cast<std::uintptr_t>(restoring->pieces[i].address) / kPage;
    if (pages.is_own(page)) watch(i);
  }
}

void learn_variables() {
  restoring->learn(*restoring);
  watched_count = 0;
  if (restoring->small)
    watch_all();
  else
    watch_written();
}

void find_watched() {
  if (restoring->small) return;
  if (!restoring->known && ++asked == kAskedMax) return learn_variables();
  std::uint64_t faults = page_faults();
  if (faults == faults_seen) return;
  faults_seen = faults;
  watch_written();
}

// The piece that holds the byte, or null.
const RestoredPiece* find_piece(const unsigned char* byte) {
  std::uint32_t low = 0, high = restoring->piece_count;
  while (low < high) {
    std::uint32_t middle = low + (high - low) / 2;
    const RestoredPiece& piece = restoring->pieces[middle];
    if (piece.address + piece.size <= byte)
      low = middle + 1;
    else
      high = middle;
  }
  bool found = low < restoring->piece_count && restoring->pieces[low].address <= byte;
  return found ? &restoring->pieces[low] : nullptr;
}

bool differs(const RestoredPiece& piece) {
  if (piece.mask == nullptr) return memcmp(piece.address, piece.then, piece.size) != 0;
  const auto* now = reinterpret_cast<const Word*>(piece.address);
  const auto* then = reinterpret_cast<const Word*>(piece.then);
  const auto* mask = reinterpret_cast<const Word*>(piece.mask);
  Word difference = 0;
  for (std::uint32_t i = 0; i < piece.size / sizeof(Word); ++i)
    difference |= (now[i] ^ then[i]) & mask[i];
  return difference != 0;
}

bool any_differs() {
  for (std::uint32_t i = 0; i < watched_count; ++i)
    if (differs(restoring->pieces[restoring->watched[i]])) return true;
  return false;
}

// Calls visit(word, mask, then) for every word that is not what it was; until it returns false.
template <class Visit>
bool for_each_change(Visit visit) {
  for (std::uint32_t i = 0; i < watched_count; ++i) {
    const RestoredPiece& piece = restoring->pieces[restoring->watched[i]];
    if (!differs(piece)) continue;
    auto* now = reinterpret_cast<Word*>(piece.address);
    const auto* then = reinterpret_cast<const Word*>(piece.then);
    const auto* mask = reinterpret_cast<const Word*>(piece.mask);
    for (std::uint32_t word = 0; word < piece.size / sizeof(Word); ++word)
      if (((now[word] ^ then[word]) & mask[word]) != 0 &&
          !visit(now + word, mask[word], then[word]))
        return false;
  }
  return true;
}

// Whether a variable that refers to memory elsewhere has a byte in the eight at the address.
bool is_anchored(std::uintptr_t address) {
  std::uint32_t low = 0, high = restoring->anchored_count;
  while (low < high) {
    std::uint32_t middle = low + (high - low) / 2;
    if (restoring->anchored[middle].end <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low < restoring->anchored_count && restoring->anchored[low].begin < address + sizeof(Word);
}

void stop_restoring(RestoreEnd end, std::uintptr_t address) {
  restoring->end = end;
  restoring->end_address = address;
  restoring = nullptr;
}

// Puts back what has changed, or stops doing so.
void put_back() {
  std::uintptr_t anchored = 0;
  if (restoring->anchored_count > 0)
    for_each_change([&](Word* word, Word, Word) {
      auto address = reinterpret_cast<std::uintptr_t>(word);
      if (is_anchored(address)) anchored = address;
      return anchored == 0;
    });
  if (anchored != 0) return stop_restoring(RestoreEnd::anchored, anchored);
  if (heap_bytes_left() > kLeftMax) return stop_restoring(RestoreEnd::memory, 0);
  for_each_change([](Word* word, Word mask, Word then) {
    *word = (*word & ~mask) | (then & mask);
    return true;
  });
}

using AtExit = int(void (*)(void*), void*, void*);
AtExit* real_at_exit() {
  static AtExit* real;
  return real_function(&real, "__cxa_atexit");
}

// Objects that were put back have not been made.
void register_handlers() {
  for (std::uint32_t i = 0; i < handler_count; ++i) {
    const ExitHandler& each = handlers[i];
    if (!is_restored(each.object)) real_at_exit()(each.handler, each.object, each.library);
  }
  handler_count = 0;
}

}  // namespace

void restore_globals() {
  if (restoring == nullptr) return;
  find_watched();
  if (any_differs()) {
    if (!restoring->known) learn_variables();
    put_back();
  }
  if (handler_count > 0) register_handlers();
}

bool is_restored(const void* address) {
  const auto* byte = static_cast<const unsigned char*>(address);
  const RestoredPiece* piece = restoring == nullptr ? nullptr : find_piece(byte);
  return piece != nullptr && piece->mask != nullptr && piece->mask[byte - piece->address] != 0;
}

bool hold_exit_handler(void (*handler)(void*), void* object, void* library) {
  if (restoring == nullptr || !running() || handler_count == kHandlersMax) return false;
  const auto* byte = static_cast<const unsigned char*>(object);
  const RestoredPiece* piece = find_piece(byte);
  if (piece == nullptr) return false;
  if (piece->mask != nullptr && piece->mask[byte - piece->address] == 0) return false;
  handlers[handler_count++] = {handler, object, library};
  return true;
}

}  // namespace raddle::runtime

using namespace raddle::runtime;

RADDLE_EXPORT void raddle_in_process_restore(raddle::wire::Restore* restore) {
  restoring = restore;
  watched_count = handler_count = 0;
  faults_seen = 0;
  asked = 0;
  if (restore != nullptr && restore->small) watch_all();
}

// Of a static object of the program, usually.
RADDLE_EXPORT int __cxa_atexit(void (*handler)(void*), void* object, void* library) {
  if (object != nullptr && hold_exit_handler(handler, object, library)) return 0;
  return real_at_exit()(handler, object, library);
}
