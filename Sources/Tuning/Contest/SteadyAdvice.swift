internal import Evaluation

package enum SteadyAdvice: Hashable, Sendable {
  case debounce
  case smooth
  case either
  case debounceAlone
  case smoothAlone
  /// A smoother and a debounce rule together make fewer than what either side alone would advise.
  case combine
  case combineAlone
  case mixed
  case keep
  case tooFewPeople

  package var taken: [SteadyContest.Answers] {
    switch self {
    case .debounce, .debounceAlone: [.debounced]
    case .smooth, .smoothAlone: [.smoothed]
    case .either: [.debounced, .smoothed]
    case .combine, .combineAlone: [.combined]
    case .mixed, .keep, .tooFewPeople: []
    }
  }
}

extension SteadyContest {
  /// Two stages take more to build and to explain than one, so the pair is advised only where it is
  /// shown to do more.
  package var advice: SteadyAdvice {
    guard isHeldOut else { return .tooFewPeople }
    let alone = adviceOnOne
    guard finding(.combining).isGain else { return alone }
    if alone == .keep { return .combineAlone }
    let rivals = alone == .mixed ? [.smoothed, .debounced] : alone.taken
    let beatsAll = rivals.allSatisfy { rival in
      finding(rival == .smoothed ? .combinedMinusSmoothed : .combinedMinusDebounced).isGain
    }
    return beatsAll ? .combine : alone
  }

  private var adviceOnOne: SteadyAdvice {
    let smoothed = finding(.smoothing)
    let debounced = finding(.debouncing)
    let difference = finding(.debouncedMinusSmoothed)
    if [smoothed, debounced, difference].contains(where: { $0.helps && $0.harms }) {
      return .mixed
    }
    switch (smoothed.isGain, debounced.isGain) {
    case (true, true):
      return difference.helps ? .debounce : difference.harms ? .smooth : .either
    case (false, true):
      return !difference.harms ? .debounceAlone : smoothed.harms ? .mixed : .smooth
    case (true, false):
      return !difference.helps ? .smoothAlone : debounced.harms ? .mixed : .debounce
    case (false, false): return .keep
    }
  }

  private struct Finding {
    let helps: Bool
    let harms: Bool

    var isGain: Bool { helps && !harms }
  }

  private func finding(_ contrast: Contrast) -> Finding {
    let verdicts = rows.filter(\.isPrimary).map { $0[contrast].verdict }
    return Finding(helps: verdicts.contains(.better), harms: verdicts.contains(.worse))
  }
}
