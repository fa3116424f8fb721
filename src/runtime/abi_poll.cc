// SPDX-License-Identifier: Apache-2.0
//
// poll, select and epoll_wait. Target side. Their time-outs are virtual. The signal mask that
// ppoll, pselect and epoll_pwait take is not applied: no signal is delivered inside a wait.
#include <fcntl.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>

#include "runtime/io_step.h"
#include "runtime/real.h"

using namespace raddle::runtime;

namespace {

// How long a call may wait.
struct Limit {
  bool at_once = false;
  std::uint64_t deadline_ns = 0;  // 0: for ever
};

Limit limit_of(int milliseconds) {
  if (milliseconds < 0) return {};
  if (milliseconds == 0) return {.at_once = true};
  return {.deadline_ns = deadline_after({milliseconds / 1000, milliseconds % 1000 * 1'000'000L})};
}

Limit limit_of(const timespec* span) {
  if (span == nullptr) return {};
  if (span->tv_sec == 0 && span->tv_nsec == 0) return {.at_once = true};
  return {.deadline_ns = deadline_after(*span)};
}

std::uintptr_t first_address(const pollfd* files, nfds_t count) {
  for (nfds_t i = 0; i < count; ++i)
    if (files[i].fd >= 0) return descriptor_address(files[i].fd);
  return 0;
}

// Waits for one of the descriptors and then takes the result by call(), which does not wait.
template <class Call>
int poll_step(pollfd* files, nfds_t count, const Limit& limit, std::uintptr_t pc, Call call) {
  PendingOp& op = next_op(OpKind::io_poll, site_of(pc));
  op.address = first_address(files, count);
  bool interrupted = false;
  fire_due_timerfds();
  if (limit.at_once) {
    if (RADDLE_REAL(poll)(files, count, 0) == 0)
      note_failure(op);  // perhaps a loop that polls
    else
      note_progress();
    pass_point({.cancellation_point = true});
  } else {
    note_progress();
    OutsideWait wait{.files = files, .count = count};
    bool ready = pass_outside_point(wait, {.deadline_ns = limit.deadline_ns,
                                           .interruption = Interruption::always,
                                           .cancellation_point = true});
    interrupted = !ready && g.current->eintr;
  }
  int result = -1;
  if (!interrupted) result = call();
  int error = interrupted ? EINTR : errno;
  emit_io(op, result > 0 ? 0 : EAGAIN);
  note_outside_change();
  errno = error;
  return result;
}

int poll_files(pollfd* files, nfds_t count, const Limit& limit, std::uintptr_t pc) {
  act_on_cancel(pc);
  return poll_step(files, count, limit, pc, [=] { return RADDLE_REAL(poll)(files, count, 0); });
}

int wait_events(int poller, epoll_event* events, int count, const Limit& limit, std::uintptr_t pc) {
  act_on_cancel(pc);
  pollfd file{poller, POLLIN, 0};
  if (count <= 0 || RADDLE_REAL(fcntl)(poller, F_GETFD) < 0)
    return RADDLE_REAL(epoll_wait)(poller, events, count, 0);  // says what is wrong
  return poll_step(&file, 1, limit, pc,
                   [=] { return RADDLE_REAL(epoll_wait)(poller, events, count, 0); });
}

// The three sets of select as descriptors to poll, and back.
struct Sets {
  fd_set* in;
  fd_set* out;
  fd_set* special;
};

bool has(const fd_set* set, int file) { return set != nullptr && FD_ISSET(file, set); }

nfds_t gather(const Sets& sets, int count, pollfd* files) {
  nfds_t used = 0;
  for (int file = 0; file < count && file < FD_SETSIZE; ++file) {
    int events = (has(sets.in, file) ? POLLIN : 0) | (has(sets.out, file) ? POLLOUT : 0) |
                 (has(sets.special, file) ? POLLPRI : 0);
    if (events != 0) files[used++] = {file, static_cast<short>(events), 0};
  }
  return used;
}

int keep(fd_set* set, const pollfd& file, short asked, int shown) {
  if ((file.events & asked) == 0) return 0;
  if ((file.revents & shown) != 0) return 1;
  FD_CLR(file.fd, set);
  return 0;
}

int scatter(const Sets& sets, const pollfd* files, nfds_t count) {
  int bits = 0;
  for (nfds_t i = 0; i < count; ++i)
    if ((files[i].revents & POLLNVAL) != 0) {
      errno = EBADF;
      return -1;
    }
  for (nfds_t i = 0; i < count; ++i)
    bits += keep(sets.in, files[i], POLLIN, POLLIN | POLLHUP | POLLERR) +
            keep(sets.out, files[i], POLLOUT, POLLOUT | POLLERR) +
            keep(sets.special, files[i], POLLPRI, POLLPRI);
  return bits;
}

int select_files(int count, const Sets& sets, const Limit& limit, std::uintptr_t pc) {
  act_on_cancel(pc);
  if (count < 0) {
    errno = EINVAL;
    return -1;
  }
  pollfd files[FD_SETSIZE];
  nfds_t used = gather(sets, count, files);
  // Nothing to watch: a way to sleep.
  return poll_step(files, used, limit, pc, [&] {
    RADDLE_REAL(poll)(files, used, 0);
    return scatter(sets, files, used);
  });
}

}  // namespace

