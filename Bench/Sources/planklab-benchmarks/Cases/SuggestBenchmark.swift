import ParameterTuning
@_spi(Bench) import PlankDetection
@_spi(Bench) import PoseModel

/// The search for the best single edit of `trunk`, with and without pairs of conditions.
struct SuggestBenchmark {
  /// One search.
  struct Row {
    let name: String
    /// Seconds of processor time, the median over the rounds.
    let processor: Double
    /// How many edits were tried.
    let tried: Int
    /// A checksum of the edits that were found.
    let checksum: UInt64
  }

  private let frames: SuggestionFrames
  private let detector = DetectorDefinition.trunk
  /// Seconds of processor time to sort all columns.
  let preparation: Double

  /// Measurements that tell nothing but the four that `gravity` uses, in as many columns as asked
  /// for.
  init(frames count: Int, columns: Int, sequences: Int = 20) throws {
    var source = SweepData(seed: 11)
    var random = SplitMix64(seed: 12)
    let measurements = try Self.measurements(columns)
    let measured = try (0..<sequences).map { index in
      let sequence = try source.sequence(index, frames: count / sequences, dropouts: 0.02)
      var all: [Measurement: [Float]] = [:]
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
    let start = ProcessTime.seconds
    frames = SuggestionFrames(measured, .plank, measurements)
    preparation = ProcessTime.seconds - start
  }

  /// Searches in turns.
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

  private static func measurements(_ count: Int) throws -> [Measurement] {
    var all = Measurement.builtIn(for: .gravity)
    while all.count < count {
      all.append(try Measurement("extra\(all.count)", "elbowAngle / 1deg"))
    }
    return Array(all.prefix(count))
  }
}
