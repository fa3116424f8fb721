// SPDX-License-Identifier: Apache-2.0
//
// stdio streams. Target side. Two things inside libc could stop the only kernel thread for ever,
// and no interposed function comes before them; so libc is redirected at these places.
//
// - A stream that reads or writes a pipe or socket. All ordinary streams do so through two entries
//   of a table, _IO_file_jumps or, for wide characters, _IO_wfile_jumps; they become ours, if they
//   are what glibc exports as _IO_file_read and _IO_file_write.
// - A lock of a stream that is held by a thread which was switched away from (inside the read or
//   write above, or in a callback of fopencookie). glibc's locks take and release themselves by
//   one instruction and call __lll_lock_wait_private or __lll_lock_wake_private only when somebody
//   else holds them or waits; the first bytes of these two become jumps to ours, which wait and
//   wake in the model. So every lock inside libc that is held across a switch works.
//
// flockfile is a lock of the program's and therefore a point, on a model of its own in front of the
// stream's lock.
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/fatal.h"
#include "runtime/io_step.h"
#include "runtime/libc_hooks.h"
#include "runtime/real.h"
#include "runtime/resident.h"

using namespace raddle::runtime;
using raddle::model::MutexType;
using raddle::model::ObjectKind;

namespace raddle::runtime {
namespace {

// Entries of glibc's _IO_jump_t, unchanged since 1997.
constexpr unsigned kReadEntry = 14;
constexpr unsigned kWriteEntry = 15;
// A stream's flag "an error has occurred" (_IO_ERR_SEEN).
constexpr int kErrorSeen = 0x20;
// A stream's second flag "is no cancellation point" (_IO_FLAGS2_NOTCANCEL, mode "c").
constexpr int kNotCancelled = 0x2;

using StreamRead = ssize_t(FILE*, void*, ssize_t);
using StreamWrite = ssize_t(FILE*, const void*, ssize_t);
StreamRead* libc_read;
StreamWrite* libc_write;

// Cancellation as the stream has it.
class StreamCancellation {
 public:
  explicit StreamCancellation(const FILE* stream) : before_(g.current->cancel_disabled) {
    if ((stream->_flags2 & kNotCancelled) != 0) g.current->cancel_disabled = true;
  }
  ~StreamCancellation() { g.current->cancel_disabled = before_; }
  StreamCancellation(const StreamCancellation&) = delete;
  StreamCancellation& operator=(const StreamCancellation&) = delete;

