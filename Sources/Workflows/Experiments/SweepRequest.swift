/// What `sweep` is asked for.
package struct SweepRequest: Sendable {
  /// The experiment.
  package var experiment: ExperimentRequest
  /// The store's file.
  package var store: String
  /// Whether an earlier run is continued.
  package var resumes: Bool
  /// Which part of the grid, such as `1/4`; nil for all of it.
  package var shard: String?
  /// How many cells of a stream the result lists.
  package var top: Int
  /// The face of the result.
  package var format: OutputFormat
  /// Whether text may be colored.
  package var usesColor: Bool

  /// Makes a request.
  package init(
    experiment: ExperimentRequest, store: String, resumes: Bool = false, shard: String? = nil,
    top: Int = 10, format: OutputFormat = .text, usesColor: Bool = false
  ) {
    self.experiment = experiment
    self.store = store
    self.resumes = resumes
    self.shard = shard
    self.top = top
    self.format = format
    self.usesColor = usesColor
  }
}
