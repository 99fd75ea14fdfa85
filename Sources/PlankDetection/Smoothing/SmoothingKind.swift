internal import PoseModel

/// The causal filters, with their names in text form.
public enum SmoothingKind: String, StrategyKind {
  /// The signal unchanged.
  case none
  /// The mean of the last samples.
  case movingAverage = "moving-average"
  /// Exponential smoothing with a cutoff frequency.
  case exponential = "ema"
  /// Double exponential smoothing of a level and its trend.
  case holt
  /// The median of the last samples.
  case median
  /// The signal, with outliers replaced by the median.
  case hampel
  /// The one-euro filter, whose cutoff rises with the speed.
  case oneEuro = "one-euro"
  /// A polynomial fitted to the last samples, evaluated at the newest one.
  case savitzkyGolay = "savitzky-golay"
  /// A Kalman filter of a point at constant velocity.
  case kalman
  /// A second-order Butterworth low-pass.
  case butterworth
  /// Exponential weights over a short window, as in ML Kit's sample apps.
  case mlKit = "ml-kit"

  /// The name of the family in messages.
  public static var family: String { "smoothing" }

  /// What the filter does, in one line.
  public var summary: String {
    switch self {
    case .none: "the signal as it is"
    case .movingAverage: "mean of the last samples"
    case .exponential: "exponential smoothing with an exact cutoff"
    case .holt: "level and trend, each smoothed exponentially"
    case .median: "median of the last samples"
    case .hampel: "the signal, with the median of the last samples in place of outliers"
    case .oneEuro: "low-pass whose cutoff rises with the speed"
    case .savitzkyGolay: "polynomial fitted to the last samples, evaluated at the newest one"
    case .kalman: "Kalman filter of a point at constant velocity"
    case .butterworth: "second-order Butterworth low-pass in state-variable form"
    case .mlKit: "ML Kit's exponential weights over a short window"
    }
  }

  /// The parameters in the order used in documentation and output.
  public var parameters: [ParameterDefinition] {
    switch self {
    case .none: []
    case .movingAverage, .median: Self.window(9)
    case .exponential, .butterworth: [Self.cutoff]
    case .holt:
      [
        .init(checked: .alpha, .ratio, 0.3, 0.001...1, "weight of the newest sample in the level"),
        .init(checked: .beta, .ratio, 0.1, 0...1, "weight of the newest slope in the trend"),
      ]
    case .hampel: Self.window(9) + [Self.threshold]
    case .oneEuro:
      [
        .init(checked: .minCutoff, .hertz, 1, 0.0001...30, "cutoff at rest"),
        .init(
          checked: .beta, .ratio, 0, 0...1000,
          "how far the cutoff rises per unit of speed (Hz s / unit)"),
        .init(checked: .derivativeCutoff, .hertz, 1, 0.0001...30, "cutoff of the speed"),
      ]
    case .savitzkyGolay: Self.window(15) + [Self.degree]
    case .kalman:
      [
        .init(
          checked: .processNoise, .ratio, 0.002, 1e-9...1e9,
          "spectral density of the acceleration (unit^2 / s^3)"),
        .init(
          checked: .measurementNoise, .ratio, 0.011, 1e-9...1e9,
          "standard deviation of a sample (unit); only processNoise over its square matters"),
      ]
    case .mlKit:
      [
        .init(checked: .windowFrames, .frames, 10, 1...301, "samples in the window"),
        .init(
          checked: .alpha, .ratio, 0.2, 0...0.999,
          "share by which the weight falls from sample to sample"),
        .init(
          checked: .resetGap, .seconds, 0.1, 0.001...0.5, "gap after which the filter starts over"),
      ]
    }
  }

  private static func window(_ frames: Double) -> [ParameterDefinition] {
    [
      .init(checked: .windowFrames, .frames, frames, 1...301, "samples in the window"),
      .init(
        checked: .windowSeconds, .seconds, frames / 30, 0.001...10,
        "time in the window, instead of a number of samples"),
    ]
  }

  private static let cutoff = ParameterDefinition(
    checked: .cutoff, .hertz, 1.5, 0.01...30, "frequency at which half of the power passes")

  private static let threshold = ParameterDefinition(
    checked: .threshold, .ratio, 3, 0...100,
    "standard deviations, from the median deviation, beyond which a sample is an outlier")

  private static let degree = ParameterDefinition(
    checked: .degree, .ratio, 1, 0...3, "degree of the polynomial: 0, 1, 2 or 3")

  /// A window is given either in frames or in seconds.
  public var alternatives: [ParameterKey] {
    switch self {
    case .movingAverage, .median, .hampel, .savitzkyGolay: [.windowFrames, .windowSeconds]
    case .none, .exponential, .holt, .oneEuro, .kalman, .butterworth, .mlKit: []
    }
  }

