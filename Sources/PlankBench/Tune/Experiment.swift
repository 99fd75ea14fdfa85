internal import Evaluation
internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Reports
internal import Tuning

/// The section "An experiment" of `docs/tuning.md` describes the format of the file.
struct Experiment: Sendable {
  static let fileName = "experiment.yaml"

  let question: String?
  let datasets: [String]
  let sourceTag: String?
  let split: String?
  let grid: GridDefinition
  let detectors: [DetectorDefinition]
  let calibrating: CalibrationChoice?
  let goals: [TuningGoal]
  var options: TuningOptions
  let places: SettingPlaces
  let flags: ExperimentOptions

  init(_ flags: ExperimentOptions) throws {
    let file = try flags.file
    try self.init(InputText.read(file), at: file, flags)
  }

  init(_ text: String, at file: String, _ flags: ExperimentOptions) throws {
    let axes = try flags.axisTexts()
    do {
      try self.init(text, file: file, flags, axes: axes)
    } catch let error as FieldError {
      throw WorkflowFailure(error.file == file ? .badData : .usage, "\(error)")
    }
  }

  /// Mistakes in flags are reported with the option instead of the file.
  init(_ text: String, file: String, _ flags: ExperimentOptions, axes: [AxisText]) throws {
    let root = try YAMLDocument(text: text, file: file).root
    let map = try root.map()
    try map.rejectUnknownKeys(known: Self.keys)
    var flags = flags
    flags.takeDefaults(besides: map)
    let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
    let (goals, relations) = try GoalSpecification.parse(map)
    let calibrating = try Self.calibration(map, flags)
    let specification = try GridSpecification(
      map: map, flags: &flags, optionAxes: axes, folder: folder)
    let grid = try specification.grid(relations, isCalibrated: calibrating != nil)
    if let calibrating { try Self.check(calibrating, specification.detectors, grid, map) }
    detectors = specification.detectors
    self.grid = grid
    self.calibrating = calibrating
    self.goals = goals
    question = try map.text("question")
    var datasets = flags.datasets
    if datasets.isEmpty {
      datasets = try map.required("dataset").strings().map {
        Self.path(try $0.string(), in: folder)
      }
    }
    self.datasets = datasets
    sourceTag = try map.text("source_tag")
    split = try flags.split == nil ? map.optional("split")?.string() : flags.split
    options = try Self.options(map, flags)
    places = SettingPlaces(root)
    self.flags = flags
  }

  var untunedAxes: [ParameterKey] {
    let tuned = grid.detectors.flatMap { detector in goals.flatMap { detector.keys($0.stream) } }
    return grid.axes.map(\.key).filter { !tuned.contains($0) }
  }

  static func path(_ path: String, in folder: String) -> String {
    path.hasPrefix("/") ? path : folder + path
  }

  private static let keys = [
    "question", "dataset", "source_tag", "split", "detector", "smoothing", "debounce", "parameters",
    "calibrate", "axes", "objective", "constraints", "tolerance", "validation", "allow_ungrouped",
    "resamples",
    "refine", "seed",
  ]

  private static func calibration(
    _ map: YAMLMap, _ flags: ExperimentOptions
  ) throws -> CalibrationChoice? {
    if let text = flags.calibration.calibrate {
      do { return try CalibrationChoice(text) } catch {
        throw FieldError(file: "--calibrate \(text)", line: nil, problem: "\(error)")
      }
    }
    guard let node = map.optional("calibrate") else { return nil }
    let text = try node.string()
    do { return try CalibrationChoice(text) } catch { throw node.error(error) }
  }

  private static func check(
    _ choice: CalibrationChoice, _ detectors: [DetectorDefinition], _ grid: GridDefinition,
    _ map: YAMLMap
  ) throws {
    let node = map.optional("calibrate") ?? map.node
    guard grid.detectors.count == 1, grid.smoothings.count == 1 else {
      throw node.error(
        allowed: "one detector, one debounce and one smoothing with `calibrate`",
        remedy: "tune each of them on its own")
    }
    do { _ = try choice.hold(of: detectors[0]) } catch { throw node.error(error) }
  }

