/// The definitions of every built-in parameter.
public enum ParameterCatalogue {
  /// The definitions in the order used in documentation and output.
  public static let definitions: [ParameterDefinition] =
    published + trunk + coach + profile + common

  /// The definition of a key; nil for a key that is not built in.
  public static func definition(of key: ParameterKey) -> ParameterDefinition? {
    definitions.first { $0.key == key }
  }

  /// The parameters that every detector has: debounce, dropout policy and the bands of the grade.
  public static let common: [ParameterDefinition] = [
    .init(
      checked: .plankFrames, .frames, 1, 1...1000,
      "frames in a row that a new plank class needs; 1 = off"),
    .init(
      checked: .formFrames, .frames, 1, 1...1000,
      "frames in a row that a new form class needs; 1 = off"),
    .init(
      checked: .holdSeconds, .seconds, 0.5, 0...10,
      "how long an answer outlives the last frame that supports it"),
    .init(
      checked: .gradeGood, .degrees, 165, 0...180,
      "least body angle of a forearm or high plank graded good"),
    .init(
      checked: .gradeWarning, .degrees, 155, 0...180,
      "least body angle graded warning; below it, the grade is bad"),
    .init(
      checked: .gradeSideGood, .degrees, 160, 0...180,
      "least body angle of a side or reverse plank graded good"),
    .init(
      checked: .gradeSideWarning, .degrees, 150, 0...180,
      "least body angle graded warning; below it, the grade is bad"),
  ]

  private static let published: [ParameterDefinition] = [
    .init(
      checked: .horizontalRatio, .ratio, 0.55, 0...1,
      "vertical ratio at or above which a body stands instead of lying"),
    .init(
      checked: .sideRise, .meters, 0.15, 0...0.6,
      "height of one shoulder over the other beyond which a plank is a side plank"),
    .init(
      checked: .sideRiseFraction, .bodyHeights, 0.15 / 1.8, 0...0.35,
      "the same, as a fraction of the body height"),
    .init(
      checked: .reverseCosine, .ratio, 0.5, -1...1,
      "cosine between shoulder-hip and shoulder-wrist beyond which a plank is a reverse plank"),
    .init(
      checked: .elbowSplit, .degrees, 140, 0...180,
      "mean elbow angle beyond which a plank is a high plank"),
    .init(
      checked: .sag, .meters, 0.05, -0.3...0.3,
      "depth of the hips below the line from shoulders to ankles beyond which they sag"),
    .init(
      checked: .pike, .meters, 0.05, -0.3...0.3,
      "height of the hips above the line from shoulders to ankles beyond which they pike"),
    .init(
      checked: .sagFraction, .bodyHeights, 0.05 / 1.8, -0.2...0.2,
      "sag as a fraction of the body height"),
    .init(
      checked: .pikeFraction, .bodyHeights, 0.05 / 1.8, -0.2...0.2,
      "pike as a fraction of the body height"),
  ]

  private static let trunk: [ParameterDefinition] = [
    .init(
      checked: .trunkHorizontalRatio, .ratio, 0.6427876096865393, 0...1,
      "vertical ratio at or above which a body stands: the sine of 40 degrees"),
    .init(
      checked: .trunkBodyAngle, .degrees, 140, 0...180,
      "body angle up to which a body is bent too far for a plank"),
    .init(
      checked: .trunkSupportDrop, .bodyHeights, 0.10, 0...0.5,
      "reach of an arm below its shoulder below which nothing carries the body"),
    .init(
      checked: .trunkHipClearance, .bodyHeights, 0.055, 0...0.5,
      "height of the hips over the lowest joint below which a body lies"),
    .init(
      checked: .trunkReverseRoll, .degrees, 135, 0...180,
      "trunk roll at or above which a plank is a reverse plank"),
    .init(
      checked: .trunkSideRoll, .degrees, 45, 0...180,
      "trunk roll at or above which a plank is a side plank"),
    .init(
      checked: .trunkForearmVerticality, .ratio, 0.6, 0...1,
      "uprightness of the forearms beyond which a plank is a high plank"),
  ]
}