 private:
  bool before_;
};

ssize_t stream_read(FILE* stream, void* buffer, ssize_t size) {
  if (!running()) return libc_read(stream, buffer, size);
  StreamCancellation cancellation(stream);
  return read_from(stream->_fileno, buffer, static_cast<size_t>(size), RADDLE_PROGRAM_CALLER);
}

ssize_t stream_write(FILE* stream, const void* data, ssize_t size) {
  if (!running()) return libc_write(stream, data, size);
  std::uintptr_t pc = RADDLE_PROGRAM_CALLER;
  StreamCancellation cancellation(stream);
  act_on_cancel(pc);
  if (goes_straight(channel_of(stream->_fileno, true), pc)) return libc_write(stream, data, size);
  ssize_t done = 0;
  while (done < size) {
    ssize_t written = write_to(stream->_fileno, static_cast<const char*>(data) + done,
                               static_cast<size_t>(size - done), pc);
    if (written < 0) {
      stream->_flags |= kErrorSeen;
      break;
    }
    done += written;
  }
  if (stream->_offset >= 0) stream->_offset += done;
  return done;
}

long raw_futex(int* word, int operation, int value) {
  return RADDLE_REAL(syscall)(SYS_futex, word, operation, value, nullptr);
}

SyncObject& lock_object(int* word) {
  return object_at(reinterpret_cast<std::uintptr_t>(word), ObjectKind::futex);
}

// 0: free, 1: taken, 2: taken and somebody may wait. Returns with the lock taken.
void wait_for_lock(int* word) {
  while (__atomic_exchange_n(word, 2, __ATOMIC_ACQUIRE) != 0) {
    if (!running()) {
      raw_futex(word, FUTEX_WAIT_PRIVATE, 2);
      continue;
    }
    SyncObject& lock = lock_object(word);
    PendingOp& op = sync_op(OpKind::futex_resume, lock, RADDLE_PROGRAM_CALLER);
    g.current->ticket = FUTEX_BITSET_MATCH_ANY;
    pass_point({.notification = true, .queue = &lock});
    emit_sync(op);
  }
  if (races_wanted() && running()) order_acquire(reinterpret_cast<std::uintptr_t>(word));
}

void wake_for_lock(int* word) {
  if (!running()) {
    raw_futex(word, FUTEX_WAKE_PRIVATE, 1);
    return;
  }
  if (races_wanted()) order_release(reinterpret_cast<std::uintptr_t>(word));
  if (SyncObject* lock = find_object(reinterpret_cast<std::uintptr_t>(word), ObjectKind::futex))
    if (lock->first_waiter != kNoThread) notify(g.fibers[lock->first_waiter]);
}

bool make_writable(void* begin, std::size_t size, int protection) {
  auto low = reinterpret_cast<std::uintptr_t>(begin) & ~std::uintptr_t{0xfff};
  auto high = reinterpret_cast<std::uintptr_t>(begin) + size;
  return RADDLE_REAL(mprotect)(reinterpret_cast<void*>(low), high - low, protection) == 0;
}

void hook_streams(const char* table_name) {
  auto** table = static_cast<void**>(dlsym(RTLD_DEFAULT, table_name));
  void* read_entry = dlsym(RTLD_DEFAULT, "_IO_file_read");
  void* write_entry = dlsym(RTLD_DEFAULT, "_IO_file_write");
  bool known = table != nullptr && read_entry != nullptr && write_entry != nullptr &&
               table[kReadEntry] == read_entry && table[kWriteEntry] == write_entry;
  if (!known || !make_writable(table, 21 * sizeof *table, PROT_READ | PROT_WRITE)) return;
  libc_read = reinterpret_cast<StreamRead*>(read_entry);
  libc_write = reinterpret_cast<StreamWrite*>(write_entry);
  table[kReadEntry] = reinterpret_cast<void*>(stream_read);
  table[kWriteEntry] = reinterpret_cast<void*>(stream_write);
  // The table stays writable: its page also holds what others may have made writable.
}

// Overwrites the beginning of a function of libc by a jump.
void redirect(const char* name, void (*target)(int*)) {
  void* function = dlsym(RTLD_DEFAULT, name);
  if (function == nullptr) return;
  struct __attribute__((packed)) Jump {
    unsigned char code[6];  // jmp *0(%rip)
    void (*target)(int*);
  } jump{{0xff, 0x25, 0, 0, 0, 0}, target};
  Dl_info info;
  const ElfW(Sym)* symbol = nullptr;
  bool fits = dladdr1(function, &info, reinterpret_cast<void**>(const_cast<ElfW(Sym)**>(&symbol)),
                      RTLD_DL_SYMENT) != 0 &&
              symbol != nullptr && symbol->st_size >= sizeof jump;
  if (!fits || !make_writable(function, sizeof jump, PROT_READ | PROT_WRITE | PROT_EXEC)) return;
  memcpy(function, &jump, sizeof jump);
  make_writable(function, sizeof jump, PROT_READ | PROT_EXEC);
}

// A stream made by fopencookie. Its functions run while the stream is locked, by a lock that is
// invisible to us when nobody waits for it: the order that it makes is stated here.
struct Cookie {
  void* cookie;
  cookie_io_functions_t functions;
};

template <class Call>
auto in_stream(const Cookie& cookie, Call call) -> decltype(call()) {
  auto place = reinterpret_cast<std::uintptr_t>(&cookie);
  if (races_wanted() && running()) order_acquire(place);
  auto result = call();
  if (races_wanted() && running()) order_release(place);
  return result;
}

ssize_t cookie_read(void* self, char* buffer, size_t size) {
  const auto& own = *static_cast<Cookie*>(self);
  return in_stream(own, [&] { return own.functions.read(own.cookie, buffer, size); });
}

ssize_t cookie_write(void* self, const char* data, size_t size) {
  const auto& own = *static_cast<Cookie*>(self);
  return in_stream(own, [&] { return own.functions.write(own.cookie, data, size); });
}

int cookie_seek(void* self, off64_t* position, int whence) {
  const auto& own = *static_cast<Cookie*>(self);
  return in_stream(own, [&] { return own.functions.seek(own.cookie, position, whence); });
}

int cookie_close(void* self) {
  auto* own = static_cast<Cookie*>(self);
  int result = 0;
  if (own->functions.close != nullptr)
    result = in_stream(*own, [&] { return own->functions.close(own->cookie); });
  free(own);
  return result;
}

SyncObject& stream_object(FILE* stream) {
  SyncObject& object = object_at(reinterpret_cast<std::uintptr_t>(stream), ObjectKind::mutex);
  object.mutex.type = MutexType::recursive;
  return object;
}

}  // namespace

void hook_libc() {
  hook_streams("_IO_file_jumps");
  hook_streams("_IO_wfile_jumps");
  // Both or none: a wake-up that only one side knows of is lost.
  if (dlsym(RTLD_DEFAULT, "__lll_lock_wake_private") == nullptr) return;
  redirect("__lll_lock_wait_private", wait_for_lock);
  redirect("__lll_lock_wake_private", wake_for_lock);
}

void end_idle_run() {
  g.mode = Mode::armed;  // nothing that follows is part of the run
  // What was printed counts. A thread that waits inside a stream's lock keeps what it has.
  for (FILE* stream : {stdout, stderr})
    if (RADDLE_REAL(ftrylockfile)(stream) == 0) fflush_unlocked(stream);
  end_run({.kind = wire::VerdictKind::idle});
}

}  // namespace raddle::runtime

