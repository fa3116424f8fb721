// SPDX-License-Identifier: Apache-2.0
//
// The engine's use of the shared memory in the course of a run. Engine side.
#include "launch/run_area.h"

#include <fmt/core.h>
#include <string.h>
#include <sys/wait.h>

#include <algorithm>

#include "launch/steering_area.h"

namespace raddle::launch {
namespace {

// 32 million events are 1 GiB. A run that long was cut by max_steps long before, or reports plain
// accesses without end; its first part is kept.
constexpr std::size_t kEventsKeptMax = std::size_t{1} << 25;

std::string last_lines(const std::string& text, std::size_t lines) {
  std::size_t end = text.size();
  while (end > 0 && text[end - 1] == '\n') --end;
  std::size_t begin = end;
  for (std::size_t seen = 0; begin > 0; --begin)
    if (text[begin - 1] == '\n' && ++seen == lines) break;
  return text.substr(begin, end - begin);
}

}  // namespace

Result<RunArea> RunArea::create(const ExecutorOptions& options, wire::Tier tier) {
  auto memory = SharedMemory::create(options.max_steps, tier);
  if (!memory) return memory.error();
  auto output =
      options.output_on_disk ? OutputFile::on_disk() : OutputFile::in_memory("raddle-stdout");
  if (!output) return output.error();
  auto error = OutputFile::in_memory("raddle-stderr");
  if (!error) return error.error();
  return RunArea(std::move(*memory), std::move(*output), std::move(*error));
}

Status RunArea::prepare(const facts::Plan& plan) {
  output_.clear();
  error_.clear();
  return prepare_in_place(plan);
}

Status RunArea::prepare_in_place(const facts::Plan& plan) {
  wire::SharedHeader& header = memory_.header();
  if (auto status = write_steering(plan.steering, memory_); !status) return status.error();
  if (sites_ != plan.sites) {
    if (plan.sites && plan.sites->size() > memory_.sites().size())
      return Error{fmt::format("the plan has {} point sites, more than {}", plan.sites->size(),
                               memory_.sites().size()),
                   kExitUsage};
    sites_ = plan.sites;
    ++site_version_;
    if (sites_) std::copy(sites_->begin(), sites_->end(), memory_.sites().begin());
  }
  header.plan = plan.header;
  header.plan.site_count = sites_ ? static_cast<std::uint32_t>(sites_->size()) : 0;
  header.plan.site_version = site_version_;
  std::size_t weights = plan.weights ? std::min(plan.weights->size(), memory_.weights().size()) : 0;
  header.interest = plan.interest;
  header.interest.weight_count = static_cast<std::uint32_t>(weights);
  if (weights > 0) std::copy_n(plan.weights->begin(), weights, memory_.weights().begin());

  // The run resets its counters itself; clearing them here as well keeps a run that dies before
  // that from showing its predecessor's.
  header.verdict.kind = wire::VerdictKind::none;
  header.verdict.thread_report_count = 0;
  header.verdict.message[0] = '\0';
  header.steps = header.choices = header.threads = 0;
  header.preemptions = header.fairness_cuts = header.too_many_threads = 0;
  header.reservations = 0;
  header.late_sites[0] = header.late_sites[1] = 0;
  header.recurred_at = 0;
  header.sudden_exit = plan.sudden_exit ? 1 : 0;
  header.ring_head.store(0, std::memory_order_relaxed);
  header.ring_tail.store(0, std::memory_order_relaxed);
  tail_ = 0;
  drained_.clear();
  with_stacks_ = plan.header.stacks != 0;
  if (with_stacks_) folder_.finish();
  return Done{};
}

void RunArea::begin_with(const RunPart& part) {
  wire::SharedHeader& header = memory_.header();
  auto end = part.events->begin() + static_cast<std::ptrdiff_t>(part.event_count);
  drained_.assign(part.events->begin(), end);
  tail_ = part.event_count;
  header.ring_head.store(tail_, std::memory_order_relaxed);
  header.ring_tail.store(tail_, std::memory_order_relaxed);
  std::copy(part.choices.begin(), part.choices.end(), memory_.schedule().begin());
  std::copy(part.sets.begin(), part.sets.end(), memory_.sets().begin());
  output_.append(part.output);
  error_.append(part.error_output);
}

void RunArea::keep_output(RunPart& part) const {
  part.output = output_.first_bytes(part.output_bytes);
  part.error_output = error_.first_bytes(part.error_bytes);
}

void RunArea::take_events(std::uint64_t head) {
  std::span<const wire::Event> ring = memory_.ring();
  while (tail_ != head) {
    std::size_t at = tail_ & (ring.size() - 1);
    std::size_t count = std::min<std::uint64_t>(head - tail_, ring.size() - at);
    std::size_t room = kEventsKeptMax - std::min(drained_.size(), kEventsKeptMax);
    std::span<const wire::Event> piece = ring.subspan(at, std::min(count, room));
    if (with_stacks_)
      folder_.take(piece, drained_);
    else
      drained_.insert(drained_.end(), piece.begin(), piece.end());
    tail_ += count;
  }
}

std::chrono::milliseconds RunArea::drain() {
  using std::chrono::milliseconds;
  wire::SharedHeader& header = memory_.header();
  std::uint64_t head = header.ring_head.load(std::memory_order_acquire);
  std::uint64_t waiting = head - tail_;
  std::uint64_t capacity = memory_.ring().size();
  // A quarter of the ring is at least several milliseconds of events, so that a run which stays
  // below it at one look cannot fill the ring before the next.
  if (waiting <= capacity / 4 || waiting > capacity) return milliseconds(5);
  take_events(head);
  header.ring_tail.store(tail_, std::memory_order_release);
  return milliseconds(1);
}

Result<facts::Run> RunArea::collect(int wait_status, bool timed_out) {
  wire::SharedHeader& header = memory_.header();
  std::uint64_t head = header.ring_head.load(std::memory_order_acquire);
  if (!memory_.intact() || head - tail_ > memory_.ring().size())
    return Error{
        "the program wrote over the memory that it shares with raddle; look for wild "
        "writes with -fsanitize=address first",
        kExitCannotRun};
  facts::Run run;
  if (drained_.empty() && !with_stacks_) {
    run.events = memory_.ring().first(static_cast<std::size_t>(head));
  } else {
    take_events(head);
    run.events = drained_;
  }
  if (with_stacks_) run.stacks = std::make_shared<const facts::EventStacks>(folder_.finish());
  std::size_t choices = std::min<std::size_t>(header.choices, memory_.schedule().size());
  run.choices = memory_.schedule().first(choices);
  if (header.plan.systematic != 0) run.sets = memory_.sets().first(choices);
  run.too_many_threads = header.too_many_threads != 0;
  run.late_sites = {header.late_sites[0], header.late_sites[1]};
  run.recurred = header.recurred_at != 0;
  run.accesses_lost = (header.reservations & wire::kAccessesLost) != 0;
  run.end_forced = (header.reservations & (wire::kEndForced | wire::kStruckAtPoints)) != 0;
  run.schedules = header.schedules;
  run.verdict = header.verdict;
  run.verdict.message[wire::kMessageMax - 1] = '\0';
  run.wait_status = wait_status;
  run.timed_out = timed_out;
  bool refused = run.verdict.kind == wire::VerdictKind::unsupported;  // it knows why it was slow
  if (timed_out && !refused) run.verdict.kind = wire::VerdictKind::hang;
  // Said to exit, but ended otherwise (a destructor crashed, another code): believe the kernel.
  bool kept_its_word =
      WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == (run.verdict.code & 0xff);
  if (run.verdict.kind == wire::VerdictKind::exited && !kept_its_word)
    run.verdict.kind = wire::VerdictKind::none;
  std::size_t reports =
      std::min<std::size_t>(run.verdict.thread_report_count, memory_.reports().size());
  auto first = memory_.reports().begin();
  run.threads.assign(first, first + static_cast<std::ptrdiff_t>(reports));
  for (wire::ThreadReport& report : run.threads) {
    report.frame_count = std::min(report.frame_count, wire::kFramesMax);
    report.held_count = std::min<std::uint8_t>(report.held_count, wire::kHeldMax);
    report.name[wire::kThreadNameMax - 1] = '\0';
    report.event[wire::kEventShownMax - 1] = '\0';
  }
  run.verdict.thread_report_count = static_cast<std::uint32_t>(run.threads.size());
  run.steps = header.steps;
  run.thread_count = header.threads;
  run.preemptions = header.preemptions;
  run.fairness_cuts = header.fairness_cuts;
  return run;
}

std::span<const wire::Module> RunArea::modules() const {
  wire::SharedHeader& header = memory_.header();
  std::uint32_t count = std::min(header.module_count, wire::kModulesMax);
  for (std::uint32_t i = 0; i < count; ++i) header.modules[i].path[wire::kModulePathMax - 1] = '\0';
  return {header.modules, count};
}

std::string RunArea::suppressions() const {
  const char* text = memory_.header().suppressions;
  return std::string(text, strnlen(text, wire::kSuppressionsMax));
}

std::string RunArea::refusal() const {
  const char* message = memory_.header().verdict.message;
  return std::string(message, strnlen(message, wire::kMessageMax));
}

std::string describe_status(int wait_status) {
  if (WIFSIGNALED(wait_status))
    return fmt::format("was killed by signal {} ({})", WTERMSIG(wait_status),
                       strsignal(WTERMSIG(wait_status)));
  return fmt::format("exited with code {}", WEXITSTATUS(wait_status));
}

Error failed_before_main(const Program& program, const RunArea& area, int wait_status) {
  using wire::TargetStage;
  const std::string& name = program.argv[0];
  TargetStage stage = area.stage();
  if (stage == TargetStage::refused)
    return {fmt::format("{} cannot be run under control: {}", name, area.refusal()),
            kExitCannotRun};
  std::string printed = last_lines(area.error_output().text(), 10);
  if (!printed.empty()) printed = "; it printed:\n" + printed;
  if (stage == TargetStage::exec)
    return {fmt::format("{} {} before raddle's runtime could start{}", name,
                        describe_status(wait_status), printed),
            kExitCannotRun};
  return {
      fmt::format("{} {} before it reached main{}", name, describe_status(wait_status), printed),
      kExitCannotRun};
}

}  // namespace raddle::launch
