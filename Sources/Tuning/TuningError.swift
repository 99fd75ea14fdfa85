package import PlankDetection
package import PoseModel

package enum TuningError: Error, Hashable, Sendable, CustomStringConvertible {
  case emptyAxis(ParameterKey)
  case repeatedValue(ParameterKey, Double)
  case repeatedAxis(ParameterKey)
  case invalidRange(ParameterKey, from: Double, to: Double, step: Double)
  case tooManyValues(ParameterKey, count: Int)
  case noMeasurement(ParameterKey)
  case nothingObserved(ParameterKey)
  case unusedAxis(ParameterKey, available: [ParameterKey])
  case noDetector
  case repeatedDetector([String])
  case notBitParallel(String)
  case missingEngine(String, here: [String])
  case gridTooLarge
  case everyCellRejected(AnswerStream)
  case noSequences
  case repeatedSequence(String)
  case missingSubject(sequence: String)
  case tooFewSubjects(found: Int, needed: Int)
  case tooFewSources(found: Int)
  case subjectInTwoSources(String, String, String)
  case invalidFolds(Int, subjects: Int)
  case mixedStreams(String, expected: AnswerStream)
  case undefinedObjective(String)
  /// A constraint bounds a latency, but no start in the data was observed.
  case undefinedConstraint(String)

  package var description: String {
    switch self {
    case .emptyAxis(let key): "the axis \(key.rawValue) has no value; list at least one"
    case .repeatedValue(let key, let value):
      "the axis \(key.rawValue) lists \(value) twice; remove one"
    case .repeatedAxis(let key): "two axes vary \(key.rawValue); remove one"
    case .invalidRange(let key, let from, let to, let step):
      "the axis \(key.rawValue) cannot go from \(from) to \(to) by \(step); give a finite start, "
        + "an end not below it, and a positive step"
    case .tooManyValues(let key, let count):
      "the axis \(key.rawValue) has \(count) values; use a larger step"
    case .noMeasurement(let key):
      "no rule compares a measurement with \(key.rawValue), so it has no quantiles; list values"
    case .nothingObserved(let key):
      "no measurement in the range of \(key.rawValue) was observed; list values"
    case .unusedAxis(let key, let available):
      "no detector of the experiment uses \(key.rawValue); they use "
        + available.map(\.rawValue).joined(separator: ", ")
    case .noDetector: "the experiment names no detector; name at least one"
    case .repeatedDetector(let names):
      "two detectors have the same name among \(names.joined(separator: ", ")); rename one"
    case .notBitParallel(let name):
      "the bit-parallel engine cannot express the debounce of `\(name)`; leave the engine at "
        + "`auto`, or use `streaming`"
    case .missingEngine(let name, let here):
      "\(SweepEngine.variable) is `\(name)`, which does not run here; give "
        + here.joined(separator: ", ") + ", or unset it"
    case .gridTooLarge: "the grid has more configurations than can be counted; coarsen its axes"
    case .everyCellRejected(let stream):
      "the constraints between axes reject every \(stream.rawValue) configuration; loosen one"
    case .noSequences:
      "no sequence has labels to tune on; label recordings, or give a split that has labels"
    case .repeatedSequence(let name): "two sequences are called \(name); rename one"
    case .missingSubject(let sequence):
      "the sequence \(sequence) names no subject, so people cannot be held out; add subjects "
        + "to the manifest or give --allow-ungrouped"
    case .tooFewSubjects(let found, let needed):
      "validation needs \(CountText.of(needed, "subject")), but there "
        + (found == 1 ? "is 1" : "are \(found)") + "; record more people"
    case .tooFewSources(let found):
      "there \(found == 1 ? "is 1 source" : "are \(found) sources") but holding one out needs 2; "
        + "add another dataset, or a tag that distinguishes sources"
    case .subjectInTwoSources(let subject, let first, let second):
      "the subject \(subject) is in the sources \(first) and \(second), so neither can be held out "
        + "with all its people; hold out subjects, or distinguish sources by a tag with one value "
        + "per person"
    case .invalidFolds(let folds, let subjects):
      "\(CountText.of(subjects, "subject")) cannot be split into \(CountText.of(folds, "fold")); "
        + "give 2 to \(subjects)"
    case .mixedStreams(let name, let expected):
      "`\(name)` does not belong to the \(expected.rawValue) stream; tune each stream with its own "
        + "metrics"
    case .undefinedObjective(let name):
      "`\(name)` has no value in any configuration; choose another objective or label more classes"
    case .undefinedConstraint(let text):
      "`\(text)` cannot be judged: no start was observed, because every event is already under way "
        + "when scoring begins; bound hit_rate or transitions instead, or label the movements "
        + "before planks"
    }
  }
}
