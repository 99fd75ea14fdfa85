public import PoseModel

/// How raw labels become steady answers, a stream at a time, and which thresholds have hysteresis.
///
/// A stream without a rule is debounced as its detector says: `plank_frames`, `form_frames`.
/// Dropouts mean the same to every rule: see `Debouncer`.
public struct DebounceStrategy: Hashable, Sendable, Codable {
  /// The rule of the plank stream; nil leaves it to `plank_frames`.
  public var plank: StrategySettings<DebounceKind>?
  /// The rule of the form stream; nil leaves it to `form_frames`.
  public var form: StrategySettings<DebounceKind>?
  /// Hysteresis around thresholds, one band a parameter.
  public let bands: [SchmittBand]

  /// Makes a strategy.
  ///
  /// - Throws: `StrategyError.repeatedBand` for two bands of one parameter.
  public init(
    plank: StrategySettings<DebounceKind>? = nil, form: StrategySettings<DebounceKind>? = nil,
    bands: [SchmittBand] = []
  ) throws(StrategyError) {
    for (index, band) in bands.enumerated()
    where bands[..<index].contains(where: { $0.parameter == band.parameter }) {
      throw .repeatedBand(band.parameter)
    }
    self.plank = plank
    self.form = form
    self.bands = bands
  }

  /// As the detector's own parameters say.
  public static let parameters = DebounceStrategy()

  private init() {
    plank = nil
    form = nil
    bands = []
  }

  /// The rule of a stream, or nil where the detector's parameters rule.
  public subscript(stream: AnswerStream) -> StrategySettings<DebounceKind>? {
    stream == .plank ? plank : form
  }
}
