package import ParameterTuning

/// What a run is of, as the caller knows it; the grid stands in the plan.
package struct RunIdentity: Hashable, Sendable {
  /// The data of a run.
  package struct Dataset: Hashable, Sendable {
    /// The name, for people.
    package let name: String
    /// The identity of all files, in hexadecimal.
    package let hash: String
    /// The split; nil for all sequences.
    package let split: String?

    /// States which data.
    package init(name: String, hash: String, split: String?) {
      self.name = name
      self.hash = hash
      self.split = split
    }

    /// Hash and split in one text, which resuming compares.
    var text: String { hash + (split.map { ", split \($0)" } ?? "") }
  }

  /// The experiment's name: runs of one name continue each other.
  package let experiment: String
  /// The data.
  package let dataset: Dataset
  /// The program, exact enough that two of the same text give the same numbers.
  package let program: String
  /// The seed.
  package let seed: UInt64
  /// Which part of the grid.
  package let shard: Shard

  /// States an identity.
  package init(
    experiment: String, dataset: Dataset, program: String, seed: UInt64, shard: Shard = .whole
  ) {
    self.experiment = experiment
    self.dataset = dataset
    self.program = program
    self.seed = seed
    self.shard = shard
  }
}
