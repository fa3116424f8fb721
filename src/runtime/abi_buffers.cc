// SPDX-License-Identifier: Apache-2.0
//
// Buffers of input and output functions: what instrumented code calls instead of them. Target side.
// The functions themselves are libc's, or the steps of abi_io.cc.
//
// What is written out is read before the call. What is read in is known only after it, and so is
// the order that the input makes between threads; so it counts as written then. A buffer that is
// too small for what might come is not touched beyond its end: what comes too much goes elsewhere,
// and is then reported.
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/io_step.h"
#include "runtime/ranges.h"

using namespace raddle::runtime;

extern "C" {
ssize_t __read_chk(int, void*, size_t, size_t);
ssize_t __pread_chk(int, void*, size_t, off_t, size_t);
ssize_t __pread64_chk(int, void*, size_t, off64_t, size_t);
ssize_t __recv_chk(int, void*, size_t, size_t, int);
ssize_t __recvfrom_chk(int, void*, size_t, size_t, int, sockaddr*, socklen_t*);
char* __fgets_chk(char*, size_t, int, FILE*);
size_t __fread_chk(void*, size_t, size_t, size_t, FILE*);
ssize_t __getdelim(char**, size_t*, int, FILE*);
}

namespace {

void note_output(const void* data, size_t size, std::uintptr_t pc) {
  if (watched(pc)) reads(data, size, pc);
}

ssize_t note_input(const void* buffer, ssize_t size, std::uintptr_t pc) {
  if (size > 0) has_written(buffer, static_cast<size_t>(size), pc);
  return size;
}

bool is_tight(const void* buffer, size_t size) {
  return tracking() && room_at(buffer, size) < size;
}

// The buffer as far as it reaches, and scratch space in place of the rest. More than the scratch
// space is not asked for: one byte too many is enough.
class TightBuffer {
 public:
  TightBuffer(void* buffer, size_t size) {
    size_t room = room_at(buffer, size);
    pieces_[0] = {buffer, room};
    size_t rest = size - room;
    pieces_[1] = {scratch_, rest < sizeof scratch_ ? rest : sizeof scratch_};
  }
  iovec* pieces() { return pieces_; }

