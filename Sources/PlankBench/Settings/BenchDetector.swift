internal import PlankDetection
internal import PoseModel
internal import Tuning

/// A detector as the bench runs it: compiled with its parameters and debounce, behind a smoothing
/// that may look ahead.
struct BenchDetector: Sendable {
  static let standard = "coach"

  /// The detector; it smooths by itself if the smoothing is causal.
  let detector: BatchDetector
  let smoothing: SmoothingChoice
  let calibrating: CalibrationChoice?

  /// A nil name means the detector of the thresholds, or else `standard`; nil smoothing and
  /// debounce mean those of the thresholds, or else none and the detector's own parameters.
  init(
    _ name: String? = nil, thresholds: String? = nil, assignments: [String] = [],
    smoothing: String? = nil, debounce: String? = nil, calibrate: String? = nil,
    source: ChoiceSource = .options
  ) throws {
    let start = try Self.start(name, thresholds, source)
    var parameters = start.parameters
    try Assignments.set(assignments, in: &parameters, source: source)
    let smoothing =
      try smoothing.map { try Self.smoothing($0, source) }
      ?? start.smoothing
    let debounce =
      try debounce.map { try Self.debounce($0, parameters, source) } ?? start.debounce
    let calibrating = try calibrate.map { text in
      try Self.calibration(text, start.definition, source)
    }
    do {
      try self.init(
        Thresholds(
          definition: start.definition, parameters: parameters, smoothing: smoothing,
          debounce: debounce), calibrating: calibrating)
    } catch {
      throw source.failure(option: nil, fields: ["debounce", "smoothing", "set"], "\(error)")
    }
  }

  init(_ thresholds: Thresholds, calibrating: CalibrationChoice? = nil) throws {
    var causal = SmoothingStrategy.none
    if case .causal(let chain) = thresholds.smoothing { causal = chain }
    detector = try BatchDetector(
      thresholds.definition, parameters: thresholds.parameters, smoothing: causal,
      debounce: thresholds.debounce)
    smoothing = thresholds.smoothing
    self.calibrating = calibrating
  }

  var isUnsmoothed: Bool { smoothing.isNone }

  var smoothingText: String { smoothing.text }

  var debounceText: String {
    detector.debounce.text(parameters: detector.parameters.definitions)
  }

  func measure(_ recording: Recording, also extra: MeasurementSet = []) -> MeasurementColumns {
    smoothing.measure(recording, detector, also: extra)
  }

  var caution: String? {
    smoothing.isCausal
      ? nil
      : "The smoothing \(smoothingText) looks ahead. No app can do that; it shows the most "
        + "that smoothing could do."
  }

  static func cautions(of mismatches: [PoseMismatch?]) -> [String] {
    var reasons: [PoseMismatch] = []
    for case let reason? in mismatches where !reasons.contains(reason) { reasons.append(reason) }
    return reasons.map { reason in
      let count = NumberText.count(mismatches.count { $0 == reason }, "recording")
      return "The rules could not decide any frame in \(count): \(reason)"
    }
  }

  /// - Throws: with the exit code `usage` for thresholds with other smoothing or debounce.
  func plain(named name: String) throws -> BatchDetector {
    guard smoothing.isNone, detector.debounce == .parameters else {
      throw WorkflowFailure(
        .usage,
        "\(name): has smoothing \(smoothingText) and debounce \(debounceText), which this command "
          + "does not apply; use evaluate, measure or replay")
    }
    return detector
  }
}

extension BenchDetector {
  private static func start(
    _ name: String?, _ thresholds: String?, _ source: ChoiceSource
  ) throws -> Thresholds {
    guard let thresholds else {
      let definition = try definition(name ?? standard, source)
      return Thresholds(
        definition: definition, parameters: definition.defaults, smoothing: .none,
        debounce: .parameters)
    }
    let file = try ThresholdsFile.read(thresholds)
    if let name, try definition(name, source) != file.definition {
      throw source.failure(
        option: "--detector", text: name, fields: ["detector"],
        "\(thresholds) has parameters of \(file.definition.name); remove one of the two")
    }
    return file
  }

  static func isFile(_ name: String) -> Bool {
    name.hasSuffix(".yaml") || name.hasSuffix(".yml") || name.contains("/")
  }

  private static func definition(
    _ name: String, _ source: ChoiceSource
  ) throws -> DetectorDefinition {
    if let builtIn = DetectorDefinition.builtIn(named: name) { return builtIn }
    guard isFile(name) else {
      let names = DetectorDefinition.builtIn.map(\.name)
      throw source.failure(
        option: nil, fields: ["detector"],
        "no detector `\(name)`; \(NearestNames.hint(name, among: names))built in are "
          + "\(names.joined(separator: ", ")); a detector file ends in .yaml")
    }
    let text = try InputText.read(name)
    return try DetectorSpecification.parse(text, file: name)
  }

  private static func smoothing(_ text: String, _ source: ChoiceSource) throws -> SmoothingChoice {
    do {
      return try SmoothingChoice(text: text)
    } catch {
      throw source.failure(
        option: "--smoothing", text: text, fields: ["smoothing"],
        "\(error); `planklab smoothers` lists all")
    }
  }

  private static func calibration(
    _ text: String, _ definition: DetectorDefinition, _ source: ChoiceSource
  ) throws -> CalibrationChoice {
    do {
      let choice = try CalibrationChoice(text)
      _ = try choice.hold(of: definition)
      return choice
    } catch {
      throw source.failure(
        option: "--calibrate", text: text, fields: ["calibrate"], "\(error)")
    }
  }

  private static func debounce(
    _ text: String, _ parameters: ParameterValues, _ source: ChoiceSource
  ) throws -> DebounceStrategy {
    do {
      return try DebounceStrategy(text: text, parameters: parameters.definitions)
    } catch {
      throw source.failure(
        option: "--debounce", text: text, fields: ["debounce"],
        "\(error); `planklab smoothers` lists all")
    }
  }
}
