package import PlankDetection

/// A smoothing strategy as the bench compares it: a chain of causal filters, which an app can ship,
/// or a filter that looks ahead, which bounds what any causal one could do.
package enum SmoothingChoice: Hashable, Sendable {
  /// A chain of causal filters; the empty chain smooths nothing.
  case causal(SmoothingStrategy)
  /// A filter that needs the whole recording.
  case offline(StrategySettings<OfflineKind>, SmoothingTarget)

  /// No smoothing.
  package static let none = SmoothingChoice.causal(.none)

  /// Whether an answer depends on nothing later.
  package var isCausal: Bool {
    if case .causal = self { return true }
    return false
  }

  /// Whether nothing is smoothed.
  package var isNone: Bool { self == .none }
}

extension SmoothingChoice {
  /// Reads a strategy: steps joined by +, each `name:key=value,...@joints` or `@measurements`.
  ///
  /// What is left out takes its default; the target is `joints` unless given.
  ///
  /// - Throws: `StrategyTextError` naming the step, what was found and what is allowed.
  package init(text: String) throws(StrategyTextError) {
    let steps = try StepText.steps(of: text)
    var causal: [SmoothingStep] = []
    for step in steps {
      let target = try Self.target(of: step)
      if let kind = OfflineKind(rawValue: step.name) {
        guard steps.count == 1 else { throw .lookingAhead(step: step.name) }
        self = .offline(try step.settings(kind), target)
        return
      }
      guard let kind = SmoothingKind(rawValue: step.name) else {
        throw .unknownStep(step.name, family: SmoothingKind.family, known: Self.names)
      }
      causal.append(SmoothingStep(settings: try step.settings(kind), on: target))
    }
    do {
      self = .causal(try SmoothingStrategy(causal))
    } catch {
      throw .invalidStrategy("\(error)")
    }
  }

  /// The strategy with every number; reading it gives the strategy again.
  package var text: String {
    switch self {
    case .causal(let strategy):
      strategy.isEmpty
        ? SmoothingKind.none.rawValue
        : strategy.steps.map { $0.settings.text + "@" + $0.target.rawValue }
          .joined(separator: "+")
    case .offline(let settings, let target): settings.text + "@" + target.rawValue
    }
  }

  /// The strategy for a table: without targets, and without later parameters at their defaults.
  package var shortText: String {
    switch self {
    case .causal(let strategy):
      strategy.isEmpty
        ? SmoothingKind.none.rawValue
        : strategy.steps.map(\.settings.shortText).joined(separator: "+")
    case .offline(let settings, _): settings.shortText
    }
  }

  /// The names of all steps, causal ones first.
  package static var names: [String] {
    SmoothingKind.allCases.map(\.rawValue) + OfflineKind.allCases.map(\.rawValue)
  }

  private static func target(of step: StepText) throws(StrategyTextError) -> SmoothingTarget {
    guard let text = step.target else { return .joints }
    guard let target = SmoothingTarget(rawValue: text) else {
      throw .unknownTarget(
        step: step.name, found: text, allowed: SmoothingTarget.allCases.map(\.rawValue))
    }
    return target
  }
}
