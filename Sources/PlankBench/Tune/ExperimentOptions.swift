internal import ArgumentParser
internal import Evaluation
internal import PlankDetection
internal import PoseDatasets
internal import PoseModel
internal import Reports
internal import Tuning

extension SweepEngine: ExpressibleByArgument {}

struct ExperimentOptions: ParsableArguments {
  @Argument(help: "The experiment's folder or its experiment.yaml.", completion: .folder)
  var experiment = ""

  @Option(
    name: .customLong("detector"),
    help: ArgumentHelp(
      "Use this detector instead of the experiment's; repeat to choose from several.",
      valueName: "NAME|FILE.yaml"), completion: .detector)
  var detectors: [String] = []

  @Option(
    name: .customLong("axis"),
    help: ArgumentHelp(
      "Replace or add an axis; may be repeated.",
      discussion: "Examples are sag=0:8cm:5mm, plank_frames=1,3,5 and elbow_split=quantiles:24.",
      valueName: "key=values"))
  var axes: [String] = []

  @Option(
    help: ArgumentHelp(
      "Start from these thresholds, for example those in your app.",
      discussion:
        "The default is the file named in planklab.yaml, or else the detector's own values.",
      valueName: "FILE.json"))
  var parameters: String?

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Fix a parameter, which removes its axis; may be repeated.", valueName: "key=value"))
  var assignments: [String] = []

  @Option(
    help: ArgumentHelp(
      "Use this smoothing instead of the experiment's; repeat to choose from several.",
      valueName: "STRATEGY"))
  var smoothing: [String] = []

  @Option(
    help: ArgumentHelp(
      "Use this debounce instead of the experiment's; repeat to choose from several.",
      valueName: "STRATEGY"))
  var debounce: [String] = []

  @OptionGroup var calibration: CalibrationOptions

  @Option(
    name: .customLong("dataset"),
    help: ArgumentHelp(
      "Use this dataset instead of the experiment's; may be repeated, and each dataset is a "
        + "source.", valueName: "DIR"))
  var datasets: [String] = []

  @Option(help: ArgumentHelp("Use this split instead of the experiment's.", valueName: "NAME"))
  var split: String?

  @Option(help: ArgumentHelp("The seed for folds and resamples.", valueName: "S"))
  var seed: UInt64?

  @Flag(help: "Count each sequence without a subject as a separate person.")
  var allowUngrouped = false

  @Flag(
    help: ArgumentHelp(
      "Allow a store larger than 10 GB, or more than 8 GB of memory.",
      discussion: "Both are estimated and reported before anything is evaluated."))
  var allowLarge = false

  @Option(help: "The evaluation engine; all engines give the same numbers.")
  var engine: SweepEngine = .automatic

  @Option(
    name: .shortAndLong, help: ArgumentHelp("How many cores to use (default: all).", valueName: "N")
  )
  var jobs: Int?

  @OptionGroup var defaults: DefaultsOption

  mutating func takeDefaults(besides map: YAMLMap) {
    var defaults = defaults
    func given(_ key: String, _ values: [String]) -> String? {
      values.first ?? (map.optional(key) == nil ? nil : "")
    }
    let filled = defaults.filled(
      AnswerSettings(
        detector: given("detector", detectors), parameters: parameters,
        smoothing: given("smoothing", smoothing), debounce: given("debounce", debounce)))
    parameters = filled.parameters
    func taken(_ values: [String], _ value: String?) -> [String] {
      values.isEmpty ? [value].compactMap(\.self).filter { !$0.isEmpty } : values
    }
    detectors = taken(detectors, filled.detector)
    smoothing = taken(smoothing, filled.smoothing)
    debounce = taken(debounce, filled.debounce)
    self.defaults = defaults
  }

  mutating func takeShipped(of detector: DetectorDefinition) throws {
    var defaults = defaults
    guard parameters == nil, let file = defaults.file?.answers.parameters,
      try ThresholdsFile.read(file).definition == detector
    else { return }
    parameters = defaults.parameters()
    self.defaults = defaults
  }

