// SPDX-License-Identifier: Apache-2.0
//
// Functions of libc that work by kernel threads of its own: asynchronous I/O, messages that start
// threads. Target side. Such threads would run beside the fibers, and the program's code in them;
// a program that asks for one is told so and not run.
#include <aio.h>
#include <mqueue.h>
#include <signal.h>

#include "runtime/fatal.h"
#include "runtime/real.h"
#include "runtime/runtime.h"

using namespace raddle::runtime;

namespace {

void refuse_asynchronous() {
  if (!off())
    refuse(
        "the program asks for asynchronous I/O (aio_read and its like), which libc does in threads "
        "of its own; raddle cannot control them");
}

}  // namespace

#define RADDLE_ASYNCHRONOUS(name, parameters, arguments) \
  RADDLE_EXPORT int name parameters noexcept {           \
    refuse_asynchronous();                               \
    return RADDLE_REAL(name) arguments;                  \
  }

RADDLE_ASYNCHRONOUS(aio_read, (aiocb * request), (request))
RADDLE_ASYNCHRONOUS(aio_write, (aiocb * request), (request))
RADDLE_ASYNCHRONOUS(aio_fsync, (int operation, aiocb* request), (operation, request))
RADDLE_ASYNCHRONOUS(lio_listio, (int mode, aiocb* const requests[], int count, sigevent* event),
                    (mode, requests, count, event))
RADDLE_ASYNCHRONOUS(aio_read64, (aiocb64 * request), (request))
RADDLE_ASYNCHRONOUS(aio_write64, (aiocb64 * request), (request))
RADDLE_ASYNCHRONOUS(aio_fsync64, (int operation, aiocb64* request), (operation, request))
RADDLE_ASYNCHRONOUS(lio_listio64, (int mode, aiocb64* const requests[], int count, sigevent* event),
                    (mode, requests, count, event))

RADDLE_EXPORT int mq_notify(mqd_t queue, const sigevent* event) noexcept {
  if (!off() && event != nullptr && event->sigev_notify == SIGEV_THREAD)
    refuse(
        "the program wants to be told of messages by a thread (mq_notify with SIGEV_THREAD), which "
        "libc makes itself; raddle cannot control it");
  return RADDLE_REAL(mq_notify)(queue, event);
}
