// SPDX-License-Identifier: Apache-2.0
//
// See resident.h.
//
// Between two runs the code here runs on a stack of its own and calls no libc: all other memory is
// that of the moment before main, and stays so.
#include "runtime/resident.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "runtime/checkpoint.h"
#include "runtime/fiber.h"
#include "runtime/kernel_state.h"
#include "runtime/raw_call.h"
#include "runtime/real.h"
#include "runtime/runtime.h"
#include "runtime/signal_actions.h"
#include "runtime/snapshot.h"
#include "runtime/tls.h"

// Streams that libc has open, and the lock of each.
extern "C" FILE* _IO_list_all;
// From glibc 2.35 on.
extern "C" __attribute__((weak)) const std::ptrdiff_t __rseq_offset;
extern "C" __attribute__((weak)) const unsigned __rseq_size;

namespace raddle::runtime {
namespace {

using wire::ResidentEnd;
using wire::ResidentReply;

bool resident;         // this process is one, as of its beginning
ResidentEnd last_run;  // why this is the last run; put back with everything else

// What stays as it is between runs: in the snapshot's region, below the end of its stack.
struct Lasting {
  void* run_begins[5];  // __builtin_setjmp
  long process;
  int channel;
  std::uint32_t modules;
  std::uintptr_t thread_pointer;
  std::uint64_t runs;
  unsigned sse_control;
  unsigned short x87_control;
  KernelState kernel;
};
constexpr std::uintptr_t kLastingBytes = (sizeof(Lasting) + 63) & ~std::uintptr_t{63};

Lasting& lasting() { return *reinterpret_cast<Lasting*>(snapshot::stack_end() - kLastingBytes); }

ResidentEnd reason_of(snapshot::Result result) {
  using snapshot::Result;
  switch (result) {
    case Result::done:
      return ResidentEnd::none;
    case Result::unsupported:
      return ResidentEnd::unsupported;
    case Result::too_large:
      return ResidentEnd::too_large;
    case Result::mappings:
      return ResidentEnd::mappings;
    case Result::unseen:
      return ResidentEnd::unseen;
  }
  return ResidentEnd::unseen;
}

[[noreturn]] void end_this_process() {
  raw_call(SYS_exit_group, 0);
  __builtin_unreachable();
}

void answer(int status, ResidentEnd end, bool changed_files) {
  ResidentReply reply{status, end, changed_files ? 1u : 0u, snapshot::hot_pages()};
  std::int32_t run = g.shared->run_pid.exchange(0);
  long sent = raw_call(SYS_write, lasting().channel, as_word(&reply), sizeof reply);
  if (sent != static_cast<long>(sizeof reply)) {
    // The program has closed the channel, and the engine asks the server how the run has ended.
    g.shared->run_pid.store(run);
    raw_call(SYS_exit_group, status >> 8);
  }
  if (end != ResidentEnd::none) end_this_process();
}

// Goes to where reside() returns.
[[noreturn]] void begin_next_run() {
  Lasting& l = lasting();
  wire::Command command = wire::Command::quit;
  if (raw_call(SYS_read, l.channel, as_word(&command), 1) != 1 || command != wire::Command::run)
    end_this_process();
  if (has_fsgsbase)
    write_fs_base(l.thread_pointer);
  else
    raw_call(SYS_arch_prctl, 0x1002 /* ARCH_SET_FS */, static_cast<long>(l.thread_pointer));
  __asm__ volatile("fninit\n\tldmxcsr %0\n\tfldcw %1" ::"m"(l.sse_control), "m"(l.x87_control));
  snapshot::begin_run();
  __builtin_longjmp(l.run_begins, 1);
}

// All of memory is looked at now and then, more often in the beginning.
bool is_sampled(std::uint64_t run) { return (run & (run - 1)) == 0 || run % 4096 == 0; }

struct RunEnd {
  int status;
  ResidentEnd why;
  bool changed_files;
  std::uint64_t touched_signals;
};
// Of the one run that ends; read on the other stack before memory is put back.
RunEnd ending;

// Where the kernel writes on which processor the thread is: that is not put back.
struct KernelArea {
  std::uint64_t words[4];
};
KernelArea* kernel_area() {
  if (&__rseq_offset == nullptr || __rseq_size == 0) return nullptr;
  return reinterpret_cast<KernelArea*>(lasting().thread_pointer +
                                       static_cast<std::uintptr_t>(__rseq_offset));
}

ResidentEnd restore_memory(bool look) {
  KernelArea* area = kernel_area();
  KernelArea now = area != nullptr ? *area : KernelArea{};
  snapshot::Result result = snapshot::restore(look);
  if (area != nullptr) *area = now;
  return reason_of(result);
}

[[noreturn]] void finish_run() {
  __asm__ volatile("cld");
  RunEnd end = ending;
  Lasting& l = lasting();
  bool look = is_sampled(++l.runs);
  if (end.why == ResidentEnd::none && (look || !l.kernel.same_mappings())) {
    if (snapshot::same_mappings())
      l.kernel.accept_mappings();
    else
      end.why = ResidentEnd::mappings;
  }
  if (end.why == ResidentEnd::none && !l.kernel.restore(end.touched_signals))
    end.why = ResidentEnd::descriptors;
  if (end.why == ResidentEnd::none) end.why = restore_memory(look);
  answer(end.status, end.why, end.changed_files);
  begin_next_run();
}

[[noreturn]] void start_residence() {
  Lasting& l = lasting();
  l.runs = 0;
  ResidentEnd why = l.kernel.take() ? ResidentEnd::none : ResidentEnd::descriptors;
  if (why == ResidentEnd::none) why = reason_of(snapshot::take());
  answer(0, why, false);
  begin_next_run();
}

[[noreturn]] void on_own_stack(void (*function)()) {
  std::uintptr_t top = snapshot::stack_end() - kLastingBytes;
  __asm__ volatile(
      "movq %0, %%rsp\n\t"
      "xorl %%ebp, %%ebp\n\t"
      "callq *%1\n\t"
      "ud2" ::"r"(top),
      "r"(function)
      : "memory");
  __builtin_unreachable();
}

// A descriptor that the program does not see unless it looks for it.
int call_engine() {
  const wire::ResidentOrder& order = g.shared->resident;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (order.address_size > sizeof order.address) return -1;
  memcpy(address.sun_path, order.address, order.address_size);
  long size = static_cast<long>(offsetof(sockaddr_un, sun_path)) + order.address_size;
  long low = raw_call(SYS_socket, AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (low < 0) return -1;
  int channel = static_cast<int>(raw_call(SYS_fcntl, low, F_DUPFD_CLOEXEC, kOwnDescriptors));
  raw_call(SYS_close, low);
  bool connected = channel >= 0 && raw_call(SYS_connect, channel, as_word(&address), size) == 0;
  return connected ? channel : -1;
}

ResidentEnd why_last() {
  if (last_run != ResidentEnd::none) return last_run;
  if (g.shared->module_count != lasting().modules) return ResidentEnd::libraries;
  if (g.cares.outside_signals != 0) return ResidentEnd::signals;
  return ResidentEnd::none;
}

// Whether nobody who is left behind holds a stream, so that they can be written out.
bool streams_are_free() {
  for (FILE* stream = _IO_list_all; stream != nullptr; stream = stream->_chain)
    if (stream->_lock != nullptr && *static_cast<const int*>(stream->_lock) != 0) return false;
  return true;
}

}  // namespace

__attribute__((noinline)) void reside() {
  if (!snapshot::reserve()) end_this_process();
  // A run that touches a page for the first time would get, and we put back, five hundred.
  raw_call(SYS_prctl, PR_SET_THP_DISABLE, 1, 0, 0, 0);
  Lasting& l = lasting();
  l.process = raw_call(SYS_getpid);
  l.modules = g.shared->module_count;
  l.channel = call_engine();
  if (l.channel < 0) end_this_process();
  l.thread_pointer = read_fs_base();
  __asm__ volatile("stmxcsr %0" : "=m"(l.sse_control));
  __asm__ volatile("fnstcw %0" : "=m"(l.x87_control));
  resident = true;
  if (__builtin_setjmp(l.run_begins) == 0) on_own_stack(start_residence);
}

bool is_resident() { return resident && raw_call(SYS_getpid) == lasting().process; }

void end_resident_run(int status) {
  if (!is_resident()) return;
  g.mode = Mode::armed;
  undo_stack_protection();
  ending = {(status & 0xff) << 8, why_last(), had_lasting_effect(), touched_signals()};
  on_own_stack(finish_run);
}

void end_resident_run_after_handlers(int status) {
  if (!is_resident()) return;
  // Then libc ends the process, and the server says how.
  if (!streams_are_free()) return;
  RADDLE_REAL(fflush)(nullptr);
  end_resident_run(status);
}

void end_residence(ResidentEnd why) {
  if (last_run == ResidentEnd::none) last_run = why;
}

void discard_pages(std::uintptr_t begin, std::uintptr_t size) {
  RADDLE_REAL(madvise)(reinterpret_cast<void*>(begin), size, MADV_DONTNEED);
  if (resident) snapshot::note_discarded(begin, begin + size);
}

}  // namespace raddle::runtime