  private static let mostJobs = 1024

  func validate() throws {
    if let jobs, !(1...Self.mostJobs).contains(jobs) {
      throw ValidationError("--jobs \(jobs): give 1 to \(Self.mostJobs)")
    }
  }

  func axisTexts() throws -> [AxisText] {
    let texts = try axes.map { axis in
      do {
        return try AxisText(assignment: axis)
      } catch {
        throw WorkflowFailure(.usage, "--axis \(axis): \(error)")
      }
    }
    var named = Set(assignments.map { String($0.prefix { $0 != "=" }) })
    for text in texts where !named.insert(text.key).inserted {
      throw WorkflowFailure(
        .usage, "--axis \(text.key): is given twice, as an axis or with --set; keep one of them")
    }
    return texts
  }

  var file: String {
    get throws {
      if experiment.split(separator: "/").last == DatasetManifest.fileName[...] {
        return experiment.dropLast(DatasetManifest.fileName.count) + Experiment.fileName
      }
      guard try FileDescriptor.isFolder(experiment) else { return experiment }
      return (experiment.hasSuffix("/") ? experiment : experiment + "/") + Experiment.fileName
    }
  }

  var isDataset: Bool {
    get throws {
      let name = experiment.split(separator: "/").last.map(String.init)
      let manifest =
        (experiment.hasSuffix("/") ? experiment : experiment + "/") + DatasetManifest.fileName
      return try (name == DatasetManifest.fileName || FileDescriptor.exists(manifest))
        && !FileDescriptor.exists(file)
    }
  }

  /// Resolves links, so that the title is the same however the path is typed.
  func title() throws -> String {
    var parts = try OutputFile.knownPlace(of: file).split(separator: "/").map(String.init)
    guard let last = parts.popLast() else { return experiment }
    if last == Experiment.fileName, let folder = parts.last { return folder }
    return last.split(separator: ".").first.map(String.init) ?? last
  }

  func provenance(seed: UInt64) -> [String: String?] {
    func joined(_ values: [String]) -> String? {
      values.isEmpty ? nil : values.joined(separator: " ")
    }
    return [
      "experiment": experiment, "seed": "\(seed)", "dataset_path": joined(datasets),
      "axis": joined(axes), "detector": joined(detectors), "smoothing": joined(smoothing),
      "debounce": joined(debounce), "parameters": parameters, "set": joined(assignments),
      "calibrate": calibration.calibrate,
      "defaults": defaults.sentence,
    ]
  }

  fileprivate var words: [String] { words { _ in true } }

  /// The options that the draft of an experiment does not contain.
  var undrafted: [String] {
    words {
      !["--detector", "--smoothing", "--debounce", "--calibrate", "--dataset", "--split"]
        .contains($0)
    }
  }

  private func words(where isKept: (String) -> Bool) -> [String] {
    let options: [(name: String, values: [String])] = [
      ("--axis", axes), ("--parameters", [parameters].compactMap(\.self)), ("--set", assignments),
      ("--detector", detectors), ("--smoothing", smoothing), ("--debounce", debounce),
      ("--calibrate", [calibration.calibrate].compactMap(\.self)), ("--dataset", datasets),
      ("--split", [split].compactMap(\.self)),
      ("--seed", [seed].compactMap { $0.map(String.init) }),
    ]
    var words = options.filter { isKept($0.name) }
      .flatMap { option in option.values.flatMap { [option.name, $0] } }
    if allowUngrouped { words.append("--allow-ungrouped") }
    if allowLarge { words.append("--allow-large") }
    return words + defaults.words
  }

  fileprivate func option(of error: TuningError) -> String? {
    if let key = error.axis?.rawValue,
      let axis = axes.first(where: { $0.prefix { $0 != "=" } == key })
    {
      return "--axis \(axis)"
    }
    guard case .noSequences = error else { return nil }
    return split.map { "--split \($0)" } ?? datasets.first.map { "--dataset \($0)" }
  }
}

