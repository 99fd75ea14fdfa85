/// Two decision lists with the values of their parameters (`docs/contract.md`, Detectors).
package struct OracleDetector: Sendable, Equatable {
  package var name: String
  package var axes: OracleAxes
  /// The plank list; the last rule has no predicate.
  package var plank: [OracleRule]
  /// The form list; the last rule has no predicate.
  package var form: [OracleRule]
  /// Values by key, `plank_frames`, `form_frames` and `hold_seconds` included.
  package var parameters: [String: Double]

  package init(
    name: String, axes: OracleAxes, plank: [OracleRule], form: [OracleRule],
    parameters: [String: Double]
  ) {
    self.name = name
    self.axes = axes
    self.plank = plank
    self.form = form
    self.parameters = parameters
  }

  /// The value of a key; a list with an unknown key is a mistake of the test.
  package func value(_ key: String) -> Double {
    guard let value = parameters[key] else { preconditionFailure("no parameter \(key)") }
    return value
  }

  /// The raw label of a list; nil when any measurement that the list mentions is missing.
  package func label(_ rules: [OracleRule], _ measurements: OracleMeasurements) -> String? {
    let mentioned = rules.flatMap { $0.predicates.map(\.measurement) }
    guard mentioned.allSatisfy({ !measurements.missing.contains($0) }) else { return nil }
    let holding = rules.first { rule in
      rule.predicates.allSatisfy { predicate in
        guard let value = measurements[predicate.measurement] else { return false }
        return predicate.holds(value, self.value(predicate.key))
      }
    }
    guard let holding else { preconditionFailure("the last rule has a predicate") }
    return holding.label
  }
}

extension OracleDetector {
  /// The lists as published, on the camera's axes.
  package static let article = published("article", .article)
  /// The same lists with the up vector.
  package static let gravity = published("gravity", .gravity)
  package static let scaled = OracleDetector(
    name: "scaled", axes: .gravity,
    plank: plankRules(rise: "shoulderRiseFraction", riseKey: "side_rise_fraction"),
    form: formRules("hipDeviationFraction", sag: "sag_fraction", pike: "pike_fraction"),
    parameters: common.merging(
      ["side_rise_fraction": 0.15 / 1.8, "sag_fraction": 0.05 / 1.8, "pike_fraction": 0.05 / 1.8],
      uniquingKeysWith: { $1 }))

  package static let builtIns = [article, gravity, scaled]

  private static let common: [String: Double] = [
    "horizontal_ratio": 0.55, "reverse_cosine": 0.5, "elbow_split": 140, "plank_frames": 1,
    "form_frames": 1, "hold_seconds": 0.5,
  ]

  private static func published(_ name: String, _ axes: OracleAxes) -> OracleDetector {
    OracleDetector(
      name: name, axes: axes, plank: plankRules(rise: "shoulderRise", riseKey: "side_rise"),
      form: formRules("hipDeviation", sag: "sag", pike: "pike"),
      parameters: common.merging(
        ["side_rise": 0.15, "sag": 0.05, "pike": 0.05], uniquingKeysWith: { $1 }))
  }

  private static func plankRules(rise: String, riseKey: String) -> [OracleRule] {
    [
      OracleRule("none", OraclePredicate("verticalRatio", ">=", "horizontal_ratio")),
      OracleRule("sideLeft", OraclePredicate(rise, ">", riseKey)),
      OracleRule("sideRight", OraclePredicate(rise, "<", riseKey, isNegated: true)),
      OracleRule("reverse", OraclePredicate("wristHipCosine", ">", "reverse_cosine")),
      OracleRule("high", OraclePredicate("elbowAngle", ">", "elbow_split")), OracleRule("forearm"),
    ]
  }

  private static func formRules(_ deviation: String, sag: String, pike: String) -> [OracleRule] {
    [
      OracleRule("sag", OraclePredicate(deviation, "<", sag, isNegated: true)),
      OracleRule("pike", OraclePredicate(deviation, ">", pike)), OracleRule("aligned"),
    ]
  }
}

/// A label and the conjunction under which it is given; without predicates it always holds.
package struct OracleRule: Sendable, Equatable {
  package var label: String
  package var predicates: [OraclePredicate]

  package init(_ label: String, _ predicates: OraclePredicate...) {
    self.label = label
    self.predicates = predicates
  }

  package init(label: String, predicates: [OraclePredicate]) {
    self.label = label
    self.predicates = predicates
  }
}