 private:
  char scratch_[512];
  iovec pieces_[2];
};

__attribute__((noinline)) ssize_t read_tight(int file, void* buffer, size_t size,
                                             std::uintptr_t pc) {
  TightBuffer tight(buffer, size);
  return read_pieces_from(file, tight.pieces(), 2, pc);
}

__attribute__((noinline)) ssize_t pread_tight(int file, void* buffer, size_t size, off_t from) {
  TightBuffer tight(buffer, size);
  return preadv(file, tight.pieces(), 2, from);
}

__attribute__((noinline)) ssize_t receive_tight(int file, void* buffer, size_t size, int flags,
                                                sockaddr* from, socklen_t* length,
                                                std::uintptr_t pc) {
  TightBuffer tight(buffer, size);
  msghdr message{};
  message.msg_name = from;
  message.msg_namelen = from != nullptr && length != nullptr ? *length : 0;
  message.msg_iov = tight.pieces();
  message.msg_iovlen = 2;
  ssize_t result = receive_message(file, &message, flags, pc);
  if (result >= 0 && from != nullptr && length != nullptr) *length = message.msg_namelen;
  return result;
}

void note_pieces_out(const iovec* pieces, size_t count, std::uintptr_t pc) {
  if (!watched(pc)) return;
  reads(pieces, count * sizeof *pieces, pc);
  for (size_t i = 0; i < count; ++i) reads(pieces[i].iov_base, pieces[i].iov_len, pc);
}

ssize_t note_pieces_in(const iovec* pieces, size_t count, ssize_t size, std::uintptr_t pc) {
  for (size_t i = 0, rest = size > 0 ? static_cast<size_t>(size) : 0; i < count && rest > 0; ++i) {
    size_t part = rest < pieces[i].iov_len ? rest : pieces[i].iov_len;
    has_written(pieces[i].iov_base, part, pc);
    rest -= part;
  }
  return size;
}

ssize_t read_watched(int file, void* buffer, size_t size, std::uintptr_t pc) {
  ssize_t result = is_tight(buffer, size) ? read_tight(file, buffer, size, pc)
                                          : read_from(file, buffer, size, pc);
  return note_input(buffer, result, pc);
}

ssize_t pread_watched(int file, void* buffer, size_t size, off_t from, std::uintptr_t pc) {
  ssize_t result = is_tight(buffer, size) ? pread_tight(file, buffer, size, from)
                                          : pread(file, buffer, size, from);
  return note_input(buffer, result, pc);
}

ssize_t receive_watched(int file, void* buffer, size_t size, int flags, sockaddr* from,
                        socklen_t* length, std::uintptr_t pc) {
  ssize_t result = is_tight(buffer, size)
                       ? receive_tight(file, buffer, size, flags, from, length, pc)
                       : receive_from(file, buffer, size, flags, from, length, pc);
  // With MSG_TRUNC the result is the message's length, which need not have fitted.
  ssize_t stored =
      result > 0 && static_cast<size_t>(result) > size ? static_cast<ssize_t>(size) : result;
  note_input(buffer, stored, pc);
  if (result >= 0 && from != nullptr && length != nullptr) has_written(length, sizeof *length, pc);
  return result;
}

// One byte at a time where the buffer is too small, as the stream's own buffer allows.
size_t fread_tight(char* buffer, size_t size, FILE* stream, std::uintptr_t pc) {
  size_t room = room_at(buffer, size);
  size_t done = fread(buffer, 1, room, stream);
  if (done == room && fgetc(stream) != EOF) writes(buffer, room + 1, pc);
  return done;
}

size_t fread_watched(void* buffer, size_t size, size_t count, FILE* stream, std::uintptr_t pc) {
  size_t total;
  if (__builtin_mul_overflow(size, count, &total) || total == 0 || !is_tight(buffer, total)) {
    size_t result = fread(buffer, size, count, stream);
    has_written(buffer, result * size, pc);
    return result;
  }
  size_t done = fread_tight(static_cast<char*>(buffer), total, stream, pc);
  has_written(buffer, done, pc);
  return done / size;
}

// Only lines longer than the room are an error.
char* fgets_tight(char* buffer, size_t size, FILE* stream, std::uintptr_t pc) {
  size_t room = room_at(buffer, size);
  if (room < 2) {
    writes(buffer, room + 1, pc);
    return nullptr;
  }
  char* result = fgets(buffer, static_cast<int>(room), stream);
  if (result == nullptr) return nullptr;
  size_t length = strlen(buffer);
  bool cut = length + 1 == room && buffer[length - 1] != '\n';
  if (cut && fgetc(stream) != EOF) writes(buffer, room + 1, pc);
  return result;
}

char* fgets_watched(char* buffer, int size, FILE* stream, std::uintptr_t pc) {
  bool tight = size > 1 && is_tight(buffer, static_cast<size_t>(size));
  char* result = tight ? fgets_tight(buffer, static_cast<size_t>(size), stream, pc)
                       : fgets(buffer, size, stream);
  if (result != nullptr) has_written(buffer, strlen(buffer) + 1, pc);
  return result;
}

ssize_t getdelim_watched(char** line, size_t* room, int delimiter, FILE* stream,
                         std::uintptr_t pc) {
  if (!watched(pc)) return __getdelim(line, room, delimiter, stream);
  reads(line, sizeof *line, pc);
  reads(room, sizeof *room, pc);
  char* old_line = *line;
  size_t old_room = *room;
  ssize_t result = __getdelim(line, room, delimiter, stream);
  if (*line != old_line) has_written(line, sizeof *line, pc);
  if (*room != old_room) has_written(room, sizeof *room, pc);
  if (result > 0) has_written(*line, static_cast<size_t>(result) + 1, pc);
  return result;
}

}  // namespace

RADDLE_WRAP(ssize_t, read)(int file, void* buffer, size_t size) {
  return read_watched(file, buffer, size, RADDLE_CALLER);
}