extension Experiment {
  var commands: ResultCommands {
    let taken = AnswerStream.allCases.filter(options.takesFound.contains)
    var data = datasets.map { PathText.short($0) }
    if let split { data += ["--split", split] }
    if let calibrating { data += ["--calibrate", calibrating.text] }
    return ResultCommands(
      again: ["tune", PathText.short(flags.experiment)] + flags.words
        + taken.flatMap { ["--take", $0.rawValue] }, data: data)
  }

  func failure(_ error: any Error) -> any Error {
    let problem = "\(error)"
    guard let error = error as? TuningError else {
      return error is DetectorError ? places.failure([], problem) : error
    }
    switch error {
    case .notBitParallel: return WorkflowFailure(.badData, problem)
    case .missingEngine: return WorkflowFailure(.usage, problem)
    default:
      if let option = flags.option(of: error) {
        return WorkflowFailure(.usage, "\(option): \(problem)")
      }
      let fields = error.fields.filter { $0 != "dataset" || flags.datasets.isEmpty }
      return places.failure(fields, problem)
    }
  }

  func steps(fromStore: Bool) -> [WorkProgress.Step] {
    let choices = goals.enumerated().flatMap { index, goal in
      [
        index == 0 && fromStore ? nil : "configurations", options.validation == nil ? nil : "folds",
        options.resamples == 0 ? nil : "resamples",
      ].compactMap { $0.map { WorkProgress.Step("\(goal.stream.rawValue) \($0)") } }
    }
    return ["files", "sequences"] + choices + [WorkProgress.Step(StressTest.what)]
  }
}

extension TuningError {
  fileprivate var axis: ParameterKey? {
    switch self {
    case .emptyAxis(let key), .repeatedValue(let key, _), .repeatedAxis(let key),
      .invalidRange(let key, _, _, _), .tooManyValues(let key, _), .noMeasurement(let key),
      .nothingObserved(let key), .unusedAxis(let key, _):
      key
    default: nil
    }
  }

  fileprivate var fields: [String] {
    if let axis { return ["axes.\(axis.rawValue)", "axes"] }
    return switch self {
    case .gridTooLarge: ["axes"]
    case .everyCellRejected, .undefinedConstraint: ["constraints"]
    case .invalidFolds, .tooFewSubjects: ["validation.subject_folds", "validation"]
    case .missingSubject: ["allow_ungrouped", "dataset"]
    case .tooFewSources: ["source_tag", "validation", "dataset"]
    case .subjectInTwoSources: ["source_tag", "dataset"]
    case .noSequences: ["split", "dataset"]
    case .repeatedSequence: ["dataset"]
    case .noDetector, .repeatedDetector: ["detector"]
    case .mixedStreams, .undefinedObjective: ["objective"]
    default: []
    }
  }
}

extension PreparedExperiment {
  static let largestStore = 10e9
  static let largestTables = 8e9

  func checkedStore(_ grids: [StreamGrid]) throws -> String {
    let sizes = grids.map { SweepSize($0, swept[$0.stream]) }
    let bytes = sizes.reduce(8 * Double(frameCount)) { $0 + $1.cells * $1.storedBytesPerCell }
    let parts = sizes.map {
      "\(SizeText.count($0.cells)) \($0.stream.rawValue) "
        + "\($0.cells == 1 ? "configuration" : "configurations") of about "
        + "\(SizeText.bytes($0.storedBytesPerCell))"
    }
    let sentence =
      "\(parts.joined(separator: " and ")): about \(SizeText.bytes(bytes)) in the store"
    try check(bytes, Self.largestStore, sentence, remedy: "coarsen the axes")
    let chunks = 2 * Double(max(1, options.jobs))
    let kept =
      sizes.map {
        min(chunks * Double(StreamSweep.cellsAtOnce($0.numbers)), $0.cells) * Double($0.numbers)
      }.max() ?? 0
    let memory = measuredBytes + grids.reduce(4 * kept) { $0 + bitBytes($1) }
    return "\(sentence), \(SizeText.bytes(memory)) of memory"
  }

