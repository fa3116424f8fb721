// SPDX-License-Identifier: Apache-2.0
//
// Kinds and messages of findings. Engine side.
#include "report/describe.h"

#include <fmt/format.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "facts/judge.h"
#include "report/deadlock_words.h"
#include "report/dwarf_module.h"
#include "report/frames.h"
#include "report/heap_words.h"
#include "report/op_place.h"
#include "report/thread_words.h"

namespace raddle::report {
namespace {

using facts::Finding;
using facts::FindingKind;
using facts::Frame;
using facts::ThreadSnapshot;
using wire::VerdictKind;

std::string signal_name(int signal) {
  const char* abbreviation = sigabbrev_np(signal);
  return abbreviation == nullptr ? fmt::format("signal {}", signal)
                                 : fmt::format("SIG{}", abbreviation);
}

std::string verdict_message(const facts::Run& run) {
  const wire::Verdict& verdict = run.verdict;
  std::string message(verdict.message, strnlen(verdict.message, sizeof verdict.message));
  while (message.ends_with('\n')) message.pop_back();
  return message;
}

// As the program said it: the kernel keeps eight bits.
int exit_status(const facts::Run& run) {
  return run.verdict.kind == VerdictKind::exited ? run.verdict.code : WEXITSTATUS(run.wait_status);
}

std::string where_text(const Finding& finding) {
  std::string text = frame_text(finding.site);
  return text.empty() ? "" : " in " + text;
}

std::string crash_message(const facts::Run& run, const Finding& finding) {
  bool seen = run.verdict.kind == VerdictKind::crash;
  int signal = seen ? run.verdict.code : WTERMSIG(run.wait_status);
  if (!seen) return fmt::format("killed by {}", signal_name(signal));
  std::string message = signal_name(signal);
  constexpr std::uint64_t kNullPage = 4096;
  if (signal == SIGSEGV || signal == SIGBUS) {
    message += fmt::format(" at address {:#x}", run.verdict.fault_address);
    if (run.verdict.fault_address < kNullPage) message += " (null pointer)";
  }
  return message + where_text(finding);
}

std::string overflow_message(const Finding& finding) {
  std::string chain;
  int shown = 0;
  for (const ThreadSnapshot& thread : finding.threads) {
    if (thread.id != finding.thread) continue;
    for (const Frame& frame : thread.stack) {
      if (!is_user_code(frame) || frame.function.empty() || shown == 3) continue;
      chain += (shown++ == 0 ? "" : " ← ") + frame.function;
    }
  }
  std::string message = fmt::format("stack overflow in T{}", finding.thread);
  return chain.empty() ? message : fmt::format("{} (recursion: {} ← …)", message, chain);
}

// The type, which the target knows by its mangled name, and what() as the C++ library has printed
// it; or a sentence, when std::terminate was called without an exception.
std::string exception_message(const RunContext& context, const std::string& said) {
  if (said.find(' ') != std::string::npos) return said;
  std::string message = "uncaught exception";
  // Only what follows _Z can be demangled; _ZTI makes a symbol of a type.
  constexpr std::string_view kPrefix = "typeinfo for ";
  std::string symbol = demangled("_ZTI" + said);
  if (symbol.starts_with(kPrefix)) symbol.erase(0, kPrefix.size());
  if (!said.empty()) message += ": " + (symbol.empty() ? said : symbol);
  constexpr std::string_view kWhat = "  what():  ";
  std::size_t what = context.error_output.rfind(kWhat);
  if (what == std::string::npos) return message;
  std::string words = context.error_output.substr(what + kWhat.size());
  while (words.ends_with('\n')) words.pop_back();
  return message + ": " + words;
}

// What the target said of threads that the event schedule keeps back.
std::string and_paused(const std::string& said) { return said.empty() ? "" : "; " + said; }

void replace(std::string& text, std::string_view part, const std::string& by) {
  if (std::size_t at = text.find(part); at != std::string::npos) text.replace(at, part.size(), by);
}

// The target says it with {} for the object, whose name it does not know, and {site} for the place
// where somebody has locked it.
std::string misuse_message(const RunContext& context, const Finding& finding, std::string said) {
  const wire::Verdict& verdict = context.run.verdict;
  replace(said, "{site}", place_text(finding.site));
  replace(said, "{}", quoted(context.names.location(verdict.where)));
  return fmt::format("T{} {}", verdict.thread, said);
}

std::string message_of(const RunContext& context, const Finding& finding) {
  std::string said = verdict_message(context.run);
  FindingKind kind = finding.kind;
  if (kind == FindingKind::crash) return crash_message(context.run, finding);
  if (kind == FindingKind::stack_overflow) return overflow_message(finding);
  if (kind == FindingKind::deadlock) return deadlock_message(context.run, context.names);
  if (kind == FindingKind::exit_code)
    return fmt::format("exit code {}, expected {}", exit_status(context.run), context.expect_exit);
  if (kind == FindingKind::exception) return exception_message(context, said);
  if (kind == FindingKind::use_after_free || kind == FindingKind::double_free ||
      kind == FindingKind::heap_overflow)
    return heap_message(context, finding);
  if (kind == FindingKind::sync_misuse) return misuse_message(context, finding, said);
  if (kind == FindingKind::hang)
    return "the run did not end in time" + where_text(finding) + and_paused(said);
  return said.empty() ? "abort() was called" + where_text(finding) : said;
}

const ThreadSnapshot* find_thread(const Finding& finding, ThreadId id) {
  for (const ThreadSnapshot& thread : finding.threads)
    if (thread.id == id) return &thread;
  return nullptr;
}

// Whoever closed a cycle is chance; the smallest id in it, or of those that the event schedule
// keeps back, is not.
ThreadId blamed_thread(const facts::Run& run) {
  ThreadId blamed = kNoThread;
  bool paused = run.verdict.kind == VerdictKind::schedule_deadlock;
  for (const wire::ThreadReport& thread : run.threads)
    if (paused ? thread.state == wire::ThreadState::paused : thread.in_cycle != 0)
      blamed = std::min(blamed, thread.id);
  return blamed == kNoThread ? run.verdict.thread : blamed;
}

std::string deadlock_identity(const Finding& finding) {
  bool cycle = std::ranges::any_of(finding.threads, &ThreadSnapshot::in_cycle);
  std::set<std::string> sites;
  for (const ThreadSnapshot& thread : finding.threads)
    if (!thread.stack.empty() && thread.in_cycle == cycle)
      sites.insert(site_identity(best_frame(thread.stack)));
  return fmt::format("{}", fmt::join(sites, " "));
}

Finding skeleton(const RunContext& context, FindingKind kind, ThreadId thread) {
  Finding finding;
  finding.kind = kind;
  finding.preemptions = context.run.preemptions;
  finding.steps = context.run.steps;
  finding.thread = thread;
  finding.threads =
      snapshots(context.run, context.run.verdict.thread, context.names, context.directory);
  if (const ThreadSnapshot* failed = find_thread(finding, thread))
    finding.site = best_frame(failed->stack);
  return finding;
}

// Misuse that is not where the thread is, but where the object was locked.
bool is_about_locking(const facts::Run& run) {
  return run.verdict.kind == VerdictKind::sync_misuse && !run.threads.empty() &&
         run.threads.front().frame_count > 0 &&
         verdict_message(run).find("{site}") != std::string::npos;
}

Frame locking_frame(const RunContext& context) {
  const wire::Verdict& verdict = context.run.verdict;
  SiteId site = context.run.threads.front().frames[0];
  Frame frame = op_frame(context.run, {static_cast<ThreadId>(verdict.code), site, verdict.where},
                         context.names);
  frame.file = path_below(frame.file, context.directory);
  return frame;
}

// A thread that a test leaves behind: the place is the one that created it.
void describe_leak(const RunContext& context, Finding& finding) {
  auto site = static_cast<SiteId>(context.run.verdict.fault_address);
  if (site == 0) return;
  finding.site = best_frame(context.names.frames(site));
  finding.site.file = path_below(finding.site.file, context.directory);
  finding.message += "; it was created at " + place_text(finding.site);
}

// Checks of test frameworks say where they are; the stack may end in the framework's own code.
void believe_stated_place(Finding& finding) {
  std::size_t colon = finding.message.find(": ");
  std::size_t before = colon == std::string::npos ? colon : finding.message.rfind(':', colon - 1);
  if (before == std::string::npos || before == 0) return;
  std::string_view digits =
      std::string_view(finding.message).substr(before + 1, colon - before - 1);
  int line = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), line);
  if (error != std::errc() || end != digits.data() + digits.size() || line <= 0) return;
  Frame stated;
  stated.file = finding.message.substr(0, before);
  stated.line = line;
  if (place_text(stated) == place_text(finding.site)) return;
  finding.site = stated;
  for (ThreadSnapshot& thread : finding.threads)
    if (thread.id == finding.thread) thread.stack.insert(thread.stack.begin(), stated);
}

}  // namespace