RADDLE_WRAP(ssize_t, pread)(int file, void* buffer, size_t size, off_t from) {
  return pread_watched(file, buffer, size, from, RADDLE_CALLER);
}

RADDLE_WRAP(ssize_t, pread64)(int file, void* buffer, size_t size, off64_t from) {
  return pread_watched(file, buffer, size, from, RADDLE_CALLER);
}

RADDLE_WRAP(ssize_t, readv)(int file, const iovec* pieces, int count) {
  std::uintptr_t pc = RADDLE_CALLER;
  ssize_t result = read_pieces_from(file, pieces, count, pc);
  return note_pieces_in(pieces, static_cast<size_t>(count), result, pc);
}

RADDLE_WRAP(ssize_t, recv)(int file, void* buffer, size_t size, int flags) {
  return receive_watched(file, buffer, size, flags, nullptr, nullptr, RADDLE_CALLER);
}

RADDLE_WRAP(ssize_t, recvfrom)
(int file, void* buffer, size_t size, int flags, sockaddr* from, socklen_t* length) {
  return receive_watched(file, buffer, size, flags, from, length, RADDLE_CALLER);
}

RADDLE_WRAP(ssize_t, recvmsg)(int file, msghdr* message, int flags) {
  std::uintptr_t pc = RADDLE_CALLER;
  ssize_t result = receive_message(file, message, flags, pc);
  return note_pieces_in(message->msg_iov, message->msg_iovlen, result, pc);
}

RADDLE_WRAP(int, recvmmsg)
(int file, mmsghdr* messages, unsigned count, int flags, timespec* span) {
  std::uintptr_t pc = RADDLE_CALLER;
  int result = receive_batch(file, messages, count, flags, span, pc);
  for (int i = 0; i < result; ++i) {
    const msghdr& message = messages[i].msg_hdr;
    note_pieces_in(message.msg_iov, message.msg_iovlen, messages[i].msg_len, pc);
    has_written(&messages[i].msg_len, sizeof messages[i].msg_len, pc);
  }
  return result;
}

RADDLE_WRAP(ssize_t, write)(int file, const void* data, size_t size) {
  note_output(data, size, RADDLE_CALLER);
  return write_to(file, data, size, RADDLE_CALLER);
}

RADDLE_WRAP(ssize_t, pwrite)(int file, const void* data, size_t size, off_t to) {
  note_output(data, size, RADDLE_CALLER);
  return pwrite(file, data, size, to);
}

RADDLE_WRAP(ssize_t, pwrite64)(int file, const void* data, size_t size, off64_t to) {
  note_output(data, size, RADDLE_CALLER);
  return pwrite64(file, data, size, to);
}

RADDLE_WRAP(ssize_t, writev)(int file, const iovec* pieces, int count) {
  if (count > 0) note_pieces_out(pieces, static_cast<size_t>(count), RADDLE_CALLER);
  return write_pieces_to(file, pieces, count, RADDLE_CALLER);
}

RADDLE_WRAP(ssize_t, send)(int file, const void* data, size_t size, int flags) {
  note_output(data, size, RADDLE_CALLER);
  return send_to(file, data, size, flags, nullptr, 0, RADDLE_CALLER);
}

RADDLE_WRAP(ssize_t, sendto)
(int file, const void* data, size_t size, int flags, const sockaddr* to, socklen_t length) {
  note_output(data, size, RADDLE_CALLER);
  return send_to(file, data, size, flags, to, length, RADDLE_CALLER);
}

RADDLE_WRAP(ssize_t, sendmsg)(int file, const msghdr* message, int flags) {
  note_pieces_out(message->msg_iov, message->msg_iovlen, RADDLE_CALLER);
  return send_message(file, message, flags, RADDLE_CALLER);
}