/// `measurement op parameter`, where the parameter may be negated.
package struct OraclePredicate: Sendable, Equatable {
  package var measurement: String
  /// One of `>`, `>=`, `<`, `<=`.
  package var operation: String
  /// Key of the parameter.
  package var key: String
  /// The parameter is compared with its sign changed.
  package var isNegated: Bool

  package init(_ measurement: String, _ operation: String, _ key: String, isNegated: Bool = false) {
    self.measurement = measurement
    self.operation = operation
    self.key = key
    self.isNegated = isNegated
  }

  /// Compares the Float measurement with the parameter rounded to Float.
  package func holds(_ value: Float, _ parameter: Double) -> Bool {
    let bound = isNegated ? -Float(parameter) : Float(parameter)
    switch operation {
    case ">": return value > bound
    case ">=": return value >= bound
    case "<": return value < bound
    case "<=": return value <= bound
    default: preconditionFailure("unknown operation \(operation)")
    }
  }
}

package enum OracleAxes: String, Sendable, CaseIterable {
  /// The camera's axes, as the article published them.
  case article
  /// The up vector of the frame.
  case gravity
}

/// A detector over a recording without streaming state: every answer is read off the history.
package enum OracleReplay {
  /// Tolerance of the inclusive hold bound, seconds.
  static let holdTolerance = 1e-9

  /// The frames of a recording with their answers (`docs/contract.md`, Detectors), unsmoothed.
  ///
  /// Complexity: quadratic in the number of frames.
  package static func run(
    _ recording: OracleRecording, _ detector: OracleDetector, startsMid: Bool = false
  ) -> [OracleFrame] {
    let measured = recording.frames.map { OracleMeasurements($0, axes: detector.axes) }
    let plankRaw = measured.map { detector.label(detector.plank, $0) }
    let formRaw = measured.map { detector.label(detector.form, $0) }
    let times = recording.times
    let hold = detector.value("hold_seconds")
    let plankCount = Int(detector.value("plank_frames"))
    let formCount = Int(detector.value("form_frames"))
    return times.indices.map { index in
      let plank = steady(
        times, plankRaw, at: index, count: plankCount, hold: hold, startsMid: startsMid,
        empty: "none")
      let form = steady(
        times, formRaw, at: index, count: formCount, hold: hold, startsMid: startsMid,
        empty: "aligned")
      return OracleFrame(
        time: times[index], measurements: measured[index], plankRaw: plankRaw[index],
        formRaw: formRaw[index], plank: plank, form: form,
        grade: grade(measured[index]["bodyAngle"], plank))
    }
  }

  /// The answer after frame `index`, from the raw labels up to it (nil = undetermined).
  ///
  /// The last piece of history without a break decides: the latest frame of the piece that ends
  /// `count` equal labels in a row within the piece give the answer; otherwise it is the empty one.
  package static func steady(
    _ times: [Double], _ raw: [String?], at index: Int, count: Int, hold: Double,
    startsMid: Bool, empty: String
  ) -> String {
    let bound = hold + holdTolerance
    let determined = (0...index).filter { raw[$0] != nil }
    guard let last = determined.last, times[index] - times[last] <= bound else { return empty }
    let starts = determined.indices.dropFirst().filter {
      times[determined[$0]] - times[determined[$0 - 1]] > bound
    }
    let start = starts.last ?? 0
    let piece = determined[start...].compactMap { raw[$0] }
    for end in piece.indices.reversed() where end + 1 >= count {
      if piece[(end + 1 - count)...end].allSatisfy({ $0 == piece[end] }) { return piece[end] }
    }
    return startsMid && start == 0 ? piece[0] : empty
  }

  package static func grade(_ bodyAngle: Float?, _ plank: String) -> String? {
    guard let bodyAngle, plank != "none" else { return nil }
    let isFront = plank == "forearm" || plank == "high"
    if bodyAngle >= (isFront ? 165 : 160) { return "good" }
    return bodyAngle >= (isFront ? 155 : 150) ? "warning" : "bad"
  }
}

/// All that a detector says about one frame.
package struct OracleFrame: Sendable, Equatable {
  package var time: Double
  /// The frame's measurements.
  package var measurements: OracleMeasurements
  /// The plank list's label; nil when undetermined.
  package var plankRaw: String?
  /// The form list's label; nil when undetermined.
  package var formRaw: String?
  package var plank: String
  package var form: String
  /// `good`, `warning`, `bad`; nil for none or an undefined body angle.
  package var grade: String?
}
