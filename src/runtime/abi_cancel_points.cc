// SPDX-License-Identifier: Apache-2.0
//
// Cancellation points of libc that are otherwise none of our business: calls on files, which the
// kernel answers by itself. Target side. Those that open files are in abi_lasting.cc.
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/uio.h>
#include <termios.h>
#include <unistd.h>

#include "runtime/cancel.h"
#include "runtime/real.h"

using namespace raddle::runtime;

extern "C" {
// What programs built with _FORTIFY_SOURCE call.
int __open_2(const char*, int);
int __open64_2(const char*, int);
int __openat_2(int, const char*, int);
int __openat64_2(int, const char*, int);
ssize_t __pread_chk(int, void*, size_t, off_t, size_t);
ssize_t __pread64_chk(int, void*, size_t, off64_t, size_t);
}

#define RADDLE_POINT(result, name, parameters, arguments) \
  RADDLE_EXPORT result name parameters {                  \
    RADDLE_CANCELLATION_POINT();                          \
    return RADDLE_REAL(name) arguments;                   \
  }

RADDLE_POINT(int, __open_2, (const char* path, int flags), (path, flags))
RADDLE_POINT(int, __open64_2, (const char* path, int flags), (path, flags))
RADDLE_POINT(int, __openat_2, (int folder, const char* path, int flags), (folder, path, flags))
RADDLE_POINT(int, __openat64_2, (int folder, const char* path, int flags), (folder, path, flags))
RADDLE_POINT(int, open_by_handle_at, (int mount, file_handle* handle, int flags),
             (mount, handle, flags))
RADDLE_POINT(int, posix_openpt, (int flags), (flags))

RADDLE_POINT(ssize_t, pread, (int file, void* buffer, size_t size, off_t from),
             (file, buffer, size, from))
RADDLE_POINT(ssize_t, pread64, (int file, void* buffer, size_t size, off64_t from),
             (file, buffer, size, from))
RADDLE_POINT(ssize_t, __pread_chk, (int file, void* buffer, size_t size, off_t from, size_t room),
             (file, buffer, size, from, room))
RADDLE_POINT(ssize_t, __pread64_chk,
             (int file, void* buffer, size_t size, off64_t from, size_t room),
             (file, buffer, size, from, room))
RADDLE_POINT(ssize_t, pwrite, (int file, const void* data, size_t size, off_t to),
             (file, data, size, to))
RADDLE_POINT(ssize_t, pwrite64, (int file, const void* data, size_t size, off64_t to),
             (file, data, size, to))

#define RADDLE_PIECES(name, Offset)                                                        \
  RADDLE_POINT(ssize_t, name, (int file, const iovec* pieces, int count, Offset position), \
               (file, pieces, count, position))
#define RADDLE_PIECES_WITH_FLAGS(name, Offset)                                         \
  RADDLE_POINT(ssize_t, name,                                                          \
               (int file, const iovec* pieces, int count, Offset position, int flags), \
               (file, pieces, count, position, flags))
RADDLE_PIECES(preadv, off_t)
RADDLE_PIECES(preadv64, off64_t)
RADDLE_PIECES(pwritev, off_t)
RADDLE_PIECES(pwritev64, off64_t)
RADDLE_PIECES_WITH_FLAGS(preadv2, off_t)
RADDLE_PIECES_WITH_FLAGS(preadv64v2, off64_t)
RADDLE_PIECES_WITH_FLAGS(pwritev2, off_t)
RADDLE_PIECES_WITH_FLAGS(pwritev64v2, off64_t)

RADDLE_POINT(int, fsync, (int file), (file))
RADDLE_POINT(int, fdatasync, (int file), (file))
RADDLE_POINT(int, msync, (void* begin, size_t size, int flags), (begin, size, flags))
RADDLE_POINT(int, sync_file_range, (int file, off64_t from, off64_t size, unsigned flags),
             (file, from, size, flags))
RADDLE_POINT(int, fallocate, (int file, int mode, off_t from, off_t size), (file, mode, from, size))
RADDLE_POINT(int, fallocate64, (int file, int mode, off64_t from, off64_t size),
             (file, mode, from, size))
RADDLE_POINT(ssize_t, copy_file_range,
             (int from, off64_t* from_offset, int to, off64_t* to_offset, size_t size,
              unsigned flags),
             (from, from_offset, to, to_offset, size, flags))
RADDLE_POINT(int, tcdrain, (int file), (file))