/// The name of a parameter in files, on the command line and in JSON.
public struct ParameterKey: RawRepresentable, Hashable, Sendable {
  /// The name in snake case.
  public let rawValue: String

  /// Makes a key from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Makes a key from its name.
  public init(_ name: String) { rawValue = name }

  /// The key of the limit that replaces this one in the form rules of a calibrated detector.
  ///
  /// The detector need not define that limit. It applies to the true position, not to the measured
  /// one.
  public var calibrated: ParameterKey { ParameterKey(rawValue + "_calibrated") }

  /// The vertical ratio at or above which a body stands.
  public static let horizontalRatio = ParameterKey("horizontal_ratio")
  /// How much higher one shoulder must be in a side plank, in meters.
  public static let sideRise = ParameterKey("side_rise")
  /// How much higher one shoulder must be in a side plank, in body heights.
  public static let sideRiseFraction = ParameterKey("side_rise_fraction")
  /// The cosine beyond which the wrists are on the same side of the shoulders as the hips.
  public static let reverseCosine = ParameterKey("reverse_cosine")
  /// The mean elbow angle beyond which the arms are straight.
  public static let elbowSplit = ParameterKey("elbow_split")
  /// How far the hips may be below the line from shoulders to ankles, in meters.
  public static let sag = ParameterKey("sag")
  /// How far the hips may be above the line from shoulders to ankles, in meters.
  public static let pike = ParameterKey("pike")
  /// How far the hips may be below the line from shoulders to ankles, in body heights.
  public static let sagFraction = ParameterKey("sag_fraction")
  /// How far the hips may be above the line from shoulders to ankles, in body heights.
  public static let pikeFraction = ParameterKey("pike_fraction")
  /// How many frames in a row a new plank class needs.
  public static let plankFrames = ParameterKey("plank_frames")
  /// How many frames in a row a new form class needs.
  public static let formFrames = ParameterKey("form_frames")
  /// How long an answer lasts after the last determined frame.
  public static let holdSeconds = ParameterKey("hold_seconds")
  /// The lowest body angle of a forearm or high plank graded good.
  public static let gradeGood = ParameterKey("grade_good")
  /// The lowest body angle of a forearm or high plank graded `warning`.
  public static let gradeWarning = ParameterKey("grade_warning")
  /// The lowest body angle of a side or reverse plank graded good.
  public static let gradeSideGood = ParameterKey("grade_side_good")
  /// The lowest body angle of a side or reverse plank graded `warning`.
  public static let gradeSideWarning = ParameterKey("grade_side_warning")
  /// The vertical ratio at or above which a body stands.
  public static let trunkHorizontalRatio = ParameterKey("trunk_horizontal_ratio")
  /// The angle up to which a body is bent too far for a plank.
  public static let trunkBodyAngle = ParameterKey("trunk_body_angle")
  /// How far below its shoulder an arm must reach to carry the body.
  public static let trunkSupportDrop = ParameterKey("trunk_support_drop")
  /// How far off the ground the hips must be.
  public static let trunkHipClearance = ParameterKey("trunk_hip_clearance")
  /// The roll at or above which a body lies on its side.
  public static let trunkSideRoll = ParameterKey("trunk_side_roll")
  /// The roll at or above which a body faces up.
  public static let trunkReverseRoll = ParameterKey("trunk_reverse_roll")
  /// The verticality beyond which a forearm stands upright on its hand.
  public static let trunkForearmVerticality = ParameterKey("trunk_forearm_verticality")
}

/// The definition of a parameter: its unit, default, valid range and meaning.
///
/// Validation, help texts, grids, readers and documentation are all derived from definitions.
public struct ParameterDefinition: Hashable, Sendable {
  /// The name in files, on the command line and in JSON.
  public let key: ParameterKey
  /// The unit of a number without a suffix.
  public let unit: MeasurementUnit
  /// The published or proposed value.
  public let defaultValue: Double
  /// The closed range of allowed values.
  public let range: ClosedRange<Double>
  /// What the parameter does, in one line.
  public let meaning: String

