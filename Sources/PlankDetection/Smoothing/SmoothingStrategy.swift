internal import PoseModel

/// A chain of causal filters, first to last; without steps nothing is smoothed.
///
/// Steps on joints come before steps on measurements, because measurements are made from joints.
/// A strategy is a value: a detector is made with it, and reports print it.
public struct SmoothingStrategy: Hashable, Sendable {
  /// The steps in order; steps that do nothing are left out.
  public let steps: [SmoothingStep]

  /// How long a signal may be missing before its filters restart.
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

#if !hasFeature(Embedded)
  extension SmoothingStrategy: Codable {
    /// Decodes a list of steps and checks them.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      do {
        try self.init(container.decode([SmoothingStep].self))
      } catch let error as StrategyError {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
      }
    }

    /// Encodes the steps as a list.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(steps)
    }
  }
#endif

/// One filter of a strategy: its kind, its parameters, and its target.
public struct SmoothingStep: Hashable, Sendable {
  /// The kind with a value for each parameter.
  public let settings: StrategySettings<SmoothingKind>
  /// What the filter smooths.
  public let target: SmoothingTarget

  /// Makes a step.
  ///
  /// - Parameters:
  ///   - kind: the filter.
  ///   - values: parameters in the units of the catalogue; the others take their defaults.
  ///   - target: what the filter smooths.
  /// - Throws: `StrategyError` for parameters that the kind lacks or does not allow.
  public init(
    _ kind: SmoothingKind, _ values: [ParameterKey: Double] = [:],
    on target: SmoothingTarget = .joints
  ) throws(StrategyError) {
    self.init(settings: try StrategySettings(kind, values), on: target)
  }

  /// Makes a step from settings.
  public init(settings: StrategySettings<SmoothingKind>, on target: SmoothingTarget) {
    self.settings = settings
    self.target = target
  }
}

#if !hasFeature(Embedded)
  extension SmoothingStep: Codable {
    private enum CodingKeys: String, CodingKey { case target }

    /// Decodes settings and target, and checks them against the catalogue.
    public init(from decoder: any Decoder) throws {
      settings = try StrategySettings(from: decoder)
      let container = try decoder.container(keyedBy: CodingKeys.self)
      target = try container.decode(SmoothingTarget.self, forKey: .target)
    }

    /// Encodes settings and target into one object.
    public func encode(to encoder: any Encoder) throws {
      try settings.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(target, forKey: .target)
    }
  }
#endif

/// What a smoothing step smooths.
public enum SmoothingTarget: String, CaseIterable, Hashable, Sendable {
  /// The coordinates of the joints, in the axes of evaluation.
  ///
  /// Pelvis positions are turned by their matrix first: pelvis axes turn with the body.
  case joints
  /// The measurements of a frame; angles that wrap around are unwrapped.
  case measurements
}

#if !hasFeature(Embedded)
  extension SmoothingTarget: Codable {}
#endif
