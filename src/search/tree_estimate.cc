// SPDX-License-Identifier: Apache-2.0
//
// Weights of executions, their sums, and how an estimate is put into words. Engine side.
#include "search/tree_estimate.h"

#include <fmt/format.h>
#include <string.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "search/coverage_words.h"

namespace raddle::search {
namespace {

// Two digits are more than an estimate deserves.
std::string rough(long double number) {
  if (std::isinf(number)) return "more than 10^4900";
  if (number >= 1e15L) return fmt::format("10^{:.0f}", std::floor(std::log10(number)));
  long double unit = 1;
  while (number / unit >= 100) unit *= 10;
  return grouped(static_cast<std::uint64_t>(std::round(number / unit) * unit));
}

std::string percent(long double part) {
  if (part < 0.0001L) return "less than 0.01 %";
  if (part < 0.01L) return fmt::format("{:.2f} %", static_cast<double>(part * 100));
  // What is not complete is never 100 %.
  return fmt::format("{:.0f} %", std::min(99.0, std::floor(static_cast<double>(part * 100))));
}

struct Saved {
  std::uint64_t runs;
  std::uint64_t weights;
  double explored;  // its binary logarithm
};

}  // namespace

std::string SpaceEstimate::text() const {
  const char* noun = runs == 1 ? "run" : "runs";
  if (complete) return fmt::format("all {} {}", grouped(runs), noun);
  if (runs == 0) return "no estimate before the first run";
  return fmt::format("an estimated {} runs{} {} done", rough(total),
                     at_least ? " or more, at most" : ",", percent(done));
}

facts::SpaceEstimate in_numbers(const SpaceEstimate& estimate) {
  return {static_cast<double>(estimate.total), static_cast<double>(estimate.done)};
}

SpaceEstimate estimate_of(std::uint64_t runs, long double explored, bool complete) {
  if (complete) return {runs, static_cast<long double>(runs), 1, true, false};
  if (runs == 0) return {};
  // What is open is at least one run more, whatever rounding says of the weights.
  long double made = static_cast<long double>(runs);
  long double total =
      explored > 0 ? made / std::min(explored, 1.0L) : std::numeric_limits<long double>::infinity();
  total = std::max(total, made + 1);
  return {runs, total, made / total, false, false};
}

void TreeEstimate::set_weight(NodeId node, float weight) {
  while (weights_.size() <= node) weights_.push_back(0);
  weights_[node] = weight;
}

long double TreeEstimate::weight_of(NodeId node) const {
  return std::exp2(static_cast<long double>(weights_[node]));
}

void TreeEstimate::begin(NodeId root) {
  weights_.clear();
  runs_ = 0;
  explored_ = 0;
  set_weight(root, 0);
}

void TreeEstimate::executed(NodeId node, std::span<const Child> children) {
  sorted_.assign(children.begin(), children.end());
  std::stable_sort(sorted_.begin(), sorted_.end(),
                   [](const Child& a, const Child& b) { return a.choice < b.choice; });
  double left = weights_[node];
  for (auto at = sorted_.begin(); at != sorted_.end();) {
    auto end = std::find_if(at, sorted_.end(),
                            [&](const Child& child) { return child.choice != at->choice; });
    left -= std::log2(static_cast<double>(end - at + 1));
    for (; at != end; ++at) set_weight(at->node, static_cast<float>(left));
  }
  explored_ += std::exp2(static_cast<long double>(left));
  ++runs_;
}

SpaceEstimate TreeEstimate::now(bool complete) const {
  return estimate_of(runs_, explored_, complete);
}

std::string TreeEstimate::save() const {
  std::vector<float> weights(weights_.size());
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = weights_[i];
  Saved head{runs_, weights.size(), static_cast<double>(std::log2(explored_))};
  std::string saved(reinterpret_cast<const char*>(&head), sizeof head);
  return saved.append(reinterpret_cast<const char*>(weights.data()),
                      weights.size() * sizeof(float));
}

bool TreeEstimate::load(std::string_view saved) {
  Saved head;
  if (saved.size() < sizeof head) return false;
  memcpy(&head, saved.data(), sizeof head);
  saved.remove_prefix(sizeof head);
  if (saved.size() % sizeof(float) != 0 || saved.size() / sizeof(float) != head.weights ||
      std::isnan(head.explored))
    return false;
  weights_.clear();
  for (; !saved.empty(); saved.remove_prefix(sizeof(float))) {
    float weight;
    memcpy(&weight, saved.data(), sizeof weight);
    weights_.push_back(weight);
  }
  runs_ = head.runs;
  explored_ = std::exp2(static_cast<long double>(head.explored));
  return true;
}

long double explored_before(std::span<const wire::ChoiceRecord> path) {
  long double explored = 0;
  long double weight = 1;
  for (const wire::ChoiceRecord& choice : path) {
    weight /= std::max<std::uint8_t>(choice.enabled, 1);
    explored += weight * choice.picked;
  }
  return explored;
}

void ProbeEstimate::add(std::span<const wire::ChoiceRecord> choices) {
  long double product = 1;
  for (const wire::ChoiceRecord& choice : choices)
    product *= std::max<std::uint8_t>(choice.enabled, 1);
  ++probes_;
  sum_ += product;
  squares_ += product * product;
}

long double ProbeEstimate::mean() const {
  return probes_ == 0 ? 0 : sum_ / static_cast<long double>(probes_);
}

long double ProbeEstimate::relative_error() const {
  long double n = static_cast<long double>(probes_);
  if (probes_ < 2 || std::isinf(squares_)) return std::numeric_limits<long double>::infinity();
  long double variance = std::max(0.0L, (squares_ / n - mean() * mean()) * n / (n - 1));
  return std::sqrt(variance / n) / mean();
}

}  // namespace raddle::search
