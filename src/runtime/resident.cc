// SPDX-License-Identifier: Apache-2.0
//
// See resident.h.
//
// Between two runs the code here runs on a stack of its own and calls no libc: all other memory is
// that of the moment before main, and stays so.
#include "runtime/resident.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runtime/checkpoint.h"
#include "runtime/engine_call.h"
#include "runtime/fiber.h"
#include "runtime/kernel_state.h"
#include "runtime/page_scan.h"
#include "runtime/raw_call.h"
#include "runtime/real.h"
#include "runtime/runtime.h"
#include "runtime/signal_actions.h"
#include "runtime/snapshot.h"
#include "runtime/tls.h"
#include "wire/turn.h"

// Streams that libc has open, and the lock of each.
extern "C" FILE* _IO_list_all;
// From glibc 2.35 on.
extern "C" __attribute__((weak)) const std::ptrdiff_t __rseq_offset;
extern "C" __attribute__((weak)) const unsigned __rseq_size;

namespace raddle::runtime {
namespace {

using wire::ResidentEnd;
using wire::ResidentReply;

bool resident;  // this process is one, as of its beginning
// Put back with everything else, after each run:
ResidentEnd last_run;         // why this is the last one
std::uint32_t changed_parts;  // KernelPart

// What stays as it is between runs: in the snapshot's region, below the end of its stack.
struct Lasting {
  void* run_begins[5];  // __builtin_setjmp
  long process;
  int channel;
  std::uint32_t modules;
  std::uintptr_t thread_pointer;
  std::uint32_t runs;
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
      return ResidentEnd::unseen_memory;
  }
  return ResidentEnd::unseen_memory;
}

[[noreturn]] void end_this_process() {
  raw_call(SYS_exit_group, 0);
  __builtin_unreachable();
}

void answer(int status, ResidentEnd end, bool changed_files) {
  wire::ResidentArea& area = g.shared->resident;
  area.reply = {status, end, changed_files ? 1u : 0u, snapshot::hot_pages()};
  area.restoring.store(0);
  g.shared->run_pid.store(0);
  // If the program has closed the channel, the engine sees that, and finds the answer there.
  wire::hand_over(area.ended, lasting().runs, area.engine_sleeps, [] {
    constexpr char kByte = 0;
    raw_call(SYS_write, lasting().channel, as_word(&kByte), 1);
  });
  if (end != ResidentEnd::none) end_this_process();
}

void await_next_run() {
  wire::ResidentArea& area = g.shared->resident;
  std::uint32_t next = lasting().runs + 1;
  auto yield = [] { raw_call(SYS_sched_yield); };
  if (area.spins != 0 && wire::spin_until(area.ordered, next, yield)) return;
  char byte;
  while (wire::fall_asleep(area.program_sleeps, area.ordered, next)) {
    if (raw_call(SYS_read, lasting().channel, as_word(&byte), 1) != 1) end_this_process();
    if (area.ordered.load() == next) return;
  }
}

// Goes to where reside() returns.
[[noreturn]] void begin_next_run() {
  await_next_run();
  Lasting& l = lasting();
  if (has_fsgsbase)
    write_fs_base(l.thread_pointer);
  else
    raw_call(SYS_arch_prctl, 0x1002 /* ARCH_SET_FS */, static_cast<long>(l.thread_pointer));
  __asm__ volatile("fninit\n\tldmxcsr %0\n\tfldcw %1" ::"m"(l.sse_control), "m"(l.x87_control));
  __builtin_longjmp(l.run_begins, 1);
}

// Runs after which everything is looked at, and compared with the copy: more often in the
// beginning.
bool is_looked_at(std::uint32_t run) { return (run & (run - 1)) == 0 || run % 4096 == 0; }
bool is_compared(std::uint32_t run) { return (run & (run - 1)) == 0 || run % 65536 == 0; }

struct RunEnd {
  int status;
  ResidentEnd why;
  bool changed_files;
  std::uint32_t changed_parts;
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
  return reinterpret_cast<KernelArea*>(g.fibers[0].thread_pointer +
                                       static_cast<std::uintptr_t>(__rseq_offset));
}

bool signal_frames;  // of this run

ResidentEnd restore_memory(bool mapped) {
  Lasting& l = lasting();
  KernelArea* area = kernel_area();
  KernelArea now = area != nullptr ? *area : KernelArea{};
  bool look = is_looked_at(l.runs);
  bool disturbed = snapshot::is_disturbed() || signal_frames;
  mapped |= (look || disturbed) && !l.kernel.same_size();
  snapshot::Result result = snapshot::restore(
      {.disturbed = disturbed, .mapped = mapped, .look = look, .compare = is_compared(l.runs)});
  if (area != nullptr) *area = now;
  if (mapped) l.kernel.accept_size();  // the first stack may have grown
  return reason_of(result);
}

ResidentEnd put_back(const RunEnd& end) {
  KernelState& kernel = lasting().kernel;
  if (end.why != ResidentEnd::none) return end.why;
  if (!kernel.restore(end.changed_parts, end.touched_signals)) return ResidentEnd::descriptors;
  if (is_looked_at(lasting().runs) && !kernel.is_same()) return ResidentEnd::unseen_state;
  return restore_memory((end.changed_parts & kMappings) != 0);
}

[[noreturn]] void finish_run() {
  __asm__ volatile("cld");
  RunEnd end = ending;
  ++lasting().runs;
  answer(end.status, put_back(end), end.changed_files);
  begin_next_run();
}

[[noreturn]] void start_residence() {
  Lasting& l = lasting();
  if (KernelArea* area = kernel_area(); area != nullptr)
    snapshot::except(reinterpret_cast<std::uintptr_t>(area), sizeof *area);
  ResidentEnd why = l.kernel.take() ? ResidentEnd::none : ResidentEnd::descriptors;
  if (why == ResidentEnd::none) why = reason_of(snapshot::take());
  ResidentReply ready{0, why, 0, snapshot::hot_pages()};
  long sent = raw_call(SYS_write, l.channel, as_word(&ready), sizeof ready);
  if (sent != static_cast<long>(sizeof ready) || why != ResidentEnd::none) end_this_process();
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
int open_channel() {
  const wire::ResidentArea& area = g.shared->resident;
  int low = call_engine(area.address, area.address_size);
  if (low < 0) return -1;
  int channel = copy_high(low);
  raw_call(SYS_close, low);
  return channel;
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
  l.runs = g.shared->resident.ended.load();
  l.modules = g.shared->module_count;
  l.channel = open_channel();
  if (l.channel < 0) end_this_process();
  l.thread_pointer = read_fs_base();
  __asm__ volatile("stmxcsr %0" : "=m"(l.sse_control));
  __asm__ volatile("fnstcw %0" : "=m"(l.x87_control));
  resident = true;
  // So that no run has to look it up.
  RADDLE_REAL(fflush);
  RADDLE_REAL(clock_gettime);
  RADDLE_REAL(getpid);
  // What came before is no part of a run.
  changed_parts = 0;
  last_run = ResidentEnd::none;
  if (__builtin_setjmp(l.run_begins) == 0) on_own_stack(start_residence);
}

void ResidentChild::reap_others(int options) {
  int ended = 0;
  for (pid_t child; (child = RADDLE_REAL(wait4)(-1, &ended, options, nullptr)) > 0;) {
    if (child != process) continue;
    process = -1;
    status = ended;
  }
}

int ResidentChild::bury() {
  if (process > 0)
    while (RADDLE_REAL(wait4)(process, &status, 0, nullptr) < 0 && errno == EINTR) {
    }
  process = -1;
  return status;
}

void note_signal_frame() { signal_frames = true; }

bool is_resident() { return resident && raw_call(SYS_getpid) == lasting().process; }

void end_resident_run(int status) {
  if (!is_resident()) return;
  g.mode = Mode::armed;
  g.shared->resident.restoring.store(1);
  undo_stack_protection();
  // A verdict may have been written in a handler.
  bool plain = g.shared->verdict.kind == wire::VerdictKind::none;
  std::uint32_t parts = changed_parts | (plain ? 0u : kSignals);
  ending = {(status & 0xff) << 8, why_last(), had_lasting_effect(), parts, touched_signals()};
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

void note_change(KernelPart part) { changed_parts |= part; }

void note_discarded(const void* begin, std::size_t size) {
  note_change(kMappings);
  auto address = reinterpret_cast<std::uintptr_t>(begin);
  if (resident) snapshot::note_discarded(address & ~(kPageBytes - 1), address + size);
}

void note_protected(const void* begin, std::size_t size) {
  note_change(kMappings);
  auto address = reinterpret_cast<std::uintptr_t>(begin);
  if (resident) snapshot::note_protected(address & ~(kPageBytes - 1), address + size);
}

void discard_pages(std::uintptr_t begin, std::uintptr_t size) {
  // Pages that are given back would be faults in every run.
  if (resident && snapshot::clear(begin, begin + size)) return;
  RADDLE_REAL(madvise)(reinterpret_cast<void*>(begin), size, MADV_DONTNEED);
  if (resident) snapshot::note_discarded(begin, begin + size);
}

OwnDescriptors own_descriptors() {
  if (!resident) return {0, 0};
  const KernelState& kernel = lasting().kernel;
  return {static_cast<unsigned>(kernel.own_first()), static_cast<unsigned>(kernel.own_end())};
}

bool is_restoring() { return resident && g.shared->resident.restoring.load() != 0; }

void give_up_residence() { end_this_process(); }

}  // namespace raddle::runtime