  /// Returns why the degree is invalid; nil if it is valid.
  ///
  /// The degree must be a whole number and, if the number of samples is given, below that number.
  public func contradiction(in values: [ParameterKey: Double]) -> String? {
    guard let degree = values[.degree] else { return nil }
    guard degree == degree.rounded(.down) else {
      return "the degree \(degree) of a polynomial is not a whole number; give 0, 1, 2 or 3"
    }
    guard let frames = values[.windowFrames], frames <= degree else { return nil }
    return "a polynomial of degree \(Int(degree)) needs more than \(Int(degree)) frames; "
      + "give frames=\(Int(degree) + 1) or more"
  }
}

extension ParameterKey {
  /// How many samples a window holds.
  public static let windowFrames = ParameterKey("frames")
  /// The length of a window in seconds.
  public static let windowSeconds = ParameterKey("seconds")
  /// The frequency in hertz at which a low-pass halves the power.
  public static let cutoff = ParameterKey("cutoff")
  /// The weight of the newest sample.
  public static let alpha = ParameterKey("alpha")
  /// The weight of the newest slope (holt), or how much the cutoff rises with the speed (one-euro).
  public static let beta = ParameterKey("beta")
  /// The number of standard deviations beyond which a sample is an outlier.
  public static let threshold = ParameterKey("threshold")
  /// The cutoff at rest, in hertz.
  public static let minCutoff = ParameterKey("minCutoff")
  /// The cutoff of the speed, in hertz.
  public static let derivativeCutoff = ParameterKey("derivativeCutoff")
  /// The degree of a polynomial.
  public static let degree = ParameterKey("degree")
  /// The spectral density of the acceleration.
  public static let processNoise = ParameterKey("processNoise")
  /// The standard deviation of a sample.
  public static let measurementNoise = ParameterKey("measurementNoise")
  /// The gap in the samples after which a filter restarts.
  public static let resetGap = ParameterKey("reset")
}

/// A chain of causal filters in order; without steps, nothing is smoothed.
///
/// Steps on joints come before steps on measurements, because measurements are computed from
/// joints.
public struct SmoothingStrategy: Hashable, Sendable {
  /// The steps in order, without those that do nothing.
  public let steps: [SmoothingStep]

  /// How long a signal may be missing before its filters restart, in seconds.
  public static var largestGap: Double { FrameTiming.longestGap }

  /// Creates a chain after checking the order of the steps.
  ///
  /// - Throws: `StrategyError.jointsAfterMeasurements` for steps in the wrong order.
  public init(_ steps: [SmoothingStep]) throws(StrategyError) {
    let firstOnMeasurements = steps.firstIndex { $0.target == .measurements } ?? steps.endIndex
    guard steps[firstOnMeasurements...].allSatisfy({ $0.target == .measurements }) else {
      throw .jointsAfterMeasurements
    }
    self.steps = steps.filter { $0.settings.kind != .none }
  }

  /// The strategy that smooths nothing.
  public static let none = SmoothingStrategy()

  private init() { steps = [] }

  /// Whether the strategy smooths nothing.
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
    public func encode(to encoder: any Encoder) throws { try steps.encode(to: encoder) }
  }
#endif

/// One filter of a strategy: its kind, its parameters, and its target.
public struct SmoothingStep: Hashable, Sendable {
  /// The kind with a value for each parameter.
  public let settings: StrategySettings<SmoothingKind>
  /// What the filter smooths.
  public let target: SmoothingTarget

  /// Creates a step after checking its parameters.
  ///
  /// - Parameters:
  ///   - kind: the filter.
  ///   - values: parameters in the units of the catalog; all other parameters take their
  ///     defaults.
  ///   - target: what the filter smooths.
  /// - Throws: `StrategyError` for parameters that the kind lacks or does not allow.
  public init(
    _ kind: SmoothingKind, _ values: [ParameterKey: Double] = [:],
    on target: SmoothingTarget = .joints
  ) throws(StrategyError) { self.init(settings: try StrategySettings(kind, values), on: target) }

  /// Combines settings with a target.
  public init(settings: StrategySettings<SmoothingKind>, on target: SmoothingTarget) {
    self.settings = settings
    self.target = target
  }
}

#if !hasFeature(Embedded)
  extension SmoothingStep: Codable {
    private enum CodingKeys: String, CodingKey { case target }

    /// Decodes settings and target, and checks them against the catalog.
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

/// The numbers that a smoothing step smooths.
public enum SmoothingTarget: String, CaseIterable, Hashable, Sendable {
  /// The coordinates of the joints, in the axes of evaluation.
  ///
  /// Positions in pelvis axes are turned by their camera matrix before smoothing, because pelvis
  /// axes turn with the body.
  case joints
  /// The measurements of a frame; angles that wrap around are unwrapped first.
  case measurements
}

#if !hasFeature(Embedded)
  extension SmoothingTarget: Codable {}
#endif
