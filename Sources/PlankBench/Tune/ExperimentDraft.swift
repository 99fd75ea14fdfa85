internal import Evaluation
internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Tuning

struct ExperimentDraft: Sendable {
  struct Axis: Sendable {
    let definition: ParameterDefinition
    let stream: AnswerStream
    let values: [Double]
    let limit: BeforeAfter<Double>
    let score: BeforeAfter<Double>

    var gain: Double { score.after - score.before }
  }

  /// The most axes per stream: their cells multiply.
  static let mostAxes = 3
  static let mostValues = 12
  /// The smallest difference along an axis that makes the parameter matter: half a point.
  static let leastDifference = 0.005
  /// Values that lose less than this much against the best are tried together: ten points.
  static let reach = 0.1

  private let settings: [(key: String, values: [String])]
  let axes: [Axis]
  private let basis: String

  init(_ flags: ExperimentOptions, for file: String) async throws {
    let streams = AnswerStream.allCases.map { "\($0.rawValue).balanced_accuracy" }
    let probe = try Experiment(
      "dataset: .\nobjective: [\(streams.joined(separator: ", "))]\n", at: file, flags)
    let progress = LongWork(["files", "sequences", "parameters"]).report
    let prepared = try await PreparedExperiment(probe, progress: progress)
    let axes = try await Self.axes(prepared, progress)
    guard !axes.isEmpty else { throw Self.nothingMatters(prepared) }
    self.axes = axes
    let chosen = probe.flags
    settings = [
      ("dataset", [try OutputFile.relativePath(of: flags.datasets[0], toFolderOf: file)]),
      ("split", [chosen.split].compactMap(\.self)),
      (
        "detector",
        chosen.detectors.isEmpty
          // The thresholds from which tuning starts name their detector.
          ? chosen.parameters == nil ? [BenchDetector.standard] : []
          : try chosen.detectors.map {
            BenchDetector.isFile($0) ? try OutputFile.relativePath(of: $0, toFolderOf: file) : $0
          }
      ), ("smoothing", chosen.smoothing), ("debounce", chosen.debounce),
    ]
    basis =
      NumberText.count(prepared.data.sequences.count, "recording") + " of "
      + (prepared.subjectCount == 0 ? "unnamed people" : NumberText.people(prepared.subjectCount))
  }

  private static func axes(
    _ prepared: PreparedExperiment, _ progress: @escaping ProgressReport
  ) async throws -> [Axis] {
    let detector = prepared.experiment.grid.detectors[0]
    let people: SweptPeople
    do {
      people = try SweptPeople(prepared.data.sequences)
    } catch {
      throw prepared.experiment.failure(error)
    }
    let work = ProgressCounter(
      total: AnswerStream.allCases.reduce(0) { $0 + detector.keys($1).count }, what: "parameters",
      report: progress)
    var axes: [Axis] = []
    for stream in AnswerStream.allCases {
      let classes = prepared.trueClasses(stream)
      guard classes.count > 1 else { continue }
      let keys = decisive(detector, stream, classes)
      func axis(_ line: ParameterLine) -> Axis? {
        keys.contains(line.definition.key) ? Axis(line) : nil
      }
      let found: [Axis?]
      do {
        found = try await ParameterLine.map(
          stream, detector, people, jobs: prepared.options.jobs, progress: { work.add(1) }, axis)
      } catch {
        throw prepared.experiment.failure(error)
      }
      let known = Set(axes.map(\.definition.key))
      axes += best(found.compactMap(\.self).filter { !known.contains($0.definition.key) })
    }
    return axes
  }

  private static func decisive(
    _ detector: DetectorVariant, _ stream: AnswerStream, _ classes: [String]
  ) -> Set<ParameterKey> {
    let rules = detector.definition.list(stream).rules.filter { classes.contains($0.label.name) }
    return Set(rules.flatMap(\.predicates).map(\.parameter))
      .union([stream == .plank ? ParameterKey.plankFrames : .formFrames])
  }

