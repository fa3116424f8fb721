// SPDX-License-Identifier: Apache-2.0
//
// See training.h. Engine side.
#include "session/training.h"

#include "outcome/known_invariants.h"
#include "outcome/program_facts.h"

namespace raddle::session {
namespace {

outcome::LearnedMemo make_memo(const Request& request, const outcome::LearningOptions& options) {
  const outcome::Facts facts = outcome::program_facts(request.program());
  memo::TrainingRecord training;
  training.program = outcome::memo_program(facts);
  training.arguments = *outcome::find_fact(facts, outcome::kFactArguments);
  training.input = request.program().stdin_file;
  training.granularity = outcome::granularity_name(options.granularity);
  training.tolerated = options.tolerated;
  return {memo::memo_path(request.out), training};
}

}  // namespace

Training::Training(const Request& request, outcome::LearningOptions options)
    : request_(request), options_(std::move(options)), memo_(make_memo(request, options_)) {
  options_.budget = request.campaign.budget;
  options_.interrupts = request.campaign.interrupts;
}

Result<outcome::Learned> Training::learn(launch::Executor& executor) {
  campaign::Trials trials(executor, request_.program().directory, request_.surroundings,
                          options_.interrupts);
  auto search = request_.strategy->make_learning(request_.plan);
  return outcome::learn(options_, request_.program(), *search, trials, memo_);
}

}  // namespace raddle::session
