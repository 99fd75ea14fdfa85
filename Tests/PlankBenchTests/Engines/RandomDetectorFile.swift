import PlankDetection
import PoseModel
import TestSupport
import Tuning

@testable import PlankBench

/// A random detector as a person would write it: a file with expressions, conditions and two lists,
/// and the strategies of the command line.
///
/// Thresholds come from what the measurements are in a recording, a tenth of them exactly, so that
/// comparisons hold in some frames and are equal in others.
struct RandomDetectorFile {
  let text: String
  /// The smoothing in text form; nil for none.
  let smoothing: String?
  /// The debounce in text form; nil for the detector's parameters.
  let debounce: String?
  let definition: DetectorDefinition

  /// Draws detectors until the program accepts one.
  ///
  /// - Parameters:
  ///   - recording: what thresholds are taken from.
  ///   - refused: receives the reasons for which others were not accepted.
  init(
    _ random: inout SplitMix64, for recording: Recording, refused: inout [String]
  ) throws {
    while true {
      var draft = DetectorDraft(random, recording)
      let text = draft.file()
      do {
        let definition = try DetectorSpecification.parse(text, file: "random.yaml")
        debounce = draft.debounce(of: definition)
        smoothing = draft.smoothing()
        random = draft.random
        (self.text, self.definition) = (text, definition)
        return
      } catch {
        guard refused.count < 200 else { throw error }
        refused.append("\(error)")
        random = draft.random
      }
    }
  }

  func bench() throws -> BenchDetector {
    let debounce = try debounce.map {
      try DebounceStrategy(text: $0, parameters: definition.parameters)
    }
    return try BenchDetector(
      Thresholds(
        definition: definition, parameters: definition.defaults,
        smoothing: SmoothingChoice(text: smoothing ?? "none"), debounce: debounce ?? .parameters))
  }
}

/// The parts of a random detector while it is written.
private struct DetectorDraft {
  struct Limit {
    let key: String
    let unit: MeasurementUnit
    let value: Double
  }

  var random: SplitMix64
  private let axes: AxisReading
  private var columns: [Measurement: [Float]] = [:]
  private var measurements: [Measurement] = []
  private var own: [Measurement] = []
  private var limits: [Limit] = []
  private var conditions: [(name: String, text: String)] = []
  /// The streams that a strategy debounces; their lengths must be 1.
  private let debounced: Set<AnswerStream>

  init(_ random: SplitMix64, _ recording: Recording) {
    self.random = random
    axes =
      recording.header.skeleton == .vision3d
      ? self.random.pick([.gravity, .article]) : .image
    let isPlain = self.random.chance(0.5)
    var debounced: Set<AnswerStream> = []
    for stream in AnswerStream.allCases {
      if self.random.chance(isPlain ? 0 : 0.6) { debounced.insert(stream) }
    }
    self.debounced = debounced
    let builtIn = Measurement.builtIn.filter { $0.suits(axes) }
    measurements = Array(self.random.shuffled(builtIn).prefix(self.random.integer(1...4)))
    for index in 0..<self.random.integer(axes == .image ? 2...4 : 0...3) { define("own_\(index)") }
    let measured = MeasurementColumns(recording, MeasurementSet(measurements), reading: axes)
    for measurement in measurements {
      columns[measurement] = measured[measurement].filter(\.isFinite)
    }
  }

  /// The text of the file; it may be refused, for instance for too many alternatives.
  mutating func file() -> String {
    for index in 0..<random.integer(0...3) {
      conditions.append(("state_\(index)", condition(depth: 2)))
    }
    let lists = AnswerStream.allCases.map { stream in
      ([stream.rawValue + ":"] + list(stream)).joined(separator: "\n")
    }
    var lines = ["name: random", "axes: \(axes.rawValue)", "parameters:"]
    lines += limits.map { limit in
      let room = abs(limit.value) + 1
      return "  \(limit.key): {unit: \"\(limit.unit.rawValue)\", default: \(limit.value), "
        + "range: [\(limit.value - room), \(limit.value + room)]}"
    }
    let frames = [1, 1, 2, 3, 5, 8, 30, 63, 64, 65, 130]
    for stream in AnswerStream.allCases {
      let length = debounced.contains(stream) ? 1 : random.pick(frames)
      lines.append("  \(stream.rawValue)_frames: \(length)")
    }
    lines.append("  hold_seconds: \(random.pick([0, 0.05, 0.1, 0.5, 0.5, 1, 10]))s")
    if !own.isEmpty { lines.append("measurements:") }
    lines += random.shuffled(own).map { "  \($0.name): \"\($0.definition)\"" }
    if !conditions.isEmpty { lines.append("conditions:") }
    lines += random.shuffled(conditions).map { "  \($0.name): \"\($0.text)\"" }
    return (lines + lists).joined(separator: "\n") + "\n"
  }

