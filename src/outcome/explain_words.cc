// SPDX-License-Identifier: Apache-2.0
//
// Words for causes. Engine side.
#include "outcome/explain_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/event_words.h"
#include "report/frames.h"

namespace raddle::outcome {

using analysis::Cause;
using analysis::Dependence;
using analysis::Reason;
using analysis::Side;
using wire::Event;

namespace {

// The places that a use usually gets its value from; more would not be read.
constexpr std::size_t kUsualMax = 3;

}  // namespace

facts::Frame CauseWords::frame(SiteId place) {
  facts::Frame frame = report::best_frame(names_.frames(place));
  frame.file = report::path_below(frame.file, directory_);
  return frame;
}

std::string CauseWords::thread(std::size_t index) const {
  return fmt::format("T{}", run_.events[index].thread);
}

std::string CauseWords::variable(std::size_t index) {
  return report::quoted(names_.location(run_.events[index].where));
}

facts::ExplainedOperation CauseWords::operation(std::size_t index) {
  const Event& event = run_.events[index];
  facts::ExplainedOperation result;
  result.thread = event.thread;
  for (const facts::ThreadSnapshot& thread : finding_.threads)
    if (thread.id == event.thread) result.thread_name = thread.name;
  std::vector<ThreadId> others;
  if (event.kind == wire::OpKind::thread_join) others.push_back(wire::other_of(event));
  // What it was about to do needs no "(earlier)".
  Event shown = event;
  bool pending = index >= run_.recorded;
  if (pending) shown.flags = 0, shown.size = 0;
  result.words = report::event_words(shown, others, names_);
  if (pending && wire::op_class(event.kind) != wire::OpClass::write &&
      wire::op_class(event.kind) != wire::OpClass::read)
    result.words = "waits in " + result.words;
  if (event.where.region() != wire::Region::none) result.variable = names_.location(event.where);
  result.where = frame(run_.places[index]);
  result.step = event.step;
  return result;
}

// "; in passing runs it reads what was written at a.c:3 or b.c:4".
std::string CauseWords::usually(const Cause& cause) {
  std::vector<std::string> places;
  bool initial = false;
  for (SiteId place : cause.usual) {
    if (place == 0) {
      initial = true;
      continue;
    }
    std::string text = report::place_text(frame(place));
    if (!text.empty() && std::ranges::find(places, text) == places.end()) places.push_back(text);
  }
  if (places.size() > kUsualMax) places.resize(kUsualMax);
  if (places.empty() && !initial) return "; no passing run reads it there";
  if (places.empty()) return "; in passing runs it reads the initial value";
  return fmt::format("; in passing runs it reads {}what was written at {}",
                     initial ? "the initial value or " : "", fmt::join(places, " or "));
}

std::string CauseWords::pair_sentence(const Cause& cause) {
  std::size_t last = cause.events.back(), first = cause.events.front();
  if (cause.pair.kind == Dependence::initial_use) last = first;
  std::string what = variable(last), user = thread(last), other = thread(first);
  switch (cause.pair.kind) {
    case Dependence::initial_use:
      return fmt::format("{} reads {} before it has been set{}", user, what, usually(cause));
    case Dependence::use:
      return fmt::format("{} reads {} as {} has left it{}", user, what, other, usually(cause));
    case Dependence::own_use:
      return fmt::format("{} reads {} as it has left it itself{}", user, what, usually(cause));
    case Dependence::use_after_end:
      if (run_.events[last].kind == wire::OpKind::memory_free)
        return fmt::format("{} frees {}, which {} has freed", user, what, other);
      return fmt::format("{} uses {} after {} has freed it", user, what, other);
    case Dependence::overwrite:
      return fmt::format("{} writes {} after {} has; in no passing run it comes after that", user,
                         what, other);
    case Dependence::end:
      return fmt::format("{} frees {} after {} has used it; in no passing run it comes after that",
                         user, what, other);
    case Dependence::early_signal:
      return fmt::format("{} notifies {} before {} waits for it: nobody hears it", other, what,
                         user);
  }
  return "";
}

std::string CauseWords::interleaved_sentence(const Cause& cause) {
  std::size_t p = cause.events[0], r = cause.events[1];
  std::string what = variable(p), mine = thread(p), other = thread(r);
  if (cause.usual_side != Side::both)
    return fmt::format(
        "{} comes to {} between two accesses of {}; in passing runs it comes {} them", other, what,
        mine, cause.usual_side == Side::before ? "before" : "after");
  switch (cause.number) {
    case 2:
      return fmt::format("{} looks at {} twice, and {} writes it in between", mine, what, other);
    case 3:
      return fmt::format("{} writes {} and looks at it again, and {} writes it in between", mine,
                         what, other);
    case 5:
      return fmt::format("{} writes {} twice, and {} reads it in between", mine, what, other);
    default:
      return fmt::format("{} writes {} by what it read before, and {} writes it in between", mine,
                         what, other);
  }
}

std::string CauseWords::sentence(const Cause& cause) {
  switch (cause.reason) {
    case Reason::interleaved:
      return interleaved_sentence(cause);
    case Reason::pair:
      return pair_sentence(cause);
    case Reason::windows:
      return fmt::format("{} comes to {} before {}, but to {} after it; each alone is harmless",
                         thread(cause.events[0]), variable(cause.events[0]),
                         thread(cause.events[1]), variable(cause.events[3]));
    case Reason::lock_cycle:
      return "each thread waits for what another one holds";
    case Reason::reversed:
      return cause.runs == 1 ? "in a passing run nearby these came in the other order"
                             : "in the nearest passing runs these came in the other order";
    case Reason::race:
      return fmt::format("nothing orders these two accesses to {}", variable(cause.events.front()));
  }
  return "";
}

facts::ExplainedCause CauseWords::explain(const Cause& cause) {
  facts::ExplainedCause result;
  result.label = analysis::label_word(cause.label);
  result.sentence = sentence(cause);
  for (std::size_t index : cause.events) result.operations.push_back(operation(index));
  result.orders = cause.orders;
  result.failing = cause.failing;
  return result;
}

}  // namespace raddle::outcome
