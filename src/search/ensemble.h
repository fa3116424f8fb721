// SPDX-License-Identifier: Apache-2.0
//
// Ensemble: several searches of one program that take turns, as one search. Engine side. Behind the
// strategies `auto` (sampling first, then a systematic search beside it) and `portfolio` (different
// heuristics, as Coons, Burckhardt and Musuvathi recommend for Gambit, PPoPP 2010, section 7: no
// single one is the best for all bugs).
//
// A member's share of the runs is given by its weight, and a member may have a head start: a number
// of runs that it makes before the others begin. Members know nothing of each other. When one of
// those that look at everything has completed, nothing is left to do for the others. With several
// runs at a time, different members are at work.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "search/abilities.h"

namespace raddle::search {

class Ensemble : public Search,
                 public Batching,
                 public Concurrent,
                 public Exhaustive,
                 public Measured,
                 public SiteLearning {
 public:
  struct Member {
    std::unique_ptr<Search> search;
    bool decides = false;          // it looks at everything: when it has completed, all is done
    std::uint64_t head_start = 0;  // runs
    std::uint64_t weight = 1;
    std::uint64_t batch_weight = 1;  // where runs are made in batches, which are cheap
    std::uint64_t runs = 0;          // planned so far
    // What it can do; null: it cannot.
    Batching* batching = nullptr;
    Exhaustive* exhaustive = nullptr;
    Measured* measured = nullptr;
    Resumable* resumable = nullptr;
    SiteLearning* learning = nullptr;
  };
  // Requires: all are Concurrent and SiteLearning; those that decide Exhaustive and Measured.
  explicit Ensemble(std::vector<Member> members);

  std::optional<facts::Plan> next() override;
  void observe(const facts::Run& run) override;
  std::optional<facts::Batch> next_batch(std::uint64_t max) override;
  void observe_batch(const facts::Batch& batch, std::uint64_t runs) override;
  std::string guarantee() const override;
  bool complete() const override { return decided() != nullptr; }
  bool proves_all() const override {
    return decided() != nullptr && decided()->exhaustive->proves_all();
  }
  std::optional<Error> failure() const override;
  facts::SearchSize size() const override;
  std::optional<facts::SpaceEstimate> estimate() const override;
  std::vector<LearnedSites> learned_sites() const override;
  void start_with(const KnownSites& known) override;

 protected:
  std::vector<Member> members_;

 private:
  struct Flight {
    std::uint64_t ticket;         // ours
    std::uint64_t member_ticket;  // the member's
    Member* member;
  };

  const Member* decided() const;
  double progress(const Member& member) const;
  std::vector<Member*> by_turn();

  std::vector<Flight> flights_;
  std::uint64_t tickets_ = 0;
  Member* batch_ = nullptr;  // whose batch was the last
  bool in_batches_ = false;
};

// One of its members can be gone on with by a later campaign: then with this one alone.
class ResumableEnsemble : public Ensemble, public Resumable {
 public:
  // Requires: members[kept] is Resumable.
  ResumableEnsemble(std::vector<Member> members, std::size_t kept)
      : Ensemble(std::move(members)), kept_(kept) {}

  bool resumable() const override { return kept().resumable(); }
  bool finished() const override { return kept().finished(); }
  Status save(const std::string& path, std::string_view subject) override;
  Status load(const std::string& path, std::string_view subject) override;

 private:
  Resumable& kept() const { return *members_[kept_].resumable; }

  std::size_t kept_;
};

}  // namespace raddle::search