  /// A list of up to six rules; one in forty has so many alternatives that places exceed a byte.
  private mutating func list(_ stream: AnswerStream) -> [String] {
    let isLong = random.chance(0.025)
    var lines: [String] = []
    for _ in 0..<(isLong ? 20 : random.integer(0...6)) {
      let label = random.pick(stream.labels)
      if isLong {
        let product = (0..<4).map { _ in "(\(comparison()) or \(comparison()))" }
        lines.append("  - \(label): \"\(product.joined(separator: " and "))\"")
      } else if random.chance(0.3) {
        let all = (0..<random.integer(1...3)).map { _ in "\"\(condition(depth: 1))\"" }
        lines.append("  - \(label): [\(all.joined(separator: ", "))]")
      } else {
        lines.append("  - \(label): \"\(condition(depth: 2))\"")
      }
    }
    return lines + ["  - " + random.pick(stream.labels)]
  }

  private mutating func condition(depth: Int) -> String {
    if !conditions.isEmpty, random.chance(0.2) { return random.pick(conditions).name }
    guard depth > 0, random.chance(0.6) else { return comparison() }
    switch random.integer(0...2) {
    case 0: return "not (\(condition(depth: depth - 1)))"
    case 1: return "(\(condition(depth: depth - 1)) and \(condition(depth: depth - 1)))"
    default: return "(\(condition(depth: depth - 1)) or \(condition(depth: depth - 1)))"
    }
  }

  private mutating func comparison() -> String {
    let measurement = random.pick(measurements)
    let isNegated = random.chance(0.3)
    let sign = random.pick(Comparison.allCases).rawValue
    let shared = limits.filter { $0.unit == measurement.unit }
    let key =
      !shared.isEmpty && random.chance(0.3)
      ? random.pick(shared).key : limit(of: measurement, isNegated: isNegated)
    return "\(measurement.name) \(sign) \(isNegated ? "-" : "")\(key)"
  }

  private mutating func limit(of measurement: Measurement, isNegated: Bool) -> String {
    let values = columns[measurement] ?? []
    var value = values.isEmpty ? random.uniform(-1, 1) : Double(random.pick(values))
    if !random.chance(0.1) { value = (value * 100).rounded() / 100 }
    let key = "limit_\(limits.count)"
    limits.append(
      Limit(key: key, unit: measurement.unit, value: isNegated ? 0 - value : value))
    return key
  }

  private mutating func define(_ name: String) {
    for _ in 0..<20 {
      let text = ExpressionDraft(axes: axes).number(
        random.pick([.degrees, .length, .ratio, .ratio]), depth: 2, &random)
      guard let measurement = try? Measurement(name, text, using: own, axes: axes) else { continue }
      own.append(measurement)
      measurements.append(measurement)
      return
    }
  }
}

// The strategies of the command line.
extension DetectorDraft {
  /// Causal filters: on joints, on measurements, or on both.
  mutating func smoothing() -> String? {
    guard random.chance(0.4) else { return nil }
    let filters = [
      "moving-average:frames=5", "moving-average:seconds=0.2s", "ema:cutoff=2Hz", "holt",
      "median:frames=3", "hampel", "one-euro:minCutoff=1Hz,beta=0.5", "savitzky-golay",
      "kalman", "butterworth:cutoff=3Hz", "ml-kit",
    ]
    let targets = random.pick([["joints"], ["measurements"], ["joints", "measurements"]])
    return targets.map { random.pick(filters) + "@" + $0 }.joined(separator: "+")
  }