  private static func options(_ map: YAMLMap, _ flags: ExperimentOptions) throws -> TuningOptions {
    var options = TuningOptions()
    if let node = map.optional("validation") { options.validation = try scheme(node) }
    if let node = map.optional("allow_ungrouped") { options.allowsUngrouped = try node.bool() }
    if let node = map.optional("refine") { options.refines = try node.bool() }
    if let node = map.optional("resamples") { options.resamples = try node.integer(in: 0...10_000) }
    if let node = map.optional("seed") { options.seed = try node.seed() }
    if let seed = flags.seed { options.seed = seed }
    if flags.allowUngrouped { options.allowsUngrouped = true }
    options.jobs = flags.jobs ?? ConcurrentMap.cores
    options.engine = flags.engine
    return options
  }

  private static func scheme(_ node: YAMLNode) throws -> ValidationScheme? {
    if case .mapping = node.content {
      let map = try node.map()
      try map.rejectUnknownKeys(known: ["subject_folds"])
      return .subjectFolds(try map.required("subject_folds").integer(in: 2...1000))
    }
    return try node.choice([
      (word: "leave-one-subject-out", value: ValidationScheme?.some(.leaveOneSubjectOut)),
      (word: "leave-one-source-out", value: .leaveOneSourceOut), (word: "none", value: nil),
    ])
  }
}

extension YAMLMap {
  func text(_ key: String) throws -> String? { try optional(key)?.string() }
}

extension YAMLNode {
  func require(
    _ condition: Bool, allowed: @autoclosure () -> String, remedy: @autoclosure () -> String,
    found: @autoclosure () -> String? = nil
  ) throws {
    guard condition else { throw error(allowed: allowed(), remedy: remedy(), found: found()) }
  }

  func integer(in range: ClosedRange<Int>) throws -> Int {
    let value = try integer()
    guard range.contains(value) else {
      throw error(
        allowed: "\(range.lowerBound) to \(range.upperBound)",
        remedy: "write a whole number in that range")
    }
    return value
  }

  func strings() throws -> [YAMLNode] {
    guard case .sequence(let elements) = content else { return [self] }
    guard !elements.isEmpty else {
      throw error(allowed: "at least one value", remedy: "give one, or remove the key")
    }
    return elements
  }
}

struct ExperimentDraft: Sendable {
  struct Axis: Sendable {
    let definition: ParameterDefinition
    let stream: AnswerStream
    let values: [Double]
    let limit: BeforeAfter<Double>
    let score: BeforeAfter<Double>
    /// The largest gain of any value alone.
    let gain: Double
  }

  /// Small, because the sizes of axes multiply.
  static let mostAxes = 3
  static let mostValues = 12
  /// The smallest difference along an axis at which the parameter matters; 0.005 is half a point.
  static let leastDifference = 0.005
  /// How far below the best score a value tried with others may be; 0.1 is ten points.
  static let reach = 0.1

  private let settings: [(key: String, values: [String])]
  let axes: [Axis]
  private let basis: String

