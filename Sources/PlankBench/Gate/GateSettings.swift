internal import ArgumentParser
internal import Evaluation
internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Reports

struct GateSettings: Sendable {
  var dataset: String
  var split: String?
  var answers: AnswerSettings
  var predictions: String?
  var baseline: String?
  var anchor: String?
  var resamples: Int
  var seed: UInt64
  var rules: [GateRule]
  var overrides: [String] = []
  var defaults: String?
  var places: SettingPlaces
}

struct GateOptions: ParsableArguments {
  @Argument(help: "The gate's file.", completion: .file(extensions: ["yaml", "yml"]))
  var gate = "planklab/gate.yaml"

  @Option(help: ArgumentHelp("Use this baseline instead of the gate's.", valueName: "FILE"))
  var baseline: String?

  @Option(
    help: ArgumentHelp("Use these thresholds instead of the gate's.", valueName: "THRESHOLDS.json"))
  var parameters: String?

  @Option(
    help: ArgumentHelp(
      "Judge the answers saved in a folder instead of running a detector.", valueName: "DIR"))
  var predictions: String?

  @OptionGroup var defaults: DefaultsOption
}

extension GateSettings {
  init(_ options: GateOptions, dataset named: String? = nil) throws {
    let path = options.gate
    let text = try InputText.read(path)
    self = try GateSpecification.parse(text, file: path)
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    func seen(_ name: String) -> String { name.hasPrefix("/") ? name : Self.plain(folder + name) }
    dataset = named ?? seen(dataset)
    baseline = options.baseline ?? baseline.map(seen)
    anchor = anchor.map(seen)
    if options.baseline == nil { try checkAnchor() }
    answers.parameters = answers.parameters.map(seen)
    predictions = predictions.map(seen)
    if let name = answers.detector, BenchDetector.isFile(name) { answers.detector = seen(name) }
    if let thresholds = options.parameters {
      answers.parameters = thresholds
      answers.detector = nil
      predictions = nil
    }
    if let answers = options.predictions { predictions = answers }
    takeDefaults(options.defaults)
    try checkInputs(options, isDatasetNamed: named != nil)
  }

  /// Removes `.` and `name/..`, unless `name` is a link, whose parent is elsewhere.
  private static func plain(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      let isDetour = part == ".." && parts.last != nil && parts.last != ".."
      let place = (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
      let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: place)) != nil
      if isDetour && !isLink { parts.removeLast() } else { parts.append(part) }
    }
    let plain = (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    return plain.isEmpty ? "." : plain
  }

  private mutating func takeDefaults(_ option: DefaultsOption) {
    guard predictions == nil else { return }
    var defaults = option
    answers = defaults.filled(answers)
    answers.ignoresDefaults = defaults.isOff
    self.defaults = defaults.sentence
    defaults.say()
  }

  /// A program with another default detector would judge a detector other than the baseline's,
  /// although nobody changed anything.
  func unnamedDetector(beside baseline: Baseline) -> String? {
    guard predictions == nil, answers.parameters == nil, answers.detector == nil,
      let thresholds = baseline.thresholds, thresholds.definition.name != BenchDetector.standard
    else { return nil }
    let old = thresholds.definition.name
    return
      "the default detector changed from \(old) to \(BenchDetector.standard), and \(places.file) "
      + "names none: to keep the old one, add `detector: \(old)` to the file; to change, add "
      + "`detector: \(BenchDetector.standard)` and write the baseline again with `planklab "
      + "baseline update`"
  }

  var references: [String] { [baseline, anchor].compactMap(\.self) }

  var candidate: String {
    if let predictions { return "answers in \(predictions)" }
    return (answers.parameters ?? answers.detector ?? BenchDetector.standard)
      + (overrides.isEmpty ? "" : " with \(overrides.joined(separator: " "))")
  }

  func with(_ added: [String], _ strategies: StrategyOptions) throws -> GateSettings {
    guard !added.isEmpty || strategies.isGiven else { return self }
    try require(
      predictions == nil, .usage,
      "settings do not change saved answers; remove --set, --smoothing and --debounce")
    try Assignments.checkRepeats(added, option: "--set")
    let keys = Set(added.map { $0.prefix { $0 != "=" } })
    var gate = self
    gate.answers.assignments.removeAll { keys.contains($0.prefix { $0 != "=" }) }
    // The file's own settings were accepted before, so a mistake is on the command line.
    var start = try BenchDetector(gate.answers, source: .file(places)).detector.parameters
    try Assignments.set(added, in: &start, source: .options)
    gate.answers.assignments += added
    gate.answers.smoothing = strategies.smoothing ?? answers.smoothing
    gate.answers.debounce = strategies.debounce ?? answers.debounce
    _ = try BenchDetector(gate.answers)
    gate.overrides =
      added
      + [
        strategies.smoothing.map { "smoothing=\($0)" },
        strategies.debounce.map { "debounce=\($0)" },
      ].compactMap(\.self)
    return gate
  }

  /// Checks only values that no option replaces, so that a mistake is reported with its line.
  private func checkInputs(_ options: GateOptions, isDatasetNamed: Bool) throws {
    var inputs: [(field: String, path: String, what: String)] = []
    if !isDatasetNamed { inputs.append(("dataset", dataset, "dataset")) }
    if options.parameters == nil, options.predictions == nil {
      if let path = answers.parameters { inputs.append(("parameters", path, "file")) }
      if let path = predictions { inputs.append(("predictions", path, "folder")) }
      if let name = answers.detector, BenchDetector.isFile(name) {
        inputs.append(("detector", name, "file"))
      }
    }
    for (field, path, what) in inputs where !FileManager.default.fileExists(atPath: path) {
      throw places.failure(
        [field], "\(path): no such \(what); write its path relative to the folder of this file",
        status: .noInput)
    }
    try checkSplit()
  }

  private func checkAnchor() throws {
    guard let anchor, anchor == baseline else { return }
    throw places.failure(
      ["anchor"],
      "\(anchor): is the baseline, which merges update; copy it to another file with each release")
  }

  private func checkSplit() throws {
    guard let split else { return }
    let reader = try DatasetAccess.open(dataset)
    do {
      _ = try reader.sequences(split: split)
    } catch {
      throw places.failure(["split"], "\(error)")
    }
  }
}