RADDLE_WRAP(int, sendmmsg)(int file, mmsghdr* messages, unsigned count, int flags) {
  std::uintptr_t pc = RADDLE_CALLER;
  for (unsigned i = 0; i < count; ++i)
    note_pieces_out(messages[i].msg_hdr.msg_iov, messages[i].msg_hdr.msg_iovlen, pc);
  int result = send_batch(file, messages, count, flags, pc);
  for (int i = 0; i < result; ++i)
    has_written(&messages[i].msg_len, sizeof messages[i].msg_len, pc);
  return result;
}

RADDLE_WRAP(size_t, fwrite)(const void* data, size_t size, size_t count, FILE* stream) {
  note_output(data, size * count, RADDLE_CALLER);
  return fwrite(data, size, count, stream);
}

RADDLE_WRAP(size_t, fwrite_unlocked)(const void* data, size_t size, size_t count, FILE* stream) {
  note_output(data, size * count, RADDLE_CALLER);
  return fwrite_unlocked(data, size, count, stream);
}

RADDLE_WRAP(size_t, fread)(void* buffer, size_t size, size_t count, FILE* stream) {
  return fread_watched(buffer, size, count, stream, RADDLE_CALLER);
}

RADDLE_WRAP(char*, fgets)(char* buffer, int size, FILE* stream) {
  return fgets_watched(buffer, size, stream, RADDLE_CALLER);
}

RADDLE_WRAP(ssize_t, getline)(char** line, size_t* room, FILE* stream) {
  return getdelim_watched(line, room, '\n', stream, RADDLE_CALLER);
}

RADDLE_WRAP(ssize_t, __getdelim)(char** line, size_t* room, int delimiter, FILE* stream) {
  return getdelim_watched(line, room, delimiter, stream, RADDLE_CALLER);
}

RADDLE_WRAP(ssize_t, getdelim)(char** line, size_t* room, int delimiter, FILE* stream) {
  return getdelim_watched(line, room, delimiter, stream, RADDLE_CALLER);
}

// What programs built with _FORTIFY_SOURCE call. A size that does not fit is libc's to report.
RADDLE_WRAP(ssize_t, __read_chk)(int file, void* buffer, size_t size, size_t known) {
  if (size > known) return __read_chk(file, buffer, size, known);
  return read_watched(file, buffer, size, RADDLE_CALLER);
}

RADDLE_WRAP(ssize_t, __pread_chk)(int file, void* buffer, size_t size, off_t from, size_t known) {
  if (size > known) return __pread_chk(file, buffer, size, from, known);
  return pread_watched(file, buffer, size, from, RADDLE_CALLER);
}

RADDLE_WRAP(ssize_t, __pread64_chk)
(int file, void* buffer, size_t size, off64_t from, size_t known) {
  if (size > known) return __pread64_chk(file, buffer, size, from, known);
  return pread_watched(file, buffer, size, from, RADDLE_CALLER);
}

RADDLE_WRAP(ssize_t, __recv_chk)(int file, void* buffer, size_t size, size_t known, int flags) {
  if (size > known) return __recv_chk(file, buffer, size, known, flags);
  return receive_watched(file, buffer, size, flags, nullptr, nullptr, RADDLE_CALLER);
}

RADDLE_WRAP(ssize_t, __recvfrom_chk)
(int file, void* buffer, size_t size, size_t known, int flags, sockaddr* from, socklen_t* length) {
  if (size > known) return __recvfrom_chk(file, buffer, size, known, flags, from, length);
  return receive_watched(file, buffer, size, flags, from, length, RADDLE_CALLER);
}

RADDLE_WRAP(size_t, __fread_chk)
(void* buffer, size_t known, size_t size, size_t count, FILE* stream) {
  size_t total;
  if (__builtin_mul_overflow(size, count, &total) || total > known)
    return __fread_chk(buffer, known, size, count, stream);
  return fread_watched(buffer, size, count, stream, RADDLE_CALLER);
}

RADDLE_WRAP(char*, __fgets_chk)(char* buffer, size_t known, int size, FILE* stream) {
  if (size < 0 || static_cast<size_t>(size) > known)
    return __fgets_chk(buffer, known, size, stream);
  return fgets_watched(buffer, size, stream, RADDLE_CALLER);
}
