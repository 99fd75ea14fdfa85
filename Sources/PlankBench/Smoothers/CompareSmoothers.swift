internal import ArgumentParser
internal import Evaluation
internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Reports
internal import Tuning

extension Smoothers {
  struct Compare: ReportingCommand {
    static let configuration = CommandConfiguration(
      abstract: "Compare causal smoothers and debounce rules on a dataset.",
      discussion: """
        The first lines say which smoother, debounce rule or pair of the two to use, if any: the \
        one with the fewest false transitions that costs at most one point of balanced accuracy \
        and adds no more latency than --latency allows. Every choice is scored on people who were \
        left out when it was made.

        Each filter is tried over a range of parameters, and a search finds the parameters with \
        the least jitter plus lag. Jitter is measured during holds, and lag where planks start, \
        end and change. The filters with the least jitter at a lag of up to 100 ms are also tested \
        at half the frame rate, with dropped frames and with jittery timestamps. Filters that look \
        ahead show the limit of what is possible and are never recommended.

        Examples:
          planklab smoothers compare datasets/scripted
          planklab smoothers compare my-data --folder smoothers-report
          planklab smoothers compare my-data --output smoothers.html
          planklab smoothers compare my-data --candidate median:frames=5+one-euro:beta=2
          planklab smoothers compare my-data --only --candidate dwell:enter=0.1s@form
          planklab smoothers compare my-data --thresholds thresholds.json
        """)

    @Argument(help: "The dataset's folder, or its dataset.yaml.")
    var dataset = ""

    @OptionGroup var detector: DetectorOptions

    @Option(help: ArgumentHelp("Use only the sequences in one split.", valueName: "NAME"))
    var split: String?

    @Flag(help: "Smooth measurements rather than joints.")
    var onMeasurements = false

    @Option(
      name: .customLong("candidate"),
      help: ArgumentHelp(
        "Also compare this smoother or debounce rule; may be repeated.", valueName: "STRATEGY"))
    var candidates: [String] = []

    @Flag(help: "Compare only the candidates.")
    var only = false

    @Option(
      help: ArgumentHelp(
        "The cost of one second of lag, as a multiple of the raw jitter.", valueName: "NUMBER"))
    var lagCost = Self.standardLagCost

    private static let standardLagCost = 3.0

    @Option(
      help: ArgumentHelp(
        "The largest increase in median latency to allow.", valueName: "SECONDS"))
    var latency = ChoiceRule.usual.allowedDelay.value

    @OptionGroup var result: ResultOptions

    @Option(
      help: ArgumentHelp(
        "Write a folder with a report, a page, figures and result.json.", valueName: "DIR"))
    var folder: String?

    @OptionGroup var page: PageOptions

    @Option(
      help: ArgumentHelp(
        "Write a thresholds file with the recommended choice, or with unchanged values if there is none.",
        valueName: "FILE.json"))
    var thresholds: String?

    @Flag(help: "Print all tables for all smoothers, not only the advice.")
    var verbose = false

    func validate() throws {
      guard lagCost.isFinite, lagCost >= 0 else {
        throw ValidationError("--lag-cost \(lagCost): give a number of 0 or more")
      }
      guard !only || !candidates.isEmpty else {
        throw ValidationError("--only compares the candidates; also give --candidate STRATEGY")
      }
      guard latency.isFinite, latency >= 0 else {
        throw ValidationError("--latency \(latency): give a number of seconds, 0 or more")
      }
    }

    mutating func takeDefaults() throws {
      try detector.takeDefaults()
      dataset = try detector.defaults.dataset(dataset)
      detector.defaults.say()
    }

