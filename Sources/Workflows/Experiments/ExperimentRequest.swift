internal import Specifications

/// An experiment with what a command line changes of it.
package struct ExperimentRequest: Sendable {
  /// The experiment's file, or the folder that holds an `experiment.yaml`.
  package var file: String
  /// Axes as `--axis` gives them.
  package var axes: [String]
  /// Assignments as `--set` gives them.
  package var assignments: [String]
  /// Smoothings as `--smoothing` gives them.
  package var smoothings: [String]
  /// Debounces as `--debounce` gives them.
  package var debounces: [String]
  /// The dataset instead of the experiment's; seen from the current folder.
  package var dataset: String?
  /// The split instead of the experiment's.
  package var split: String?
  /// The seed instead of the experiment's.
  package var seed: UInt64?
  /// Whether sequences without a subject stand for themselves.
  package var allowsUngrouped: Bool
  /// Whether a store or tables may be larger than they usually should.
  package var allowsLarge: Bool
  /// The engine.
  package var engine: EngineChoice
  /// How many cores work; nil takes all.
  package var jobs: Int?

  /// Makes a request.
  package init(
    file: String, axes: [String] = [], assignments: [String] = [],
    smoothings: [String] = [], debounces: [String] = [], dataset: String? = nil,
    split: String? = nil, seed: UInt64? = nil, allowsUngrouped: Bool = false,
    allowsLarge: Bool = false, engine: EngineChoice = .auto, jobs: Int? = nil
  ) {
    self.file = file
    self.axes = axes
    self.assignments = assignments
    self.smoothings = smoothings
    self.debounces = debounces
    self.dataset = dataset
    self.split = split
    self.seed = seed
    self.allowsUngrouped = allowsUngrouped
    self.allowsLarge = allowsLarge
    self.engine = engine
    self.jobs = jobs
  }

  /// The overrides, read.
  func overrides() throws(WorkflowFailure) -> ExperimentOverrides {
    var texts: [AxisText] = []
    for axis in axes {
      do {
        texts.append(try AxisText(assignment: axis))
      } catch {
        throw WorkflowFailure(.usage, "--axis \(axis): \(error)")
      }
    }
    var named = Set(assignments.map { String($0.prefix { $0 != "=" }) })
    for text in texts where !named.insert(text.key).inserted {
      throw WorkflowFailure(
        .usage, "--axis \(text.key): is named twice, as an axis or with --set; keep one of them")
    }
    return ExperimentOverrides(
      axes: texts, assignments: assignments, smoothings: smoothings, debounces: debounces,
      dataset: dataset, split: split, seed: seed)
  }
}
