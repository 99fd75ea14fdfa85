internal import ParameterTuning
internal import PlankDetection
internal import Specifications

extension WorkflowFailure {
  /// A failure to sweep or to choose, with the place of the setting that the data do not allow.
  ///
  /// Settings of the command line are named as options; what neither says has no place.
  init(_ error: TuningError, _ experiment: Experiment, _ request: ExperimentRequest) {
    let problem = "\(error)"
    switch error {
    case .notBitParallel, .invalidShard: self.init(.badData, problem)
    default:
      if let option = request.option(of: error) {
        self.init(.usage, "\(option): \(problem)")
      } else {
        let fields = error.fields.filter { $0 != "dataset" || request.dataset == nil }
        self.init(.badData, experiment.places.message(fields, problem))
      }
    }
  }
}

extension ExperimentRequest {
  /// The option that gave what an error is about; nil where the file did.
  fileprivate func option(of error: TuningError) -> String? {
    if let key = error.axis?.rawValue,
      let axis = axes.first(where: { $0.prefix { $0 != "=" } == key })
    {
      return "--axis \(axis)"
    }
    guard case .noSequences = error else { return nil }
    return split.map { "--split \($0)" } ?? dataset.map { "--dataset \($0)" }
  }
}

extension TuningError {
  /// The axis that an error is about; nil for others.
  fileprivate var axis: ParameterKey? {
    switch self {
    case .emptyAxis(let key), .repeatedValue(let key, _), .repeatedAxis(let key),
      .invalidRange(let key, _, _, _), .tooManyValues(let key, _), .noMeasurement(let key),
      .nothingObserved(let key), .unusedAxis(let key, _):
      key
    default: nil
    }
  }

  /// The settings of an experiment that an error is about, the nearest first.
  fileprivate var fields: [String] {
    if let axis { return ["axes.\(axis.rawValue)", "axes"] }
    return switch self {
    case .gridTooLarge: ["axes"]
    case .everyCellRejected: ["constraints"]
    case .invalidFolds, .tooFewSubjects: ["validation.subject_folds", "validation"]
    case .missingSubject: ["allow_ungrouped", "dataset"]
    case .noSequences: ["split", "dataset"]
    case .repeatedSequence: ["dataset"]
    case .noDetector, .repeatedDetector: ["detector"]
    case .unknownMetric, .mixedStreams, .undefinedObjective: ["objective"]
    default: []
    }
  }
}