    func outcome() async throws -> Outcome {
      try checkOutputs()
      let envelope = try await comparison()
      var remarks: [String] = []
      if let folder {
        try await Self.write(envelope, to: folder)
        remarks.append("wrote \(folder)")
      }
      remarks += try page.write(envelope, named: SmootherComparison.pageName)
      if let thresholds { remarks += try write(envelope.result.contest, to: thresholds) }
      let isScreen = result.output == nil && !verbose
      return try result.outcome(
        envelope,
        text: isScreen
          ? envelope.document.screen(
            closing: ["# everything: --verbose; a page with figures: --html FILE"])
          : nil, document: envelope.result.document(envelope.origin, isFull: verbose),
        remarks: remarks)
    }

    private func checkOutputs() throws {
      if let output = result.output, try FileDescriptor.isFolder(output) || !output.contains(".") {
        throw WorkflowFailure(
          .usage,
          "--output \(output): names a result file, such as smoothers.json; for a folder with a "
            + "report, a page and figures, give --folder \(ShellWord.quoted(output))")
      }
      try result.check()
      try page.check(beside: [result.output, thresholds])
      if let thresholds { try OutputFile.checkReport(thresholds, mayReplaceThresholds: true) }
    }

    private func write(_ contest: SteadyContest?, to path: String) throws -> [String] {
      let words = contest?.recommended == nil ? [] : contest?.options ?? []
      func values(_ flag: String) -> [String] {
        zip(words, words.dropFirst()).filter { $0.0 == flag }.map(\.1)
      }
      var settings = detector.settings()
      settings.assignments += values("--set")
      settings.smoothing = values("--smoothing").first
      settings.debounce = values("--debounce").first
      let thresholds = try BenchDetector(settings).thresholds
      return try ThresholdsFile(thresholds: thresholds, evidence: contest).write(
        to: path, holding: words.isEmpty ? "the starting values" : "the recommended choice",
        data: [dataset] + OptionWords.of([("--split", split)]))
    }
  }
}

extension Smoothers.Compare {
  private static let sideBySide = 6
  private static let tuningFrames = 12_000
  private static let stressLag = 0.1
  private static let rulesStep = "debounce rules"
  private static let rulesShare = 10.0
  private static let pairsStep = "pairs of both"
  private static let pairsShare = 4.0
  private static let stressCount = 6

  private func comparison() async throws -> ResultEnvelope<SmootherComparison> {
    let detector = try detector.found()
    let grid = SmootherGrid(target: onMeasurements ? .measurements : .joints)
    let (smoothers, own) = try candidates(grid, DebounceGrid(detector: detector))
    var variants = only ? [.init(family: .raw, choice: .none)] : try grid.variants()
    variants += smoothers
    let data = try await load(detector, LongWork(["sequences", "files"]).report)
    Terminal.say("comparing \(data.need(of: variants.count))")
    let progress = LongWork(steps(variants.count, data.size.frames)).report
    let trial = data.trial
    var tried = await Self.tried(variants, trial, progress)
    guard tried.contains(where: { $0.point.place != nil }) else { throw nothingToMeasure(trial) }
    let rules = await ConcurrentMap.run(
      (only ? [] : try DebounceGrid(detector: detector).rules()) + own, of: Self.rulesStep,
      progress: progress
    ) { trial.tried($0) }
    let pairs = await ConcurrentMap.run(
      try pairs(grid, detector, smoothers.map(\.choice), own), of: Self.pairsStep,
      progress: progress
    ) { trial.tried($0) }.flatMap(\.self)
    let contest = contest(tried, rules, pairs, trial)
    tried += try await tuned(tried, data, grid, progress)
    let chosen = Self.chosen(tried)
    let stress = try await Self.stress(chosen, data, progress)
    let comparison = SmootherComparison(
      detector: detector.definition.name, target: grid.target,
      rate: Hertz(1 / trial.interval.value), size: data.size, points: tried.map(\.point),
      lagCost: lagCost, rules: rules.map(\.rule), combined: pairs.map(\.rule),
      contest: contest, commands: commands, stress: stress,
      angles: try await Self.angles(trial, chosen, progress), notes: notes(data))
    return ResultEnvelope(
      comparison, on: data.identity,
      provenance: [
        "detector": comparison.detector, "target": comparison.target.rawValue,
        "defaults": self.detector.defaults.sentence,
        "lag cost per second": NumberText.shortest(lagCost),
        "allowed latency": NumberText.shortest(latency) + " s",
      ])
  }