RADDLE_EXPORT int poll(pollfd* files, nfds_t count, int milliseconds) {
  if (!running()) return RADDLE_REAL(poll)(files, count, milliseconds);
  return poll_files(files, count, limit_of(milliseconds), RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int ppoll(pollfd* files, nfds_t count, const timespec* span, const sigset_t* mask) {
  if (!running()) return RADDLE_REAL(ppoll)(files, count, span, mask);
  return poll_files(files, count, limit_of(span), RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int __poll_chk(pollfd* files, nfds_t count, int milliseconds, size_t room) {
  if (!running() || room / sizeof *files < count)
    return RADDLE_REAL(__poll_chk)(files, count, milliseconds, room);
  return poll_files(files, count, limit_of(milliseconds), RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int __ppoll_chk(pollfd* files, nfds_t count, const timespec* span,
                              const sigset_t* mask, size_t room) {
  if (!running() || room / sizeof *files < count)
    return RADDLE_REAL(__ppoll_chk)(files, count, span, mask, room);
  return poll_files(files, count, limit_of(span), RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int select(int count, fd_set* in, fd_set* out, fd_set* special, timeval* span) {
  if (!running()) return RADDLE_REAL(select)(count, in, out, special, span);
  timespec limit{};
  if (span != nullptr) limit = {span->tv_sec, span->tv_usec * 1000};
  std::uint64_t begin = g.now_ns;
  int result = select_files(count, {in, out, special}, limit_of(span != nullptr ? &limit : nullptr),
                            RADDLE_PROGRAM_CALLER);
  if (span == nullptr) return result;
  // Linux leaves what is left of the time.
  std::uint64_t passed_us = (g.now_ns - begin) / 1000;
  std::uint64_t total_us = static_cast<std::uint64_t>(span->tv_sec) * 1'000'000 +
                           static_cast<std::uint64_t>(span->tv_usec);
  std::uint64_t left_us = passed_us < total_us ? total_us - passed_us : 0;
  *span = {static_cast<time_t>(left_us / 1'000'000), static_cast<suseconds_t>(left_us % 1'000'000)};
  return result;
}

RADDLE_EXPORT int pselect(int count, fd_set* in, fd_set* out, fd_set* special, const timespec* span,
                          const sigset_t* mask) {
  if (!running()) return RADDLE_REAL(pselect)(count, in, out, special, span, mask);
  return select_files(count, {in, out, special}, limit_of(span), RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int epoll_wait(int poller, epoll_event* events, int count, int milliseconds) {
  if (!running()) return RADDLE_REAL(epoll_wait)(poller, events, count, milliseconds);
  return wait_events(poller, events, count, limit_of(milliseconds), RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int epoll_pwait(int poller, epoll_event* events, int count, int milliseconds,
                              const sigset_t* mask) {
  if (!running()) return RADDLE_REAL(epoll_pwait)(poller, events, count, milliseconds, mask);
  return wait_events(poller, events, count, limit_of(milliseconds), RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int epoll_pwait2(int poller, epoll_event* events, int count, const timespec* span,
                               const sigset_t* mask) {
  if (!running()) return RADDLE_REAL(epoll_pwait2)(poller, events, count, span, mask);
  return wait_events(poller, events, count, limit_of(span), RADDLE_PROGRAM_CALLER);
}