  private static func best(_ axes: [Axis]) -> ArraySlice<Axis> {
    axes.enumerated().sorted { ($1.element.gain, $0.offset) < ($0.element.gain, $1.offset) }
      .map(\.element).prefix(mostAxes)
  }

  private static func nothingMatters(_ prepared: PreparedExperiment) -> WorkflowFailure {
    let classes = AnswerStream.allCases.map { prepared.trueClasses($0) }
    let problem =
      classes.allSatisfy { $0.count < 2 }
      ? "fewer than two classes are labeled, so no threshold can tell them apart; label the "
        + "recordings, or add recordings of other planks and forms"
      : "no parameter of \(prepared.experiment.grid.detectors[0].name) changes what is right there; "
        + "write an experiment.yaml with axes of your own, or try another detector with --detector"
    return WorkflowFailure(.badData, "\(prepared.dataName): \(problem)")
  }
}

extension ExperimentDraft.Axis {
  fileprivate init?(_ line: ParameterLine) {
    let scores = line.scores(MetricKey(.balancedAccuracy, in: line.stream))
    let known = scores.compactMap(\.self)
    guard let start = scores[line.own], let best = known.max(), let worst = known.min(),
      best - worst >= ExperimentDraft.leastDifference
    else { return nil }
    let place = best > start ? scores.firstIndex(of: best) ?? line.own : line.own
    let near = scores.indices.filter { index in
      index == line.own || scores[index].map { best - $0 < ExperimentDraft.reach } ?? false
    }
    definition = line.definition
    stream = line.stream
    values = Self.thinned(line.values, own: line.own, around: near)
    limit = BeforeAfter(before: line.values[line.own], after: line.values[place])
    score = BeforeAfter(before: start, after: best)
    guard values.count > 1 else { return nil }
  }

  /// Every second, fifth, tenth and so on value from the starting one is kept, so that steps stay round;
  /// there is one more value at either end.
  private static func thinned(_ values: [Double], own: Int, around near: [Int]) -> [Double] {
    let span = (near.last ?? own) - (near.first ?? own) + 1
    let strides = [1, 2, 5, 10, 20, 50, 100]
    let stride = strides.first { span <= $0 * ExperimentDraft.mostValues } ?? span
    let range = ((near.first ?? own) - stride)...((near.last ?? own) + stride)
    return values.indices.filter { range.contains($0) && ($0 - own) % stride == 0 }.map {
      values[$0]
    }
  }
}

extension ExperimentDraft {
  func text(command: String) -> String {
    var lines = [
      "# The parameters that matter most here, each tried alone on \(basis).",
      "# Change what you like: `\(PrintableText.line(command))` reads this file from now on.",
    ]
    for (key, values) in settings where !values.isEmpty {
      let scalars = values.map(DatasetManifestWriter.scalar)
      lines.append("\(key): " + (scalars.count == 1 ? scalars[0] : Self.list(scalars)))
    }
    lines.append("axes:")
    for axis in axes {
      lines.append("  # \(axis.sentence)")
      lines.append(
        "  \(axis.definition.key.rawValue): " + Self.list(axis.values.map(NumberText.shortest)))
    }
    let objectives = AnswerStream.allCases.filter { stream in axes.contains { $0.stream == stream }
    }
    lines.append(
      "objective: " + Self.list(objectives.map { "\($0.rawValue).balanced_accuracy" }))
    lines += ["# Differences below half a point count as none.", "tolerance: 0.005"]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func list(_ scalars: [String]) -> String {
    "[\(scalars.joined(separator: ", "))]"
  }
}

extension ExperimentDraft.Axis {
  fileprivate var sentence: String {
    let unit = definition.unit.suffix
    let start = NumberText.short(limit.before) + unit
    let before = NumberText.fixed(score.before, 3)
    guard gain > 0 else {
      return "\(definition.meaning): nothing is better than \(start) alone (\(before))"
    }
    return "\(definition.meaning): \(start) -> \(NumberText.short(limit.after))\(unit) alone, "
      + "\(before) -> \(NumberText.fixed(score.after, 3))"
  }
}