enum GateSpecification {
  static let keys = [
    "dataset", "split", "detector", "parameters", "set", "predictions", "smoothing", "debounce",
    "baseline", "anchor", "resamples", "seed", "rules",
  ]

  static func parse(_ text: String, file: String) throws -> GateSettings {
    let root = try YAMLDocument(text: text, file: file).root
    let map = try root.map()
    try map.rejectUnknownKeys(known: keys)
    try checkPredictions(map)
    let nodes = try map.required("rules").list()
    guard !nodes.isEmpty else {
      throw try map.required("rules").error(
        allowed: "at least one rule", remedy: "a gate without rules cannot judge anything; add one")
    }
    let rules = try nodes.map(GateRuleSpecification.rule)
    let assignments = try map.optional("set")?.list().map { try $0.string() } ?? []
    return GateSettings(
      dataset: try map.required("dataset").string(), split: try map.text("split"),
      answers: AnswerSettings(
        detector: try map.text("detector"), parameters: try map.text("parameters"),
        assignments: assignments, smoothing: try map.text("smoothing"),
        debounce: try map.text("debounce")),
      predictions: try map.text("predictions"), baseline: try map.text("baseline"),
      anchor: try map.text("anchor"),
      resamples: try map.optional("resamples")?.integer(in: 100...1_000_000)
        ?? StreamUncertainty.resamplesDeciding,
      seed: try map.optional("seed")?.seed() ?? 0, rules: rules,
      places: SettingPlaces(root))
  }

  private static func checkPredictions(_ map: YAMLMap) throws {
    guard map.optional("predictions") != nil else { return }
    for key in ["detector", "parameters", "set", "smoothing", "debounce"] {
      guard let node = map.optional(key) else { continue }
      throw node.error(
        allowed: "no `\(key)` beside `predictions`",
        remedy: "settings do not change saved answers; remove one of the two",
        found: "detector settings beside `predictions`")
    }
  }
}

enum GateRuleSpecification {
  private static let keys = [
    "name", "metric", "class", "tag", "subject", "activity", "direction", "at_least", "at_most",
    "largest_drop", "margin", "minimum_subjects", "when_labeled", "severity", "inconclusive",
  ]