  private var commands: ResultCommands {
    let data =
      [dataset] + OptionWords.of([("--split", split)])
      + detector.settings().options.flatMap(\.self)
    let isUsual = latency == ChoiceRule.usual.allowedDelay.value
    let own =
      (onMeasurements ? ["--on-measurements"] : []) + candidates.flatMap { ["--candidate", $0] }
      + (only ? ["--only"] : [])
      + (lagCost == Self.standardLagCost ? [] : ["--lag-cost", NumberText.shortest(lagCost)])
      + (isUsual ? [] : ["--latency", NumberText.shortest(latency)])
    return ResultCommands(again: ["smoothers", "compare"] + data + own, data: data)
  }

  private static func tried(
    _ variants: [SmootherGrid.Variant], _ trial: SmootherTrial, _ progress: @escaping ProgressReport
  ) async -> [TriedSmoother] {
    let counter = ProgressCounter(total: variants.count, what: "smoothers", report: progress)
    counter.add(0)
    let groups = stride(from: 0, to: variants.count, by: sideBySide).map {
      Array(variants[$0..<min($0 + sideBySide, variants.count)])
    }
    return await ConcurrentMap.run(groups, progress: { _, _, _ in }) { group in
      defer { counter.add(group.count) }
      return trial.tried(group)
    }.flatMap(\.self)
  }

  private func nothingToMeasure(_ trial: SmootherTrial) -> WorkflowFailure {
    WorkflowFailure(
      .notComparable,
      trial.people.isEmpty
        ? "\(dataset): no frame has a label; label planks first"
        : "\(dataset): jitter is measured on labeled planks of more than 1 s with poses, but there "
          + "are none; label longer stretches, or check the poses with `planklab dataset lint`")
  }

  struct Loaded: Sendable {
    let trial: SmootherTrial
    let identity: Evaluation.DatasetIdentity
    let size: SmootherComparison.Size

    func need(of smoothers: Int) -> String {
      let bytes = trial.sequences.reduce(0) { $0 + 2 * $1.bytes }
      return "\(smoothers) smoothers on \(NumberText.count(size.sequences, "sequence")), "
        + "\(NumberText.count(size.frames, "frame")): about \(SizeText.bytes(Double(bytes))) of memory"
    }

    var leavesMovementsOut: Bool {
      trial.sequences.allSatisfy { sequence in
        sequence.transitions.allSatisfy { frame in
          let codes = sequence.truth.plank[(frame - 1)...frame]
          return !codes.allSatisfy(FrameTruth.isScored)
        }
      }
    }
  }

  private func load(
    _ detector: BatchDetector, _ progress: @escaping ProgressReport
  ) async throws -> Loaded {
    let reader = try DatasetAccess.open(dataset)
    let entries = try reader.sequences(split: split)
    let loaded = try await ConcurrentMap.run(entries, progress: progress) { entry in
      let sequence = try reader.load(entry)
      return (
        sequence: SmootherSequence(sequence, detector),
        mismatch: detector.definition.mismatch(with: sequence.recording.header)
      )
    }
    let sequences = loaded.map(\.sequence)
    guard loaded.contains(where: { $0.mismatch == nil }) || loaded.isEmpty else {
      let reasons = BenchDetector.cautions(of: loaded.map(\.mismatch)).joined(separator: " ")
      throw WorkflowFailure(.notComparable, "\(dataset): \(reasons)")
    }
    let identity = try DatasetIdentities.identity(of: reader, split: split, progress: progress)
    return Loaded(
      trial: SmootherTrial(sequences, detector), identity: identity,
      size: .init(
        sequences: sequences.count, frames: sequences.reduce(0) { $0 + $1.times.count },
        transitions: sequences.reduce(0) { $0 + $1.changeCount }))
  }

