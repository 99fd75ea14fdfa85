/// The numbers of the session's state machine and of its scores.
///
/// Made from a dictionary like every other set of parameters: missing ones take their defaults.
public struct SessionParameters: Hashable, Sendable {
  private let values: [ParameterKey: Double]

  /// Every parameter with unit, default, range and meaning.
  public static let definitions: [ParameterDefinition] = timers + scores

  /// The defaults.
  public static let standard = SessionParameters(
    values: Dictionary(uniqueKeysWithValues: definitions.map { ($0.key, $0.defaultValue) }))

  /// Checks and makes parameters.
  ///
  /// - Throws: `StrategyError` for unknown keys and values that are not allowed.
  public init(_ given: [ParameterKey: Double] = [:]) throws(StrategyError) {
    var values = Self.standard.values
    for (key, value) in given {
      guard let definition = Self.definitions.first(where: { $0.key == key }) else {
        throw .unknownParameter(
          key.rawValue, of: "session", available: Self.definitions.map { $0.key })
      }
      guard definition.accepts(value) else { throw .invalidValue(definition, value) }
      values[key] = value
    }
    self.values = values
  }

  private init(values: [ParameterKey: Double]) { self.values = values }

  /// The value of a parameter in its unit; nil for an unknown key.
  public subscript(key: ParameterKey) -> Double? { values[key] }

  func value(_ key: ParameterKey) -> Double { values[key] ?? 0 }

  private static let timers: [ParameterDefinition] = [
    .init(
      checked: .sessionEnter, .seconds, 1, 0...60,
      "a session starts after one plank class for this long"),
    .init(
      checked: .sessionBad, .seconds, 0.5, 0...60, "a pause starts after bad form for this long"),
    .init(
      checked: .sessionNone, .seconds, 1, 0...60, "a pause starts after no plank for this long"),
    .init(
      checked: .sessionLost, .seconds, 1.5, 0.001...60, "a pause starts after no pose for this long"
    ),
    .init(
      checked: .sessionDeadline, .seconds, 10, 0.001...600, "a pause this long ends the session"),
    .init(
      checked: .sessionRecovery, .seconds, 0.5, 0...60,
      "a session resumes after a plank in good enough form for this long"),
    .init(
      checked: .sessionShortest, .seconds, 3, 0...600, "least active time of a session that counts"),
  ]

  private static let scores: [ParameterDefinition] = [
    .init(checked: .sessionWarning, .ratio, 0, 0...1, "the value of a frame graded `warning`"),
    .init(
      checked: .sessionLateShare, .ratio, 0.3, 0...1, "last share of the time, which weighs more"),
    .init(checked: .sessionLateWeight, .ratio, 3, 1...100, "how much more it weighs"),
  ]
}

#if !hasFeature(Embedded)
  extension SessionParameters: Codable {
    /// Decodes an object of keys and numbers; missing ones take their defaults.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      let given = try container.decode([String: Double].self).map { (ParameterKey($0), $1) }
      do throws(StrategyError) {
        try self.init(Dictionary(uniqueKeysWithValues: given))
      } catch {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
      }
    }

    /// Encodes every parameter by key.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      let named = values.map { ($0.rawValue, $1) }
      try container.encode(Dictionary(uniqueKeysWithValues: named))
    }
  }
#endif

extension ParameterKey {
  /// `session_enter`: how long a plank class must be held before a session starts.
  public static let sessionEnter = ParameterKey("session_enter")
  /// `session_bad`: how long bad form may last.
  public static let sessionBad = ParameterKey("session_bad")
  /// `session_none`: how long there may be no plank.
  public static let sessionNone = ParameterKey("session_none")
  /// `session_lost`: how long there may be no pose.
  public static let sessionLost = ParameterKey("session_lost")
  /// `session_deadline`: how long a pause may last.
  public static let sessionDeadline = ParameterKey("session_deadline")
  /// `session_recovery`: how long form must be good enough again.
  public static let sessionRecovery = ParameterKey("session_recovery")
  /// `session_shortest`: the shortest session that counts.
  public static let sessionShortest = ParameterKey("session_shortest")
  /// `session_warning`: the value of a frame graded `warning`.
  public static let sessionWarning = ParameterKey("session_warning")
  /// `session_late_share`: the share of a session that counts as late.
  public static let sessionLateShare = ParameterKey("session_late_share")
  /// `session_late_weight`: how much more the late share weighs.
  public static let sessionLateWeight = ParameterKey("session_late_weight")
}