  /// Creates a definition after checking its default.
  ///
  /// - Throws: `DetectorError.inconsistentDefinition` for a default that the range or the unit does
  ///   not allow.
  public init(
    _ key: ParameterKey, unit: MeasurementUnit, default defaultValue: Double,
    range: ClosedRange<Double>, meaning: String
  ) throws(DetectorError) {
    self.init(checked: key, unit, defaultValue, range, meaning)
    guard accepts(defaultValue) else { throw .inconsistentDefinition(self) }
  }

  /// Checks nothing, because tests check the catalog.
  package init(
    checked key: ParameterKey, _ unit: MeasurementUnit, _ defaultValue: Double,
    _ range: ClosedRange<Double>, _ meaning: String
  ) {
    self.key = key
    self.unit = unit
    self.defaultValue = defaultValue
    self.range = range
    self.meaning = meaning
  }

  /// Whether only whole numbers are allowed.
  public var isInteger: Bool { unit == .frames }

  /// The name as a Swift identifier: `sideRise` for `side_rise`.
  public var swiftName: String {
    let words = key.rawValue.split(separator: "_")
    return words.enumerated().map { index, word in
      index == 0 ? String(word) : word.prefix(1).uppercased() + word.dropFirst()
    }.joined()
  }

  /// Whether a value is allowed: finite, in the range, and whole if required.
  public func accepts(_ value: Double) -> Bool {
    value.isFinite && range.contains(value)
      && (!isInteger || value == value.rounded(.toNearestOrEven))
  }

  /// The allowed values in words: `a number in m from 0.0 to 0.6`.
  public var allowedValues: String {
    if isInteger {
      return "a whole number of frames from \(Int(range.lowerBound)) to \(Int(range.upperBound))"
    }
    let unitText = unit == .ratio ? "" : " in \(unit.rawValue)"
    return "a number\(unitText) from \(range.lowerBound) to \(range.upperBound)"
  }

  /// A value in the parameter's unit as text, as an example for error messages.
  public var example: String {
    switch unit {
    case .meters: "5cm"
    case .degrees: "140deg"
    case .seconds: "0.5s"
    case .frames: "5"
    case .hertz: "1.5Hz"
    case .ratio, .bodyHeights, .imageHeights, .metersPerSecond, .degreesPerSecond,
      .bodyHeightsPerSecond, .imageHeightsPerSecond:
      "\(defaultValue)"
    }
  }

  /// Parses a value: a number in `unit`, or a number with a suffix of that unit.
  ///
  /// - Throws: `DetectorError` for a wrong suffix, text that is not a number, or a value that is
  ///   not allowed.
  public func parse(_ text: String) throws(DetectorError) -> Double {
    let number = try number(text)
    guard accepts(number) else { throw .invalidValue(self, number) }
    return number
  }

  /// Parses a number in `unit` as `parse` does, even if the parameter does not allow it as a value.
  ///
  /// For example, steps of grids and margins may be outside the range.
  ///
  /// - Throws: `DetectorError.unreadableValue` for a wrong suffix or text that is not a number.
  public func number(_ text: String) throws(DetectorError) -> Double {
    var number = Double(text)
    for suffix in unit.suffixes where number == nil && text.hasSuffix(suffix.text) {
      var digits = text.dropLast(suffix.text.count)
      while digits.last == " " { digits.removeLast() }
      number = Double(digits).map { $0 / suffix.divisor }
    }
    guard let number else { throw .unreadableValue(self, text) }
    return number
  }
}

