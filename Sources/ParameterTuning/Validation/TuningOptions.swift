/// How a recommendation is made and checked.
package struct TuningOptions: Hashable, Sendable {
  /// How people are held out; nil for no validation.
  package var validation: ValidationScheme?
  /// How many resamples of subjects test whether the choice is stable.
  package var resamples: Int
  /// Whether breakpoints inside the plateau are tried.
  package var refines: Bool
  /// Whether sequences without a subject stand for themselves.
  package var allowsUngrouped: Bool
  /// The seed of folds and resamples.
  package var seed: UInt64
  /// How many cores work at the same time.
  package var jobs: Int
  /// What evaluates cells.
  package var engine: SweepEngine

  /// Makes options.
  package init(
    validation: ValidationScheme? = .leaveOneSubjectOut, resamples: Int = 100,
    refines: Bool = true, allowsUngrouped: Bool = false, seed: UInt64 = 1, jobs: Int = 1,
    engine: SweepEngine = .automatic
  ) {
    self.validation = validation
    self.resamples = resamples
    self.refines = refines
    self.allowsUngrouped = allowsUngrouped
    self.seed = seed
    self.jobs = jobs
    self.engine = engine
  }
}