  init(_ flags: ExperimentOptions, for file: String) async throws {
    let progress = LongWork(["files", "sequences", "parameters"]).report
    let prepared = try await Self.prepared(flags, for: file, progress)
    let probe = prepared.experiment
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
      ),
      ("smoothing", chosen.smoothing), ("debounce", chosen.debounce),
      ("calibrate", [chosen.calibration.calibrate].compactMap(\.self)),
    ]
    basis =
      NumberText.count(prepared.data.sequences.count, "recording") + " of "
      + (prepared.subjectCount == 0 ? "unnamed people" : NumberText.people(prepared.subjectCount))
  }

  private static func prepared(
    _ flags: ExperimentOptions, for file: String, _ progress: @escaping ProgressReport
  ) async throws -> PreparedExperiment {
    let streams = AnswerStream.allCases.map { "\($0.rawValue).balanced_accuracy" }
    let text = "dataset: .\nobjective: [\(streams.joined(separator: ", "))]\n"
    if flags.calibration.calibrate == nil, try namesHolds(flags) {
      var calibrated = flags
      calibrated.calibration.calibrate = "confirmed"
      // A detector without a measurement to calibrate, and a split without holds, are tuned without
      // calibration.
      if let probe = try? Experiment(text, at: file, calibrated),
        let prepared = try? await PreparedExperiment(probe, progress: progress),
        prepared.calibratedPeople > 1
      {
        return prepared
      }
    }
    return try await PreparedExperiment(
      try Experiment(text, at: file, flags), progress: progress)
  }

  private static func namesHolds(_ flags: ExperimentOptions) throws -> Bool {
    guard flags.detectors.count < 2, flags.debounce.count < 2, flags.smoothing.count < 2 else {
      return false
    }
    let held = try DatasetAccess.open(flags.datasets[0]).manifest.sequences
      .filter { $0.calibration != nil }
    return Set(held.map { $0.subject ?? $0.posesPath }).count > 1
  }

  private static func axes(
    _ prepared: PreparedExperiment, _ progress: @escaping ProgressReport
  ) async throws -> [Axis] {
    let detector = prepared.experiment.grid.detectors[0]
    let work = ProgressCounter(
      total: AnswerStream.allCases.reduce(0) { $0 + detector.keys($1).count }, what: "parameters",
      report: progress)
    var axes: [Axis] = []
    for stream in AnswerStream.allCases {
      let classes = prepared.trueClasses(stream)
      guard classes.count > 1 else { continue }
      let keys = decisive(detector, stream, classes)
      func axis(_ line: ParameterLine) throws -> Axis? {
        keys.contains(line.definition.key) ? try Axis(line) : nil
      }
      let found: [Axis?]
      do {
        let people = try SweptPeople(prepared.data.compared(by: stream).sequences)
        found = try await ParameterLine.map(
          stream, detector, people, jobs: prepared.options.jobs, progress: { work.add(1) }, axis)
      } catch { throw prepared.experiment.failure(error) }
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
    axes.sorted { $0.gain > $1.gain }.prefix(mostAxes)
  }

  private static func nothingMatters(_ prepared: PreparedExperiment) -> WorkflowFailure {
    let classes = AnswerStream.allCases.map { prepared.trueClasses($0) }
    let problem =
      classes.allSatisfy { $0.count < 2 }
      ? "fewer than two classes are labeled, so there is nothing for a threshold to separate; "
        + "label the recordings, or add recordings of other planks and forms"
      : "no parameter of \(prepared.experiment.grid.detectors[0].name) changes the scores; write "
        + "an experiment.yaml with your own axes, or try another detector with --detector"
    return WorkflowFailure(.badData, "\(prepared.dataName): \(problem)")
  }

  func text(command: String) -> String {
    var lines = [
      "# These parameters matter most when each is tried alone on \(basis).",
      "# Edit this file as you like; `\(PrintableText.line(command))` reads it from now on.",
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
    let objectives = AnswerStream.allCases.filter { stream in
      axes.contains { $0.stream == stream }
    }
    lines.append("objective: " + Self.list(objectives.map { "\($0.rawValue).balanced_accuracy" }))
    lines += ["# Differences of less than half a point count as none.", "tolerance: 0.005"]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func list(_ scalars: [String]) -> String { "[\(scalars.joined(separator: ", "))]" }
}

extension ExperimentDraft.Axis {
  fileprivate init?(_ line: ParameterLine) throws {
    let scores = line.scores(MetricKey(.balancedAccuracy, in: line.stream))
    let known = scores.compactMap(\.self)
    guard let start = scores[line.own], let best = known.max(), let worst = known.min(),
      best - worst >= ExperimentDraft.leastDifference
    else { return nil }
    let place = try line.choice(least: NextSteps.leastGain)?.place ?? line.own
    let near = scores.indices.filter { index in
      index == line.own || scores[index].map { best - $0 < ExperimentDraft.reach } ?? false
    }
    definition = line.definition
    stream = line.stream
    values = Set(Self.thinned(line.values, own: line.own, around: near) + [line.values[place]])
      .sorted()
    limit = BeforeAfter(before: line.values[line.own], after: line.values[place])
    score = BeforeAfter(before: start, after: scores[place] ?? start)
    gain = best - start
    guard values.count > 1 else { return nil }
  }

  /// Keeps every value, or every second, fifth, tenth and so on, counted from the starting value,
  /// so that steps stay round.
  private static func thinned(_ values: [Double], own: Int, around near: [Int]) -> [Double] {
    let span = (near.last ?? own) - (near.first ?? own) + 1
    let strides = [1, 2, 5, 10, 20, 50, 100]
    let stride = strides.first { span <= $0 * ExperimentDraft.mostValues } ?? span
    let range = ((near.first ?? own) - stride)...((near.last ?? own) + stride)
    return values.indices.filter { range.contains($0) && ($0 - own) % stride == 0 }.map {
      values[$0]
    }
  }

  fileprivate var sentence: String {
    let unit = definition.unit.suffix
    let start = NumberText.short(limit.before) + unit
    let before = NumberText.fixed(score.before, 3)
    guard limit.after != limit.before else {
      return "\(definition.meaning): no other value alone gains half a point over \(start) "
        + "(\(before))"
    }
    return "\(definition.meaning): \(start) -> \(NumberText.short(limit.after))\(unit) alone, "
      + "\(before) -> \(NumberText.fixed(score.after, 3))"
  }
}

enum GoalSpecification {
  struct Relation {
    let left: String
    let comparison: Comparison
    let right: String
    let margin: String?
    let node: YAMLNode
  }

  static func parse(_ map: YAMLMap) throws -> (goals: [TuningGoal], relations: [Relation]) {
    let node = try map.required("objective")
    let objectives = try self.objectives(node)
    let (bounds, relations) = try constraints(map.optional("constraints"), objectives)
    let tolerance = try self.tolerance(map.optional("tolerance"))
    let goals = try objectives.map { objective in
      do {
        return try TuningGoal(
          objective, constraints: bounds.filter { $0.metric.stream == objective.stream },
          tolerance: tolerance)
      } catch { throw node.error(error) }
    }
    return (goals: goals, relations: relations)
  }

  private static func objectives(_ node: YAMLNode) throws -> [MetricKey] {
    let objectives = try node.strings().map { element in
      let name = try element.string()
      do { return try MetricKey(tunable: name) } catch { throw element.error(error) }
    }
    try node.require(
      Set(objectives.map(\.stream)).count == objectives.count, allowed: "one metric per stream",
      remedy: "keep one objective for each stream and turn others into constraints",
      found: "two objectives for one stream")
    return objectives
  }

  private static func constraints(
    _ node: YAMLNode?, _ objectives: [MetricKey]
  ) throws -> (bounds: [MetricConstraint], relations: [Relation]) {
    var bounds: [MetricConstraint] = []
    var relations: [Relation] = []
    for element in try node?.list() ?? [] {
      let words = try element.string()
      let text: ConstraintText
      do { text = try ConstraintText(words) } catch { throw element.error(error) }
      switch text {
      case .metric(let bound):
        try element.require(
          objectives.contains(where: { $0.stream == bound.metric.stream }),
          allowed: "constraints on streams that have an objective",
          remedy: "add an objective for the \(bound.metric.stream.rawValue) stream",
          found: "a constraint on `\(bound.metric)`")
        bounds.append(bound)
      case .parameters(let left, let comparison, let right, let margin):
        relations.append(
          Relation(left: left, comparison: comparison, right: right, margin: margin, node: element))
      }
    }
    return (bounds: bounds, relations: relations)
  }

  private static func tolerance(_ node: YAMLNode?) throws -> Double {
    guard let node else { return 0 }
    let value = try node.double()
    guard value >= 0 else {
      throw node.error(allowed: "0 or more", remedy: "write it in the objective's unit")
    }
    return value
  }
}

enum ConstraintText: Hashable, Sendable {
  case metric(MetricConstraint)
  case parameters(left: String, Comparison, right: String, margin: String?)

  struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    let description: String
  }

  init(_ text: String) throws {
    let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
    guard words.count == 3 || (words.count == 5 && ["+", "-"].contains(words[3])) else {
      throw Problem(
        description: "`\(text)` is not a constraint; write `metric <= number`, for example "
          + "`plank.excess_transitions_per_minute <= 2`, or `parameter < parameter`, for example "
          + "`sag < pike + 1cm`")
    }
    if words[0].contains(".") {
      self = .metric(try Self.bound(words))
      return
    }
    guard let comparison = Comparison(rawValue: words[1]) else {
      throw Problem(
        description: "`\(words[1])` is not a comparison; comparisons are >, >=, < and <=")
    }
    guard words[2].first.map({ $0.isLetter || $0 == "_" }) ?? false else {
      throw Problem(
        description: "`\(words[2])` is a value, but a constraint compares two parameters; to bound "
          + "a parameter, change its axis")
    }
    let margin = words.count == 5 ? (words[3] == "-" ? "-" : "") + words[4] : nil
    self = .parameters(left: words[0], comparison, right: words[2], margin: margin)
  }

  private static func bound(_ words: [String]) throws -> MetricConstraint {
    let metric: MetricKey
    do {
      metric = try MetricKey(tunable: words[0])
    } catch {
      throw Problem(description: "\(error)")
    }
    guard let side = MetricConstraint.Side(rawValue: words[1]) else {
      throw Problem(
        description: "`\(words[1])` cannot bound a metric; write <= or >=")
    }
    guard words.count == 3, let bound = Double(words[2]), bound.isFinite else {
      throw Problem(
        description: "`\(words.dropFirst(2).joined(separator: " "))` is not a number; write the "
          + "bound in the metric's unit")
    }
    return MetricConstraint(metric, side, bound)
  }
}