  /// A rule for one stream or both, and bands around thresholds; nil leaves it to the parameters.
  mutating func debounce(of definition: DetectorDefinition) -> String? {
    var steps: [String] = []
    for stream in AnswerStream.allCases where debounced.contains(stream) {
      let seconds = (0..<3).map { _ in random.pick(["0s", "0.1s", "0.3s", "1s"]) }
      let frames = (0..<3).map { _ in random.integer(1...9) }
      let rule = random.pick([
        "none", "dwell:enter=\(seconds[0]),switch=\(seconds[1]),exit=\(seconds[2])",
        "consecutive:enter=\(frames[0]),switch=\(frames[1]),exit=\(frames[2])",
        "vote:votes=\(frames[0] / 2 + 1),frames=\(frames[0])",
      ])
      steps.append(rule + "@" + stream.rawValue)
    }
    let keys = definition.plank.parameterKeys + definition.form.parameterKeys
    let share = debounced.isEmpty ? 0.05 : 0.4
    let chosen = definition.parameters.filter { keys.contains($0.key) && random.chance(share) }
    if !chosen.isEmpty {
      steps.append(
        "bands:"
          + chosen.map { parameter in
            let room = parameter.range.upperBound - parameter.range.lowerBound
            return "\(parameter.key.rawValue)=\(random.uniform(0.001, 0.05) * room)"
          }.joined(separator: ","))
    }
    return steps.isEmpty ? nil : steps.joined(separator: "+")
  }
}

private struct ExpressionDraft {
  /// What an expression is in; lengths are in meters, or in heights of an image.
  enum Kind { case degrees, length, ratio }

  private static let joints = [
    "leftShoulder", "rightShoulder", "leftElbow", "rightElbow", "leftWrist", "rightWrist",
    "leftHip", "rightHip", "leftKnee", "rightKnee", "leftAnkle", "rightAnkle", "root", "wrists",
    "shoulders",
  ]

  let axes: AxisReading

  func number(_ kind: Kind, depth: Int, _ random: inout SplitMix64) -> String {
    if depth == 0 || random.chance(0.2) { return leaf(kind, &random) }
    func part(_ kind: Kind) -> String { number(kind, depth: depth - 1, &random) }
    switch random.integer(0...8) {
    case 0: return "-\(part(kind))"
    case 1: return "abs(\(part(kind)))"
    case 2: return "(\(part(kind)) \(random.pick(["+", "-"])) \(part(kind)))"
    case 3: return "(\(part(kind)) \(random.pick(["*", "/"])) \(part(.ratio)))"
    case 4: return "\(random.pick(["min", "max", "mean"]))(\(part(kind)), \(part(kind)))"
    case 5:
      return "when(\(part(kind)), \(part(.length)) \(random.pick(["<", ">="])) \(part(.length)))"
    case 6: return "orElse(\(part(kind)), \(part(kind)))"
    default:
      return "\(random.pick(["range", "relative"]))(\(part(kind)), "
        + "\(random.pick(["0.2s", "0.5s", "1.3s"])))"
    }
  }

  private func leaf(_ kind: Kind, _ random: inout SplitMix64) -> String {
    func point() -> String {
      random.chance(0.2)
        ? "midpoint(\(random.pick(Self.joints)), \(random.pick(Self.joints)))"
        : random.pick(Self.joints)
    }
    switch kind {
    case .degrees:
      return random.pick([
        "angle(\(point()), \(point()), \(point()))",
        "signedAngle(\(point()), \(point()), \(point()))",
        "atan2(height(\(point())) - height(\(point())), distance(\(point()), \(point())))",
        "90deg",
      ])
    case .length:
      return random.pick([
        "distance(\(point()), \(point()))", "(height(\(point())) - height(\(point())))",
        "deviation(\(point()), \(point()), \(point()))",
      ])
    case .ratio:
      return random.pick([
        "dot(direction(\(point()), \(point())), up)", "0.5",
        "distance(\(point()), \(point())) / distance(\(point()), \(point()))",
        axes == .image
          ? "confidence(leftWrist, rightWrist)" : "distance(\(point()), \(point())) / bodyHeight",
      ])
    }
  }
}