std::optional<Finding> describe(const RunContext& context) {
  facts::Judgement judgement = facts::judge(context.run, context.expect_exit);
  if (judgement.outcome != facts::Outcome::finding) return std::nullopt;
  Finding finding = skeleton(context, judgement.kind, blamed_thread(context.run));
  if (is_about_locking(context.run)) finding.site = locking_frame(context);
  finding.message = message_of(context, finding);
  if (finding.kind == FindingKind::assertion) believe_stated_place(finding);
  if (finding.kind == FindingKind::leaked_thread && context.run.verdict.code != 0)
    describe_leak(context, finding);
  finding.identity = finding.kind == FindingKind::exit_code  ? finding.message
                     : finding.kind == FindingKind::deadlock ? deadlock_identity(finding)
                                                             : site_identity(finding.site);
  return finding;
}

Finding describe_evidence(const RunContext& context, const facts::Evidence& evidence,
                          EvidenceWords* words) {
  Finding finding = skeleton(context, evidence.kind, evidence.thread);
  finding.message = std::string(evidence.kind.name) + where_text(finding);
  if (words != nullptr) words(context, evidence, finding);
  if (finding.identity.empty()) finding.identity = site_identity(finding.site);
  return finding;
}

Finding describe_feasible(const RunContext& context) {
  Finding finding = skeleton(context, FindingKind::schedule_violation, 0);
  finding.message = "the event schedule was expected to be infeasible, but this run satisfies it";
  finding.identity = site_identity(finding.site);
  return finding;
}

Finding describe_check(const RunContext& context, const std::string& command, int exit_code) {
  Finding finding = skeleton(context, FindingKind::check, 0);
  finding.message = fmt::format("`{}` judged the run with exit code {}", command, exit_code);
  finding.identity = finding.message;
  return finding;
}

}  // namespace raddle::report
