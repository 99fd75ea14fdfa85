package import PlankDetection
package import PoseModel

/// Why a sweep or a choice is impossible.
package enum TuningError: Error, Hashable, Sendable, CustomStringConvertible {
  /// An axis has no value.
  case emptyAxis(ParameterKey)
  /// An axis lists a value twice.
  case repeatedValue(ParameterKey, Double)
  /// Two axes vary the same parameter.
  case repeatedAxis(ParameterKey)
  /// A step is not positive, the end is before the start, or a number is not finite.
  case invalidRange(ParameterKey, from: Double, to: Double, step: Double)
  /// A range has more values than an axis may have.
  case tooManyValues(ParameterKey, count: Int)
  /// Quantiles for a parameter that no rule compares with a measurement.
  case noMeasurement(ParameterKey)
  /// Quantiles of a measurement without a defined value in the parameter's range.
  case nothingObserved(ParameterKey)
  /// An axis varies a parameter that no detector of the experiment uses.
  case unusedAxis(ParameterKey, available: [ParameterKey])
  /// A grid has no detector.
  case noDetector
  /// Two detectors of a grid have the same name.
  case repeatedDetector([String])
  /// The bit-parallel engine was requested for a debounce that it cannot express.
  case notBitParallel(String)
  /// The environment asks for an engine that does not exist, or that this machine cannot run.
  case missingEngine(String, here: [String])
  /// A grid has more cells than can be counted.
  case gridTooLarge
  /// Every cell breaks a constraint between axes.
  case everyCellRejected(AnswerStream)
  /// A shard outside its count.
  case invalidShard(index: Int, count: Int)
  /// There are no sequences for tuning.
  case noSequences
  /// Two sequences have the same name.
  case repeatedSequence(String)
  /// A sequence has no subject, so that people cannot be held out.
  case missingSubject(sequence: String)
  /// Too few subjects to hold one out.
  case tooFewSubjects(found: Int, needed: Int)
  /// Too few sources to hold one out.
  case tooFewSources(found: Int)
  /// A subject has recordings in two sources, so that neither can be held out with its people.
  case subjectInTwoSources(String, String, String)
  /// More folds than subjects, or fewer than two.
  case invalidFolds(Int, subjects: Int)
  /// A goal mixes metrics of different streams.
  case mixedStreams(String, expected: AnswerStream)
  /// The objective has no value in any cell.
  case undefinedObjective(String)
  /// A constraint bounds a latency, and no start of the data was observed.
  case undefinedConstraint(String)

  /// What is wrong, what is allowed, and what to do.
  package var description: String {
    switch self {
    case .emptyAxis, .repeatedValue, .repeatedAxis, .invalidRange, .tooManyValues,
      .noMeasurement, .nothingObserved, .unusedAxis:
      axisDescription
    case .noDetector: "the experiment names no detector; name at least one"
    case .repeatedDetector(let names):
      "two detectors have the same name among \(names.joined(separator: ", ")); rename one"
    case .notBitParallel(let name):
      "the bit-parallel engine cannot express the debounce of `\(name)`; leave the engine at "
        + "`auto`, or use `streaming`"
    case .missingEngine(let name, let here):
      "\(SweepEngine.variable) is `\(name)`, which does not run here; give "
        + here.joined(separator: ", ") + ", or unset it"
    case .gridTooLarge: "the grid has more cells than can be counted; coarsen its axes"
    case .everyCellRejected(let stream):
      "the constraints between axes reject every \(stream.rawValue) cell; loosen one"
    case .invalidShard(let index, let count):
      "shard \(index)/\(count) does not exist; give 0/\(max(count, 1)) to "
        + "\(max(count, 1) - 1)/\(max(count, 1))"
    case .noSequences, .repeatedSequence, .missingSubject, .tooFewSubjects, .tooFewSources,
      .subjectInTwoSources, .invalidFolds:
      dataDescription
    case .mixedStreams(let name, let expected):
      "`\(name)` does not belong to the \(expected.rawValue) stream; tune each stream by its own "
        + "metrics"
    case .undefinedObjective(let name):
      "`\(name)` has no value in any cell; choose another objective or label more classes"
    case .undefinedConstraint(let text):
      "`\(text)` cannot be judged: no start was observed, because every event begins where scoring "
        + "begins; bound hit_rate or transitions instead, or label the movements before planks"
    }
  }

  private var dataDescription: String {
    switch self {
    case .noSequences:
      "no sequence has labels to tune on; label recordings, or name a split with labeled ones"
    case .repeatedSequence(let name): "two sequences are called \(name); rename one"
    case .missingSubject(let sequence):
      "the sequence \(sequence) names no subject, so people cannot be held out; add subjects "
        + "to the manifest or give --allow-ungrouped"
    case .tooFewSubjects(let found, let needed):
      "validation needs \(CountText.of(needed, "subject")), but there "
        + (found == 1 ? "is 1" : "are \(found)") + "; record more people"
    case .tooFewSources(let found):
      "there \(found == 1 ? "is 1 source" : "are \(found) sources") and holding one out needs 2; "
        + "name another dataset, or a tag that tells sources apart"
    case .subjectInTwoSources(let subject, let first, let second):
      "the subject \(subject) is in the sources \(first) and \(second), so neither can be held out "
        + "with all of its people; hold out subjects, or tell sources apart by a tag that has "
        + "only one value for each person"
    case .invalidFolds(let folds, let subjects):
      "\(CountText.of(subjects, "subject")) cannot be split into \(CountText.of(folds, "fold")); "
        + "give 2 to \(subjects)"
    default: ""
    }
  }

  private var axisDescription: String {
    switch self {
    case .emptyAxis(let key): "the axis \(key.rawValue) has no value; list at least one"
    case .repeatedValue(let key, let value):
      "the axis \(key.rawValue) lists \(value) twice; remove one"
    case .repeatedAxis(let key): "two axes vary \(key.rawValue); remove one"
    case .invalidRange(let key, let from, let to, let step):
      "the axis \(key.rawValue) cannot go from \(from) to \(to) by \(step); give a finite start, "
        + "an end that is not before it, and a positive step"
    case .tooManyValues(let key, let count):
      "the axis \(key.rawValue) has \(count) values; use a larger step"
    case .noMeasurement(let key):
      "no rule compares a measurement with \(key.rawValue), so it has no quantiles; list values"
    case .nothingObserved(let key):
      "no measurement in the range of \(key.rawValue) was observed; list values"
    case .unusedAxis(let key, let available):
      "no detector of the experiment uses \(key.rawValue); they use "
        + available.map(\.rawValue).joined(separator: ", ")
    default: ""
    }
  }
}
