import Evaluation
import Foundation
import PlankDetection
import PoseModel
import Tuning

struct SuggestBenchmark {
  struct Row {
    let name: String
    let processor: Double
    let tried: Int
    let checksum: UInt64
  }

  private let frames: SuggestionFrames
  private let measured: [MeasuredSequence]
  private let measurements: [PlankDetection.Measurement]
  private let detector = DetectorDefinition.trunk
  let preparation: Double

  /// Measurements that tell nothing but the four that `gravity` uses, in as many columns as asked
  /// for.
  init(frames count: Int, columns: Int, sequences: Int = 20) throws {
    var source = SweepData(seed: 11)
    var random = SplitMix64(seed: 12)
    let measurements = try Self.columns(columns)
    self.measurements = measurements
    let measured = try (0..<sequences).map { index in
      let sequence = try source.sequence(index, frames: count / sequences, dropouts: 0.02)
      var all: [PlankDetection.Measurement: [Float]] = [:]
      for measurement in measurements {
        let own = sequence.columns[measurement]
        all[measurement] =
          own.isEmpty ? sequence.times.map { _ in Float(random.normal()) } : own
      }
      return MeasuredSequence(
        name: sequence.name, subject: sequence.subject, times: sequence.times,
        truth: sequence.truth, startsMid: false, frameWeight: sequence.frameWeight,
        columns: MeasurementColumns(frameCount: sequence.times.count, columns: all))
    }
    self.measured = measured
    let start = ProcessTime.seconds
    frames = SuggestionFrames(measured, .plank, measurements)
    preparation = ProcessTime.seconds - start
  }

  func run(rounds: Int = 3) -> [Row] {
    let single: [RuleEdit.Kind] = [.move, .rearrange, .narrow, .insert]
    return [("single conditions", single), ("with pairs", RuleEdit.Kind.allCases)].map {
      name, kinds in
      var times: [Double] = []
      var checksums: Set<UInt64> = []
      var tried = 0
      for _ in 0..<rounds {
        let start = ProcessTime.seconds
        let search = EditSearch(detector, frames, harm: 1, kinds: kinds)
        times.append(ProcessTime.seconds - start)
        var sum = Checksum()
        for found in search.found { sum.add(UInt64(bitPattern: found.worth)) }
        checksums.insert(sum.value)
        tried = search.tried
      }
      precondition(checksums.count == 1, "equal searches must give equal edits")
      return Row(
        name: name, processor: median(times), tried: tried, checksum: checksums.first ?? 0)
    }
  }

  /// Writes what other programs need to do the same: `columns.f32` has every measurement's
  /// little-endian floats one after another, NaN where it is missing, `truth.u8` the class code and
  /// `seconds.f64` the seconds of every frame (codes above 5 are not scored), `measurements.txt` the
  /// names, `rules.txt` the rules as sentences, `parameters.csv` their values, and `winner.csv` the
  /// best new rule with one condition.
  ///
  /// - Throws: what writing throws.
  func write(to folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    func write(_ data: Data, _ name: String) throws {
      try data.write(to: URL(fileURLWithPath: folder + "/" + name))
    }
    var (columns, seconds) = (Data(), Data())
    for measurement in measurements {
      for sequence in measured {
        sequence.columns[measurement].withUnsafeBytes { columns.append(contentsOf: $0) }
      }
    }
    for sequence in measured {
      sequence.times.map { _ in sequence.frameWeight.value }
        .withUnsafeBytes { seconds.append(contentsOf: $0) }
    }
    try write(columns, "columns.f32")
    try write(seconds, "seconds.f64")
    try write(Data(measured.flatMap { $0.truth.codes(.plank) }), "truth.u8")
    func text(_ lines: [String]) -> Data { Data((lines.joined(separator: "\n") + "\n").utf8) }
    try write(text(measurements.map(\.name)), "measurements.txt")
    try write(text(detector.list(.plank).sentences), "rules.txt")
    let values = detector.parameters.map { "\($0.key.rawValue),\($0.defaultValue)" }
    try write(text(["key,value"] + values), "parameters.csv")
    try write(text(["worth,position,label,measurement,below", winner]), "winner.csv")
  }

  private var winner: String {
    let found = EditSearch(detector, frames, harm: 1, kinds: [.insert]).found
    guard let best = found.first, case .insert(let position, let label, let conditions) = best.edit
    else { return "0,,,," }
    let condition = conditions[0]
    return "\(best.worth),\(position),\(label),\(condition.measurement),"
      + (condition.isBelow ? "1" : "0")
  }

  private static func columns(_ count: Int) throws -> [PlankDetection.Measurement] {
    var all = PlankDetection.Measurement.builtIn(for: .gravity)
    while all.count < count {
      all.append(try PlankDetection.Measurement("extra\(all.count)", "elbowAngle / 1deg"))
    }
    return Array(all.prefix(count))
  }
}