  private func tuned(
    _ tried: [TriedSmoother], _ data: Loaded, _ grid: SmootherGrid,
    _ progress: @escaping ProgressReport
  ) async throws -> [TriedSmoother] {
    let trial = data.trial
    var frames = 0
    let part = trial.sequences.prefix { sequence in
      defer { frames += sequence.times.count }
      return frames < Self.tuningFrames
    }.map { $0.beginning(frames: Self.tuningFrames, trial.detector) }
    let tuning = SmootherTuning(
      trial: SmootherTrial(part, trial.detector, interval: trial.interval), target: grid.target,
      lagCost: lagCost)
    let found = await ConcurrentMap.run(
      SmootherTuning.families, of: "searches", progress: progress
    ) { family in
      tuning.search(family, from: tried).map { trial.tried([$0]) } ?? []
    }
    return found.flatMap(\.self)
  }

  private static func chosen(_ tried: [TriedSmoother]) -> [TriedSmoother] {
    let rows = SmootherFront(tried.map(\.point)).equalLag
    let best = rows.first { $0.limit >= stressLag }?.points.filter { $0.family != .raw } ?? []
    let calmest = best.prefix(stressCount)
    return tried.filter { $0.point.family == .raw }
      + calmest.compactMap { point in tried.first { $0.point == point } }
      + tried.filter { $0.point.family.origin == .candidate && !calmest.contains($0.point) }
  }

  private static func stress(
    _ chosen: [TriedSmoother], _ data: Loaded, _ progress: @escaping ProgressReport
  ) async throws -> [SmootherStress] {
    var result: [SmootherStress] = []
    for condition in SmootherStress.Condition.allCases {
      guard let degradation = condition.degradation else {
        result += chosen.map { SmootherStress(condition: condition, point: $0.point) }
        continue
      }
      let detector = data.trial.detector
      let worse = data.trial.sequences.map { $0.degraded(by: degradation, as: condition, detector) }
      let trial = SmootherTrial(worse, detector)
      let points = await ConcurrentMap.run(
        chosen, of: what(condition), progress: progress
      ) { smoother in trial.tried([smoother.variant]).map(\.point) }
      result += points.flatMap(\.self).map { SmootherStress(condition: condition, point: $0) }
    }
    return result
  }

  private static func angles(
    _ trial: SmootherTrial, _ chosen: [TriedSmoother], _ progress: @escaping ProgressReport
  ) async throws -> [AngleBias] {
    let choices = try chosen.map(\.variant.choice).flatMap { own in
      try SmoothingTarget.allCases.filter { $0 == .joints || !own.isNone }.map(own.moved)
    }
    return await ConcurrentMap.run(choices, of: "angles", progress: progress) { choice in
      trial.angle(choice)
    }
  }

  private static func what(_ condition: SmootherStress.Condition) -> String {
    "smoothers, \(condition.rawValue)"
  }

  private func steps(_ variants: Int, _ frames: Int) -> [WorkProgress.Step] {
    let chosen = Double(1 + Self.stressCount + candidates.count)
    let searched = min(1, Double(Self.tuningFrames) / Double(max(1, frames)))
    let searches = Double(SmootherTuning.families.count * SmootherTuning.usualTrials) * searched
    return [
      .init("smoothers", share: Double(variants)),
      .init(Self.rulesStep, share: Self.rulesShare),
      .init(
        Self.pairsStep,
        share: Self.pairsShare * Double(SmootherGrid.beforeRules.count + candidates.count)),
      .init("searches", share: searches),
    ]
      + SmootherStress.Condition.allCases.filter { $0.degradation != nil }
      .map { .init(Self.what($0), share: chosen) }
      + [.init("angles", share: chosen / 2)]
  }

