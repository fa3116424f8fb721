// SPDX-License-Identifier: Apache-2.0
//
// Ends of runs: verdict, reports of all threads, _exit. Target side, callable from signal handlers.
#include "runtime/fatal.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/deadlock.h"
#include "runtime/debugger.h"
#include "runtime/emit.h"
#include "runtime/events.h"
#include "runtime/in_process.h"
#include "runtime/locate.h"
#include "runtime/memory_map.h"
#include "runtime/real.h"
#include "runtime/runtime.h"

namespace raddle::runtime {
namespace {

bool in_cycle[kMaxThreads];
ThreadId cycle_end;  // above the highest thread in it

wire::ThreadState state_of(const Fiber& fiber) {
  if (fiber.state != FiberState::alive) return wire::ThreadState::finished;
  if (is_paused(fiber)) return wire::ThreadState::paused;
  if (&fiber == g.current) {
    bool stuck = !g.enabled.contains(fiber.id);
    return stuck ? wire::ThreadState::blocked : wire::ThreadState::running;
  }
  if (g.enabled.contains(fiber.id)) return wire::ThreadState::runnable;
  return fiber.deadline_ns != 0 && view_of(fiber).op.kind == wire::OpKind::sleep
             ? wire::ThreadState::sleeping
             : wire::ThreadState::blocked;
}

void add_frame(wire::ThreadReport& report, std::uintptr_t pc) {
  if (report.frame_count == wire::kFramesMax || pc == 0) return;
  report.frames[report.frame_count++] = site_of(pc);
}

void fill_frames(wire::ThreadReport& report, const Fiber& fiber, const Ending& ending,
                 std::uintptr_t stack_pointer) {
  if (&fiber == g.current && ending.pc != 0) {
    add_frame(report, ending.pc);
    if (ending.pc - main_code.base >= main_code.size)
      add_frame(report, nearest_program_pc(fiber, stack_pointer));
  } else if (view_of(fiber).op.site != 0 && fiber.state == FiberState::alive) {
    SiteId site = view_of(fiber).op.site;
    report.frames[report.frame_count++] = site;
    if (fiber.library_frame != 0 && is_system_site(site))
      add_frame(report, nearest_program_pc(fiber, fiber.library_frame));
  }
  // Very deep stacks: the innermost frames and the outermost ones say most.
  auto depth = static_cast<unsigned>(fiber.top - fiber.frames);
  if (&fiber == g.current && ending.depth != 0) depth = ending.depth;
  unsigned room = wire::kFramesMax - report.frame_count;
  for (unsigned i = 0; i < depth && i < room; ++i) {
    bool outer = depth > room && i >= room / 2;
    unsigned index = outer ? room - 1 - i : depth - 1 - i;
    add_frame(report, fiber.frames[index].return_address);
  }
}

void fill_report(wire::ThreadReport& report, const Fiber& fiber, const Ending& ending,
                 std::uintptr_t stack_pointer) {
  const model::PendingOp& op = view_of(fiber).op;
  report = {};
  report.id = fiber.id;
  report.waits_for = waits_for(fiber);
  report.state = state_of(fiber);
  report.op = op.kind;
  report.in_cycle = in_cycle[fiber.id];
  // A waiter of a condvar waits for its mutex only once it has been notified.
  bool unnotified = op.kind == wire::OpKind::cond_wake && fiber.on_cond;
  bool has_object = fiber.object != nullptr && !unnotified;
  std::uintptr_t object = has_object ? fiber.object->address : op.address;
  report.where = object != 0 ? locate(object) : wire::Location{};
  memcpy(report.name, fiber.name, sizeof report.name);
  if (op.kind == wire::OpKind::event && events.at[fiber.id].name != nullptr) {
    dsl::TextBuffer event(report.event, sizeof report.event);
    put_event_of(event, fiber);
  }
  for (unsigned i = 0; i < fiber.held_count && i < wire::kHeldMax; ++i)
    report.held[report.held_count++] = {locate(fiber.held[i].object->address), fiber.held[i].site,
                                        fiber.held[i].kind};
  fill_frames(report, fiber, ending, stack_pointer);
}

// Whether the run ends while the current thread waits, not because of what it did.
bool leaves_op_pending(wire::VerdictKind kind) {
  using wire::VerdictKind;
  // Of what must not be done a search has to know what it would have been.
  return kind == VerdictKind::use_after_free || kind == VerdictKind::double_free ||
         kind == VerdictKind::sync_misuse || kind == VerdictKind::deadlock ||
         kind == VerdictKind::schedule_deadlock || kind == VerdictKind::limit ||
         kind == VerdictKind::blocked || kind == VerdictKind::divergence ||
         kind == VerdictKind::idle;
}

void append(const char* text) {
  char* message = g.shared->verdict.message;
  std::size_t length = strlen(message);
  std::size_t room = wire::kMessageMax - 1 - length;
  std::size_t added = strlen(text);
  if (added > room) added = room;
  memcpy(message + length, text, added);
  message[length + added] = '\0';
}

// Threads that the event schedule keeps back are part of the reason why a run does not go on.
void append_pauses(wire::VerdictKind kind) {
  using wire::VerdictKind;
  if (kind != VerdictKind::schedule_deadlock && kind != VerdictKind::limit &&
      kind != VerdictKind::hang)
    return;
  static char words[wire::kMessageMax];
  dsl::TextBuffer out(words, sizeof words);
  explain_pauses(out);
  append(words);
}

}  // namespace

void say(const char* text) {
  if (g.shared != nullptr) append(text);
}

void mark_in_cycle(ThreadId thread) {
  in_cycle[thread] = true;
  if (thread >= cycle_end) cycle_end = static_cast<ThreadId>(thread + 1);
}

void write_verdict(const Ending& ending) {
  wire::SharedHeader& shared = *g.shared;
  wire::Verdict& verdict = shared.verdict;
  bool decided =
      verdict.kind != wire::VerdictKind::none && verdict.kind != wire::VerdictKind::exited;
  if (decided) return;
  // Who exits has the rest of the run before him.
  if (ending.kind != wire::VerdictKind::exited) emit_pending(leaves_op_pending(ending.kind));
  g.mode = Mode::armed;  // nothing that follows is part of the run
  append(ending.message);
  if (g.cares.at_events > 0) append_pauses(ending.kind);
  verdict.thread = g.current->id;
  verdict.code = ending.code;
  verdict.step = g.step;
  verdict.fault_address = ending.fault_address;
  auto stack_pointer = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  if (ending.stack_pointer != 0) stack_pointer = ending.stack_pointer;
  std::uint32_t count = 0;
  // The thread that ended the run comes first, so that a full table never cuts it off.
  fill_report(shared.reports()[count++], *g.current, ending, stack_pointer);
  for (ThreadId id = 0; id < g.thread_count && count < shared.report_capacity; ++id)
    if (id != g.current->id && g.fibers[id].state == FiberState::alive)
      fill_report(shared.reports()[count++], g.fibers[id], ending, stack_pointer);
  verdict.thread_report_count = count;
  verdict.kind = ending.kind;
  raddle_debug_run_ends();
}

void end_run(const Ending& ending) {
  if (in_place()) {
    write_verdict(after_failed_check(ending));
    leave_run();
  }
  write_verdict(ending);
  _exit(kEndedByVerdict);
}

void begin_verdict() {
  wire::Verdict& verdict = g.shared->verdict;
  verdict.kind = wire::VerdictKind::none;
  verdict.message[0] = '\0';
  verdict.thread_report_count = 0;
  while (cycle_end > 0) in_cycle[--cycle_end] = false;
}

void refuse(const char* reason) {
  if (g.shared == nullptr) {
    static constexpr char kPrefix[] = "raddle: ";
    [[maybe_unused]] ssize_t written = write(STDERR_FILENO, kPrefix, sizeof kPrefix - 1);
    written = write(STDERR_FILENO, reason, strlen(reason));
    written = write(STDERR_FILENO, "\n", 1);
    _exit(3);
  }
  if (g.mode == Mode::running) end_run({.kind = wire::VerdictKind::unsupported, .message = reason});
  append(reason);
  g.shared->stage.store(wire::TargetStage::refused);
  _exit(3);
}

void refuse_plan(const char* reason) {
  begin_verdict();
  append(reason);
  g.shared->verdict.kind = wire::VerdictKind::unsupported;
  if (!in_place()) _exit(kEndedByVerdict);
}

void reserve_region(std::uintptr_t base, std::uintptr_t bytes, bool accessible, const char* what) {
  void* wanted = reinterpret_cast<void*>(base);
  void* got =
      RADDLE_REAL(mmap)(wanted, bytes, accessible ? PROT_READ | PROT_WRITE : PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (got == wanted) return;
  say("cannot reserve address space for ");
  say(what);
  refuse(" (is there a limit on virtual memory, such as ulimit -v, or vm.overcommit_memory=2?)");
}

}  // namespace raddle::runtime
