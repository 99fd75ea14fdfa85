/// The causal filters that there are, with their names in text form.
public enum SmoothingKind: String, StrategyKind {
  /// The signal as it is.
  case none
  /// The mean of the last samples.
  case movingAverage = "moving-average"
  /// Exponential smoothing with a cutoff frequency.
  case exponential = "ema"
  /// Double exponential smoothing: a level and its trend.
  case holt
  /// The median of the last samples.
  case median
  /// The signal, with the median in place of outliers.
  case hampel
  /// The one-euro filter: its cutoff rises with the speed.
  case oneEuro = "one-euro"
  /// A polynomial fitted to the last samples, read at the newest one.
  case savitzkyGolay = "savitzky-golay"
  /// A Kalman filter of a point at constant velocity.
  case kalman
  /// A Butterworth low-pass of second order.
  case butterworth
  /// What ML Kit's sample apps do: exponential weights over a short window.
  case mlKit = "ml-kit"

  /// What the list is called in messages.
  public static var family: String { "smoothing" }

  /// What it does, in one line.
  public var summary: String {
    switch self {
    case .none: "the signal as it is"
    case .movingAverage: "mean of the last samples"
    case .exponential: "exponential smoothing with an exact cutoff"
    case .holt: "level and trend, each smoothed exponentially"
    case .median: "median of the last samples"
    case .hampel: "the signal, with the median of the last samples in place of outliers"
    case .oneEuro: "low-pass whose cutoff rises with the speed"
    case .savitzkyGolay: "polynomial fitted to the last samples, read at the newest one"
    case .kalman: "Kalman filter of a point at constant velocity"
    case .butterworth: "second-order Butterworth low-pass in state-variable form"
    case .mlKit: "ML Kit's exponential weights over a short window"
    }
  }

  /// The parameters in the order of documentation and output.
  public var parameters: [ParameterDefinition] { SmoothingCatalogue.parameters(of: self) }

  /// Windows count frames or seconds.
  public var alternatives: [ParameterKey] {
    switch self {
    case .movingAverage, .median, .hampel, .savitzkyGolay: [.windowFrames, .windowSeconds]
    case .none, .exponential, .holt, .oneEuro, .kalman, .butterworth, .mlKit: []
    }
  }

  /// A polynomial's degree is a whole number, and it needs more samples than that.
  public func contradiction(in values: [ParameterKey: Double]) -> String? {
    guard let degree = values[.degree] else { return nil }
    guard degree == degree.rounded(.down) else {
      return "the degree \(degree) of a polynomial is no whole number; give 0, 1, 2 or 3"
    }
    guard let frames = values[.windowFrames], frames <= degree else { return nil }
    return "a polynomial of degree \(Int(degree)) needs more than \(Int(degree)) frames; "
      + "give frames=\(Int(degree) + 1) or more"
  }
}
