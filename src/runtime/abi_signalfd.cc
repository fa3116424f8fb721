// SPDX-License-Identifier: Apache-2.0
//
// signalfd. Target side. The kernel does not know the pending signals of the model, so the
// descriptor is the end of a pipe, into which a blocked signal is written instead of becoming
// pending. Reading, polling and duplicating it are then as with any descriptor. Unlike the
// kernel's, a signal that has been written can no longer be taken by sigwait.
#include <errno.h>
#include <fcntl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/real.h"
#include "runtime/signal_actions.h"

using namespace raddle::runtime;

namespace {

constexpr unsigned kDescriptorsMax = 32;
constexpr int kFarAway = 500;  // for our ends, so that the program's descriptors count up as usual

struct Descriptor {
  SignalSet set;
  int read_end, write_end;
  ino_t inode;
};
Descriptor descriptors[kDescriptorsMax];
unsigned descriptor_count;

int fail(int error) {
  errno = error;
  return -1;
}

ino_t inode_of(int file) {
  struct stat info {};
  return fstat(file, &info) == 0 ? info.st_ino : 0;
}

Descriptor* find(int file) {
  for (unsigned i = 0; i < descriptor_count; ++i)
    if (descriptors[i].read_end == file && descriptors[i].inode == inode_of(file))
      return &descriptors[i];
  return nullptr;
}

bool put(const Descriptor& descriptor, const Signal& signal) {
  signalfd_siginfo info{};
  info.ssi_signo = static_cast<std::uint32_t>(signal.number);
  info.ssi_code = signal.code;
  info.ssi_pid = static_cast<std::uint32_t>(signal.pid);
  info.ssi_uid = signal.uid;
  info.ssi_int = signal.value.sival_int;
  info.ssi_ptr = reinterpret_cast<std::uint64_t>(signal.value.sival_ptr);
  return RADDLE_REAL(write)(descriptor.write_end, &info, sizeof info) == sizeof info;
}

int make(SignalSet set, int flags) {
  if (descriptor_count == kDescriptorsMax) return fail(EMFILE);
  int ends[2];
  int pipe_flags =
      ((flags & SFD_NONBLOCK) != 0 ? O_NONBLOCK : 0) | ((flags & SFD_CLOEXEC) != 0 ? O_CLOEXEC : 0);
  if (RADDLE_REAL(pipe2)(ends, pipe_flags) != 0) return -1;
  int far = RADDLE_REAL(fcntl)(ends[1], F_DUPFD_CLOEXEC, kFarAway);
  if (far >= 0) RADDLE_REAL(close)(ends[1]);
  int write_end = far >= 0 ? far : ends[1];
  RADDLE_REAL(fcntl)(write_end, F_SETFL, O_NONBLOCK);
  descriptors[descriptor_count++] = {set, ends[0], write_end, inode_of(ends[0])};
  return ends[0];
}

}  // namespace

namespace raddle::runtime {

bool give_to_descriptor(const Signal& signal) {
  for (unsigned i = 0; i < descriptor_count; ++i) {
    Descriptor& descriptor = descriptors[i];
    bool open = find(descriptor.read_end) == &descriptor;
    if (open && (descriptor.set & signal_bit(signal.number)) != 0 && put(descriptor, signal))
      return true;
  }
  return false;
}

}  // namespace raddle::runtime

RADDLE_EXPORT int signalfd(int file, const sigset_t* mask, int flags) {
  if (off()) return RADDLE_REAL(signalfd)(file, mask, flags);
  SignalSet set = to_signal_set(*mask) & ~kNeverBlocked;
  if (file == -1) {
    file = make(set, flags);
    if (file < 0) return -1;
  }
  Descriptor* descriptor = find(file);
  if (descriptor == nullptr) return fail(EINVAL);
  descriptor->set = set;
  keep_when_blocked(set);
  for (Signal signal{}; take_pending(*g.current, set & signal_mask(*g.current), &signal);)
    put(*descriptor, signal);
  return file;
}