#if !hasFeature(Embedded)
  extension ParameterDefinition: Codable {
    private enum CodingKeys: String, CodingKey {
      case key, unit, range, meaning
      case defaultValue = "default"
    }

    /// Decodes a definition and checks it.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      self = try container.checked(.defaultValue) {
        try ParameterDefinition(
          ParameterKey(try container.decode(String.self, forKey: .key)),
          unit: container.decode(MeasurementUnit.self, forKey: .unit),
          default: container.decode(Double.self, forKey: .defaultValue),
          range: container.decode(ClosedRange<Double>.self, forKey: .range),
          meaning: container.decode(String.self, forKey: .meaning))
      }
    }
  }

  extension MeasurementUnit: Codable {}

  extension ParameterKey: Codable {}

  extension KeyedDecodingContainer {
    /// Returns what `make` makes; its errors, except for those of decoding, become an error at `key`.
    func checked<Value>(_ key: Key, _ make: () throws -> Value) throws -> Value {
      do {
        return try make()
      } catch let error where !(error is DecodingError) {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: self, debugDescription: "\(error)")
      }
    }
  }
#endif

/// The parameters of one detector, each with a value.
public struct ParameterValues: Hashable, Sendable {
  /// The name of the detector, for messages.
  public let detectorName: String
  /// The definitions, in output order.
  public let definitions: [ParameterDefinition]
  private var values: [Double]

  init(detectorName: String, definitions: [ParameterDefinition]) {
    self.detectorName = detectorName
    self.definitions = definitions
    values = definitions.map { $0.defaultValue }
  }

  /// The value of a parameter in its unit, or nil if the detector does not use it.
  public subscript(key: ParameterKey) -> Double? {
    definitions.firstIndex { $0.key == key }.map { values[$0] }
  }

  /// Every definition with its value.
  public var entries: [(definition: ParameterDefinition, value: Double)] {
    zip(definitions, values).map { (definition: $0, value: $1) }
  }

  /// Sets a parameter.
  ///
  /// - Throws: `DetectorError` for a key that the detector does not use and for values that the
  ///   parameter does not allow.
  public mutating func set(_ key: ParameterKey, to value: Double) throws(DetectorError) {
    let index = try index(of: key.rawValue)
    guard definitions[index].accepts(value) else {
      throw .invalidValue(definitions[index], value)
    }
    values[index] = value
  }

  /// Sets a parameter from a text such as `sag=3cm`.
  ///
  /// - Throws: `DetectorError` for a text without `=`, an unknown key, and a value that is
  ///   unreadable or not allowed.
  public mutating func set(_ assignment: String) throws(DetectorError) {
    let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      throw .unreadableAssignment(assignment)
    }
    let index = try index(of: String(parts[0]))
    do {
      values[index] = try definitions[index].parse(String(parts[1]))
    } catch .unreadableValue(let definition, let text, _) {
      throw .unreadableValue(definition, text, available: definitions.map { $0.key })
    }
  }

  private func index(of key: String) throws(DetectorError) -> Int {
    guard let index = definitions.firstIndex(where: { $0.key.rawValue == key }) else {
      throw .unusedParameter(key, detector: detectorName, available: definitions.map { $0.key })
    }
    return index
  }
}

#if !hasFeature(Embedded)
  extension ParameterValues: Codable {
    private enum CodingKeys: String, CodingKey { case detector, definitions, values }

    /// Decodes a detector's parameters with their definitions.
    ///
    /// - Throws: `DecodingError` for a key with no definition or with two, and for values that are
    ///   not allowed.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let definitions = try container.decode([ParameterDefinition].self, forKey: .definitions)
      for (index, definition) in definitions.enumerated()
      where definitions[..<index].contains(where: { $0.key == definition.key }) {
        throw DecodingError.dataCorruptedError(
          forKey: .definitions, in: container,
          debugDescription: "`\(definition.key.rawValue)` is defined twice; remove one")
      }
      self.init(
        detectorName: try container.decode(String.self, forKey: .detector),
        definitions: definitions)
      for (key, value) in try container.decode([String: Double].self, forKey: .values) {
        try container.checked(.values) { try set(ParameterKey(key), to: value) }
      }
    }

    /// Encodes the detector's name, the definitions, and the values by key.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(detectorName, forKey: .detector)
      try container.encode(definitions, forKey: .definitions)
      let named = entries.map { ($0.definition.key.rawValue, $0.value) }
      try container.encode(Dictionary(uniqueKeysWithValues: named), forKey: .values)
    }
  }
#endif
