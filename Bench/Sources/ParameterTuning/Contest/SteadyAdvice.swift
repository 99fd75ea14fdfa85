internal import Evaluation

/// What to do about wrong changes of the answer, as far as the data can tell.
package enum SteadyAdvice: Hashable, Sendable {
  /// The debounce rule makes fewer wrong changes than the smoother, and than no rule.
  case debounce
  /// The smoother makes fewer than the debounce rule and than the answers as they are.
  case smooth
  /// Both make fewer than the answers as they are; which makes fewer cannot be told.
  case either
  /// Only the debounce rule is shown to make fewer than the answers as they are.
  case debounceAlone
  /// Only the smoother is.
  case smoothAlone
  /// Each is better in one stream, or better in one and worse in the other.
  case mixed
  /// Neither is shown to make fewer.
  case keep
  /// Nobody is left to choose by.
  case tooFewPeople
}

extension SteadyContest {
  /// What follows from the metric that decides, in both streams.
  package var advice: SteadyAdvice {
    guard isHeldOut else { return .tooFewPeople }
    let primary = rows.filter(\.isPrimary)
    func finding(_ difference: (Row) -> Difference) -> (helps: Bool, harms: Bool) {
      let verdicts = primary.map { difference($0).verdict }
      return (verdicts.contains(.better), verdicts.contains(.worse))
    }
    let smoothed = finding(\.smoothingChange)
    let debounced = finding(\.debounceChange)
    let difference = finding(\.difference)
    let canSmooth = smoothed.helps && !smoothed.harms
    let canDebounce = debounced.helps && !debounced.harms
    if difference.helps && difference.harms { return .mixed }
    if smoothed.helps && smoothed.harms || debounced.helps && debounced.harms { return .mixed }
    switch (canSmooth, canDebounce) {
    case (true, true):
      return difference.helps ? .debounce : difference.harms ? .smooth : .either
    case (false, true):
      return !difference.harms ? .debounceAlone : smoothed.harms ? .mixed : .smooth
    case (true, false):
      return !difference.helps ? .smoothAlone : debounced.harms ? .mixed : .debounce
    case (false, false): return .keep
    }
  }
}