  private var measuredBytes: Double {
    let bytes = data.variants.reduce(0) { sum, sequences in
      sum + 10 + 4 * (sequences.first?.columns.measurements.members.count ?? 0)
    }
    return Double(frameCount) * Double(bytes)
  }

  private func bitBytes(_ grid: StreamGrid) -> Double {
    let rows = grid.variants.reduce(0.0) { sum, variant in
      let holds = variant.axes.first { $0.key == .holdSeconds }?.values.count ?? 1
      let others = variant.axes.filter { $0.key != .holdSeconds }
      return sum + Double(holds) * Double(others.reduce(0) { $0 + $1.values.count })
    }
    return Double(frameCount) * rows / 8
  }

  func checkedTables() throws -> String {
    let sizes = try experiment.goals.enumerated().map { index, goal in
      let isRepeated = index > 0 || experiment.grid.dependsOnData
      let copies = isRepeated ? 1 + Double(min(options.jobs, foldCount)) : 1
      do {
        let size =
          try index == 0
          ? wholeSize(goal.stream) : restSize(goal.stream, after: experiment.goals[0].stream)
        return (size: size, copies: copies)
      } catch { throw experiment.failure(error) }
    }
    let bytes = sizes.map { size, copies in
      size.cells * copies * size.chosenBytesPerCell(subjects: subjectCount, jobs: options.jobs)
    }
    let parts = zip(sizes, bytes).map { size, bytes in
      "\(SizeText.count(size.size.cells)) \(size.size.stream.rawValue) "
        + "\(size.size.cells == 1 ? "configuration" : "configurations"), about "
        + "\(SizeText.bytes(bytes)) of memory"
    }
    let sentence = parts.joined(separator: "; then ")
    try check(
      bytes.max() ?? 0, Self.largestTables, sentence,
      remedy: "coarsen the axes, tune fewer parameters at a time")
    return "\(sentence); the \(NumberText.count(frameCount)) measured frames take about "
      + SizeText.bytes(measuredBytes)
  }

  private func check(_ bytes: Double, _ limit: Double, _ sentence: String, remedy: String) throws {
    guard bytes > limit, !experiment.flags.allowLarge else { return }
    throw experiment.places.failure(
      ["axes"],
      "\(sentence), and \(SizeText.bytes(limit)) is the limit; \(remedy), or give --allow-large",
      status: .usage)
  }

  private func wholeSize(_ stream: AnswerStream) throws -> SweepSize {
    SweepSize(try experiment.grid.grid(stream, swept[stream]), swept[stream])
  }

  private func restSize(_ stream: AnswerStream, after first: AnswerStream) throws -> SweepSize {
    let data = swept[stream]
    let grid = try experiment.grid.grid(stream, data)
    let cells = grid.variants.map { variant in
      let taken = variant.variant.keys(first)
      return variant.axes.filter { !taken.contains($0.key) }
        .reduce(1.0) { $0 * Double($1.values.count) }
    }
    return SweepSize(stream, cells: cells.max() ?? 0, numbers: SweepSize(grid, data).numbers)
  }

  var subjectCount: Int {
    let names = data.sequences.map(\.subject)
    return Set(names.compactMap(\.self)).count + names.count { $0 == nil }
  }

  private var foldCount: Int {
    switch options.validation?.settled(subjects: subjectCount) {
    case nil: 0
    case .leaveOneSubjectOut, .automatic: subjectCount
    case .leaveOneSourceOut: Set(data.sequences.map(\.source)).count
    case .subjectFolds(let count): count
    }
  }
}

enum SizeText {
  static func bytes(_ bytes: Double) -> String {
    let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
    guard bytes >= 1000 else { return "\(count(bytes.rounded())) bytes" }
    var (value, unit) = (bytes / 1000, 0)
    while value >= 999.5, unit + 1 < units.count { (value, unit) = (value / 1000, unit + 1) }
    return NumberText.fixed(value, value < 10 ? 1 : 0) + " " + units[unit]
  }

  static func count(_ number: Double) -> String {
    number < 1e15 ? NumberText.count(Int(number)) : "\(number)"
  }
}