  private func notes(_ data: Loaded) -> [String] {
    var notes = [
      "Smoothers that look ahead show the limit of what is possible; no app can run such a smoother, "
        + "and none is recommended."
    ]
    if data.size.transitions == 0 {
      notes.append(
        "The labels contain no transitions, so lags are those of a reference movement (0.3 m in 1 "
          + "s), and latencies are meaningless.")
    } else if data.leavesMovementsOut {
      notes.append(
        "The labels omit movements. Lags are measured during movements, but answers are not scored "
          + "there, so latencies show how quickly a hold is recognized after it has started.")
    }
    if onMeasurements {
      notes.append(
        "Measurements have different units, so parameters in the signal's units (one-euro beta, "
          + "kalman) mean something different for each measurement.")
    }
    return notes
  }

  private static func write(
    _ envelope: ResultEnvelope<SmootherComparison>, to path: String
  ) async throws {
    let files = try envelope.files()
    try await StagedFolder(destination: path).committing { folder in
      for (name, text) in files { try OutputFile.write(text, to: folder.path(of: name)) }
    }
  }

  func candidates(
    _ grid: SmootherGrid, _ rules: DebounceGrid
  ) throws -> (smoothers: [SmootherGrid.Variant], rules: [DebounceGrid.Rule]) {
    let debounces = StrategyCatalogue.debounce.map(\.name).filter { $0 != "none" }
    var smoothers: [SmootherGrid.Variant] = []
    var own: [DebounceGrid.Rule] = []
    for text in candidates {
      if debounces.contains(String(text.prefix { $0.isLetter || $0 == "-" })) {
        own.append(try rules.rule("candidate " + text, text, text))
      } else {
        let family = SmootherFamily(origin: .candidate, name: "candidate " + text)
        smoothers.append(.init(family: family, choice: try grid.choice(text)))
      }
    }
    return (smoothers, own)
  }

  func pairs(
    _ grid: SmootherGrid, _ detector: BatchDetector, _ candidates: [SmoothingChoice],
    _ own: [DebounceGrid.Rule]
  ) throws -> [DebounceGrid.Pairs] {
    let all = (only ? [] : try SmootherGrid.beforeRules.map(grid.choice)) + candidates
    let different = all.filter { $0.isCausal && !$0.isNone }.distinct
    guard !only else { return different.map { DebounceGrid.pairs(behind: $0, own) } }
    let rules = DebounceGrid(detector: detector)
    return try different.map { try rules.pairs(behind: $0) }
  }

  func contest(
    _ tried: [TriedSmoother], _ rules: [TriedRule], _ pairs: [TriedRule], _ trial: SmootherTrial
  ) -> SteadyContest? {
    guard let plain = tried.first(where: { $0.point.family == .raw }) else { return nil }
    let smoothers = tried.filter { $0.point.isCausal && $0.point.family != .raw }
    return SteadyContest(
      ChoiceRule(allowedDelay: Seconds(latency)), plain: plain.answers, people: trial.people,
      smoothing: smoothers.map { smoother in
        Rival(
          candidate: .init(
            family: smoother.point.choice.filterNames, name: smoother.point.name,
            strategy: smoother.point.text),
          answers: smoother.answers, settings: PerStream(plank: 1, form: 1))
      }, debounce: rules.map(Self.rival), combined: pairs.map(Self.rival))
  }

  private static func rival(_ tried: TriedRule) -> Rival {
    Rival(candidate: tried.rule.rule, answers: tried.answers, settings: tried.settings)
  }
}

extension ResultEnvelope<SmootherComparison> {
  func files() throws -> [(name: String, text: String)] {
    let full = result.document(origin, isFull: true)
    let saved = SavedResult(name: SmootherComparison.pageName, page)
    return [
      ("report.md", MarkdownRenderer().render(full)),
      ("report.html", try ReportPage.html([saved])), ("result.json", json),
    ]
      + SmootherFigure.all(result, on: origin.datasetName).map { ($0.name + ".svg", $0.svg) }
  }
}