  static func rule(_ node: YAMLNode) throws -> GateRule {
    let map = try node.map()
    try map.rejectUnknownKeys(known: keys)
    let metric = try map.required("metric")
    var rule = GateRule(name: "", subject: try subject(metric, map))
    rule.slice = try slice(map)
    rule.atLeast = try map.optional("at_least")?.double()
    rule.atMost = try map.optional("at_most")?.double()
    rule.largestDrop = try amount(map, "largest_drop", rule)
    rule.margin = try amount(map, "margin", rule)
    if let count = map.optional("minimum_subjects") {
      rule.minimumSubjects = try count.integer(in: 0...1_000_000)
    }
    if let node = map.optional("when_labeled") {
      rule.whenLabeled = try node.bool()
      if rule.whenLabeled, rule.stream != .form {
        throw node.error(
          allowed: "a rule about forms",
          remedy: "nothing can be judged without labeled planks; remove when_labeled")
      }
    }
    if let severity = map.optional("severity") {
      rule.severity = try severity.choice(
        GateRule.Severity.allCases.map { (word: $0.rawValue, value: $0) })
    }
    if let policy = map.optional("inconclusive") {
      rule.inconclusive = try policy.choice(
        GateRule.Policy.allCases.map { (word: $0.rawValue, value: $0) })
    }
    try check(rule, map, node)
    let slice = rule.slice.description
    rule.name =
      try map.text("name") ?? rule.key + (slice.isEmpty ? "" : " of \(slice)")
    return rule
  }

  private static func subject(_ node: YAMLNode, _ map: YAMLMap) throws -> GateRule.Subject {
    var name = try node.string()
    if let label = try map.text("class") { name += "[\(label)]" }
    if name == GateRule.frameCostRatioKey { return .frameCostRatio }
    do {
      return .metric(try MetricKey(name))
    } catch {
      let others = MetricKey.all.map(\.description) + [GateRule.frameCostRatioKey]
      throw node.error(
        allowed: "a metric such as plank.f1_macro, form.recall[sag] or "
          + GateRule.frameCostRatioKey,
        remedy: NearestNames.hint(name, among: others)
          + "docs/metrics.md lists all metrics; the metric of a single class has the class in brackets",
        found: "`\(name)`")
    }
  }

  private static func slice(_ map: YAMLMap) throws -> GateSlice {
    let given = ["subject", "activity", "tag"].compactMap { map.optional($0) }
    if given.count > 1 {
      throw given[0].error(
        allowed: "one of subject, activity and tag", remedy: "write a separate rule for each")
    }
    if let subject = map.optional("subject") { return .subject(try subject.string()) }
    if let activity = map.optional("activity") { return .activity(try activity.string()) }
    guard let tag = map.optional("tag") else { return .all }
    let entries = try tag.map().entries
    guard entries.count == 1, let entry = entries.first else {
      throw tag.error(allowed: "one tag", remedy: "write it as {view: side}")
    }
    return .tag(key: entry.key, value: try entry.value.string())
  }

  private static func amount(_ map: YAMLMap, _ key: String, _ rule: GateRule) throws -> Double? {
    guard let node = map.optional(key) else { return nil }
    let value = try node.double()
    guard value >= 0 else {
      throw node.error(allowed: "0 or more", remedy: "write how much worse a number may become")
    }
    if case .metric(let key) = rule.subject, value >= key.metric.differenceRange.upperBound {
      let most = NumberText.short(key.metric.differenceRange.upperBound)
      throw node.error(
        allowed: "less than \(most), the most that \(rule.key) can differ",
        remedy: "otherwise the rule could never fail; 5 points are 0.05")
    }
    return value
  }

  private static func check(_ rule: GateRule, _ map: YAMLMap, _ node: YAMLNode) throws {
    if let direction = map.optional("direction") {
      let isHigher = try direction.choice([(word: "higher", value: true), ("lower", false)])
      try direction.require(
        isHigher == rule.higherIsBetter, allowed: rule.higherIsBetter ? "higher" : "lower",
        remedy: "docs/metrics.md says whether higher or lower is better for \(rule.key)")
    }
    try node.require(
      rule.atLeast != nil || rule.atMost != nil || rule.needsBaseline,
      allowed: "a rule with at_least, at_most, largest_drop or margin",
      remedy: "say what the rule demands of \(rule.key)")
    if case .activity = rule.slice, case .metric(let key) = rule.subject,
      key.metric.section != .classification
    {
      throw node.error(
        allowed: "a metric of right and wrong time, such as session.false_plank_share or "
          + "plank.recall[high], for one activity",
        remedy: "an activity divides time into pieces, for which \(rule.key) has no meaning")
    }
    if rule.subject == .frameCostRatio, rule.margin != nil || rule.slice != .all {
      throw node.error(
        allowed: "at_most and largest_drop for \(rule.key)",
        remedy: "a cost has no subjects; remove margin and slice")
    }
  }
}