RADDLE_EXPORT FILE* fopencookie(void* cookie, const char* mode,
                                cookie_io_functions_t functions) noexcept {
  auto* own = running() ? static_cast<Cookie*>(malloc(sizeof(Cookie))) : nullptr;
  if (own == nullptr) return RADDLE_REAL(fopencookie)(cookie, mode, functions);
  *own = {cookie, functions};
  FILE* stream = RADDLE_REAL(fopencookie)(own, mode,
                                          {.read = functions.read ? cookie_read : nullptr,
                                           .write = functions.write ? cookie_write : nullptr,
                                           .seek = functions.seek ? cookie_seek : nullptr,
                                           .close = cookie_close});
  if (stream == nullptr) free(own);
  return stream;
}

// Whoever reads from the other end is told of it.
RADDLE_EXPORT int fclose(FILE* stream) {
  note_change(kInheritedFiles);
  int file = running() ? stream->_fileno : -1;
  if (file < 0 || find_descriptor(file) == nullptr) return RADDLE_REAL(fclose)(stream);
  if (__fwriting(stream) != 0) fflush(stream);  // in steps of its own
  return close_step(file, false, RADDLE_PROGRAM_CALLER,
                    [=] { return RADDLE_REAL(fclose)(stream); });
}

RADDLE_EXPORT void flockfile(FILE* stream) noexcept {
  if (running()) lock_mutex(stream_object(stream), OpKind::mutex_lock, 0, RADDLE_PROGRAM_CALLER);
  RADDLE_REAL(flockfile)(stream);
}

RADDLE_EXPORT int ftrylockfile(FILE* stream) noexcept {
  if (!running()) return RADDLE_REAL(ftrylockfile)(stream);
  if (try_lock_mutex(stream_object(stream), RADDLE_PROGRAM_CALLER) != 0) return -1;
  int result = RADDLE_REAL(ftrylockfile)(stream);
  if (result != 0) unlock_mutex(stream_object(stream), RADDLE_PROGRAM_CALLER);
  return result;
}

RADDLE_EXPORT void funlockfile(FILE* stream) noexcept {
  RADDLE_REAL(funlockfile)(stream);
  if (running()) unlock_mutex(stream_object(stream), RADDLE_PROGRAM_CALLER);
}
