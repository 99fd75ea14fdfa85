internal import PoseModel

/// A chain of causal filters, first to last; without steps nothing is smoothed.
///
/// Steps on joints come before steps on measurements, because measurements are made from joints.
/// A strategy is a value: a detector is made with it, and reports print it.
public struct SmoothingStrategy: Hashable, Sendable {
  /// The steps in order; steps that do nothing are left out.
  public let steps: [SmoothingStep]

  /// How long a signal may be missing before its filters start afresh.
  public static var largestGap: Double { FrameTiming.longestGap }

  /// Checks and makes a chain.
  ///
  /// - Throws: `StrategyError.jointsAfterMeasurements` for steps in the wrong order.
  public init(_ steps: [SmoothingStep]) throws(StrategyError) {
    let firstOnMeasurements = steps.firstIndex { $0.target == .measurements } ?? steps.endIndex
    guard steps[firstOnMeasurements...].allSatisfy({ $0.target == .measurements }) else {
      throw .jointsAfterMeasurements
    }
    self.steps = steps.filter { $0.settings.kind != .none }
  }

  /// No smoothing.
  public static let none = SmoothingStrategy()

  private init() { steps = [] }

  /// Whether nothing is smoothed.
  public var isEmpty: Bool { steps.isEmpty }

  /// The steps on a target, in order.
  public func steps(on target: SmoothingTarget) -> [SmoothingStep] {
    steps.filter { $0.target == target }
  }
}

extension SmoothingStrategy: Codable {
  /// Reads a list of steps.
  ///
  /// - Throws: `DecodingError` for steps that are not allowed or stand in the wrong order.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      try self.init(container.decode([SmoothingStep].self))
    } catch let error as StrategyError {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
    }
  }

  /// Writes the steps as a list.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(steps)
  }
}
