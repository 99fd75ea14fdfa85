internal import Evaluation
internal import PlankDetection
internal import PoseModel
internal import Statistics
internal import Tuning

extension SmootherComparison {
  package func document(_ origin: ResultOrigin) -> Document { document(origin, isFull: false) }

  package func document(_ origin: ResultOrigin, isFull: Bool) -> Document {
    let figures = SmootherFigure.all(self, on: origin.datasetName)
    var document = Document()
    document.heading("Smoothers on \(origin.datasetName)", level: 1)
    if let contest { document.paragraph(contest.sentence, .strong, .answer) }
    document.list(
      [StyledText(opening(origin), .dim)] + (contest?.streamSentences ?? []).map { StyledText($0) },
      .answer
    )
    document.table(contest?.screenTable ?? Table(), .reason)
    document.code(evaluation?.lines ?? [], .answer)
    document.list(
      [contest?.unknownLatency].compactMap(\.self).map { StyledText($0) },
      contest?.lacksShownLatency ?? false ? .reason : .detail)
    document.list(
      [contest?.method, trade].compactMap(\.self).map { StyledText($0) }, .reason)
    if let contest { contest.append(to: &document) }
    document.list(notes.map { StyledText($0) })
    appendTrades(figures, to: &document)
    appendEqual(to: &document)
    if points.contains(where: { $0.answers != nil }) {
      Self.append(Self.answersHeading, figures, to: &document)
      document.table(answerTable(withRaw(front.front)))
    }
    appendStress(to: &document)
    appendAngles(to: &document)
    guard isFull else { return document }
    document.heading("Every smoother")
    document.table(pointTable(points))
    document.table(responseTable)
    return document
  }

  private func appendTrades(_ figures: [SmootherFigure.Picture], to document: inout Document) {
    Self.append(Self.jitterHeading, figures, to: &document)
    document.paragraph(
      """
      Jitter is the RMS step of measurements during holds, divided by that of raw data (geometric \
      mean over measurements). Lag is the delay of measurements where planks begin, end and change, \
      compared with a smoother that looks ahead. The front consists of the causal smoothers that no \
      other smoother beats in both jitter and lag.
      """)
    document.table(pointTable(withRaw(front.front)))
    Self.append(Self.spreadHeading, figures, to: &document)
    document.paragraph(
      """
      The spread about each hold's median includes colored noise and sway, which no short smoother \
      removes. The gain for noise with a lag-one correlation of 0.95 shows this limit for every \
      smoother.
      """)
  }

  private static func append(
    _ heading: String, _ figures: [SmootherFigure.Picture], to document: inout Document
  ) {
    document.heading(heading)
    for picture in figures where picture.heading == heading {
      document.figure(.smoothers(picture.figure))
    }
  }

  package func page(_ origin: ResultOrigin) -> ResultPage {
    SmootherPage(comparison: self, origin: origin).page
  }

  package static let pageName = "smoothers"
  static let jitterHeading = "Jitter against lag"
  static let spreadHeading = "Spread against lag"
  static let answersHeading = "Answers along the front"

  private func opening(_ origin: ResultOrigin) -> String {
    "\(origin.datasetName): \(NumberText.count(size.sequences, "sequence")), \(NumberText.count(size.frames, "frame")) at "
      + "\(NumberText.fixed(rate.value, 1)) Hz, "
      + "\(NumberText.count(size.transitions, "true change")); \(target.rawValue) smoothed; detector `\(detector)`."
  }

  private func appendEqual(to document: inout Document) {
    document.heading("Filters at equal lag")
    document.table(front.equalLag) { row, lag in
      row.number("lag up to ms", 1000 * lag.limit, 0)
      row.smoothers(lag.points, "calmest", "jitter") { $0.calm.step.percentText }
    }
    document.heading("Filters at equal jitter")
    document.table(front.equalJitter) { row, jitter in
      row.number("jitter up to", NumberText.percent(jitter.limit))
      row.smoothers(jitter.points, "fastest", "lag ms") { NumberText.milliseconds($0.delay.lag) }
    }
  }

  private func appendStress(to document: inout Document) {
    guard !stress.isEmpty else { return }
    document.heading("Under stress")
    document.paragraph(
      "These filters have the least jitter at a lag of up to 100 ms. Ratios are relative to raw "
        + "data degraded in the same way."
    )
    let table = Table(stress) { row, trial in
      let answers = trial.point.answers
      row.words("frames", trial.condition.rawValue)
      row.words("smoother", trial.point.name, .strong)
      row.number("jitter", trial.point.calm.step.percentText)
      row.number("lag ms", NumberText.milliseconds(trial.point.delay.lag))
      row.number("false/min", answers.text(.falseTransitionsPerMinute, 2))
      row.number("flickers/min", answers.text(.flickersPerMinute, 2))
      row.number("detected p50 s", answers.text(.detectionLatencyMedian, 3))
      row.number("event F1", answers.text(.eventF1, 3))
    }
    document.table(table)
  }

  private func appendAngles(to document: inout Document) {
    guard angles.contains(where: { $0.mean.number != nil }) else { return }
    document.heading("The unsigned angle of straight bodies")
    document.paragraph(
      """
      The table shows `bodyAngle` in `aligned` holds. Noise can only lower an unsigned angle of 180 \
      degrees. Averaging the angle keeps this bias; averaging joints removes it.
      """)
    document.table(angles) { row, trial in
      row.words("smoother", trial.choice.text)
      row.number("mean deg", trial.mean.text(2))
      row.number("deviation deg", trial.deviation.text(2))
    }
  }

  func pointTable(_ points: [SmootherPoint]) -> Table {
    let marked = marked
    return Table(points) { row, point in
      let tone: StyledText.Tone =
        point == marked ? .good : point.isCausal ? .strong : .dim
      row.words("smoother", point.name + (point.isTuned ? " (tuned)" : ""), tone)
      row.number("jitter", point.calm.step.percentText)
      row.number("spread", point.calm.spread.percentText)
      row.number("acceleration", point.calm.acceleration.percentText)
      row.number("lag ms", NumberText.milliseconds(point.delay.lag))
      row.number("white gain", point.delay.whiteGain.text(2))
      row.number("colored gain", point.delay.coloredGain.text(2))
      row.number("cost", point.cost(lagCost: lagCost), 3, .dim)
    }
  }

  func answerTable(_ points: [SmootherPoint]) -> Table {
    let rows =
      points.map {
        (name: $0.name, lag: NumberText.milliseconds($0.delay.lag), answers: $0.answers)
      } + (rules + combined).map { (name: $0.rule.name, lag: "", answers: $0.metrics) }
    return Table(rows) { row, element in
      let (name, lag, answers) = element
      row.words("smoother", name, .strong)
      row.number("lag ms", lag)
      row.number("false/min", answers.text(.falseTransitionsPerMinute, 2))
      row.number("flickers/min", answers.text(.flickersPerMinute, 2))
      row.number("balanced", answers.text(.balancedAccuracy, 3))
      row.number("event F1", answers.text(.eventF1, 3))
      row.number("detected p50 s", answers.text(.detectionLatencyMedian, 3))
      row.number("p90 s", answers.text(.detectionLatencyNinetieth, 2))
      row.number("released s", answers.text(.releaseLatencyMedian, 3))
      row.number("form balanced", answers.text(.balancedAccuracy, 3, in: .form))
      row.number("form false/min", answers.text(.falseTransitionsPerMinute, 2, in: .form))
      row.number("timer error s", answers.text(.holdError, 2))
    }
  }

  var responseTable: Table {
    let ramps = SmootherDelay.rampSpeeds
    return Table(points) { row, point in
      let delay = point.delay
      row.words("smoother", point.name, point.isCausal ? .strong : .dim)
      row.number("movement ms", NumberText.milliseconds(delay.movement))
      row.number("step t50 ms", NumberText.milliseconds(delay.halfTime))
      row.number("t90 ms", NumberText.milliseconds(delay.ninetyTime))
      row.number("overshoot", delay.overshoot.percentText)
      for (index, speed) in ramps.enumerated() {
        // An edited result may have fewer or more ramps.
        let isKnown = delay.ramps.indices.contains(index)
        let text = isKnown ? NumberText.milliseconds(delay.ramps[index]) : "n/a"
        row.number("ramp \(NumberText.shortest(speed)) ms", text)
      }
      row.number("group delay ms", NumberText.milliseconds(delay.groupDelay))
    }
  }

  var evaluation: [String]? {
    guard let commands, let contest, !contest.options.isEmpty else { return nil }
    var data = commands.data
    for setting in contest[contest.leading]?.choice?.settings ?? [] {
      let key = setting.prefix { $0 != "=" } + "="
      guard let own = data.firstIndex(where: { $0.hasPrefix(key) }), own > 0 else { continue }
      data.removeSubrange(own - 1...own)
    }
    return ["planklab", "evaluate"] + data + contest.options
  }

  func withRaw(_ points: [SmootherPoint]) -> [SmootherPoint] {
    guard let raw, !points.contains(raw) else { return points }
    return [raw] + points
  }

  private var raw: SmootherPoint? { points.first { $0.family == .raw } }

  var trade: String? {
    guard let point = bestTrade, let place = point.place else { return nil }
    let removed = NumberText.fixed(100 * (1 - place.jitter), 0)
    return "Best trade-off (1 s of lag counts as \(NumberText.shortest(lagCost)) x the raw "
      + "jitter): `\(point.name)` removes \(removed) % of the jitter with "
      + "\(NumberText.fixed(1000 * place.lag, 0)) ms of lag."
  }
}

extension Table.Row {
  fileprivate mutating func smoothers(
    _ points: [SmootherPoint], _ first: String, _ title: String,
    _ number: (SmootherPoint) -> String
  ) {
    for index in 0..<3 {
      let name = index == 0 ? first : "then"
      if index < points.count {
        words(name, points[index].name, index == 0 ? .strong : .plain)
        self.number(title, number(points[index]))
      } else {
        words(name, index == 0 ? "none" : "", .dim)
        self.number(title, "")
      }
    }
  }
}

extension SteadyContest {
  fileprivate func append(to document: inout Document) {
    document.heading("On equal terms")
    document.table(table)
    document.table(adviceTable)
    document.paragraph(ruleSentence)
    document.list(choiceSentences.map { StyledText($0) })
    document.table(familyTable)
  }

  static let shown: [Metric] = [
    primary, .balancedAccuracy, .flickersPerMinute, .detectionLatencyMedian,
  ]

  var screenTable: Table {
    var table = Table()
    for stream in AnswerStream.allCases where row(Self.primary, stream) != nil {
      for side in Answers.allCases {
        let isTaken = side == (recommended ?? .plain)
        let name = "\(isTaken ? "● " : "")\(stream.rawValue), \(side.name)"
        table.row { cells in
          cells.words("", name, isTaken ? .good : .plain)
          for metric in Self.shown {
            let found = row(metric, stream).map {
              cell($0, side, withInterval: $0.isPrimary && side != .plain)
            }
            cells.number(metric.shortTitle, found ?? StyledText("n/a", .dim))
          }
        }
      }
    }
    return table
  }

  var table: Table {
    Table(rows) { cells, row in
      cells.words("", "\(row.key.stream.rawValue): \(row.key.metric.shortTitle)")
      for side in Answers.allCases {
        cells.number(side.name, cell(row, side, withInterval: side != .plain))
      }
    }
  }

  private func cell(_ row: Row, _ side: Answers, withInterval: Bool) -> StyledText {
    guard let value = row[side].value.number else { return StyledText("n/a", .dim) }
    let decimals = row.key.metric.decimals
    return StyledText(
      withInterval
        ? Self.text(value, row[side].interval, decimals) : NumberText.fixed(value, decimals))
  }

  /// Whether a screen shows a latency that is undefined.
  fileprivate var lacksShownLatency: Bool {
    rows.contains { row in
      Self.shown.contains(row.key.metric) && row.key.metric == .detectionLatencyMedian
        && Answers.allCases.contains { row[$0].value.number == nil }
    }
  }

  var unknownLatency: String? {
    let latencies: [Metric] = [.detectionLatencyMedian, .detectionLatencyNinetieth]
    let values = rows.filter { latencies.contains($0.key.metric) }
      .flatMap { row in Answers.allCases.map { row[$0].value } }
    let reasons = Set(values.compactMap(\.reason))
    guard reasons != [.noObservedStart] || values.contains(where: { $0.number != nil }) else {
      return
        "Latency is n/a because no start was observed, so latency limits no choice. Also label the "
        + "time before the planks."
    }
    let words: [(UndefinedReason, String)] = [
      (.noObservedStart, "no start was observed"),
      (.tooManyMisses, "too many planks or faults were missed"),
    ]
    let known = words.filter { reasons.contains($0.0) }.map(\.1)
    return known.isEmpty ? nil : "Latency is n/a where \(known.joined(separator: ", or where "))."
  }

  var adviceTable: Table {
    var table = Table()
    for answers in Answers.allCases {
      guard let side = self[answers] else { continue }
      for (metric, advice) in [
        (Self.primary, side.falseTransitionsAdvice), (.balancedAccuracy, side.advice),
      ] {
        for stream in AnswerStream.allCases {
          guard let advice = advice[stream] else { continue }
          table.row {
            $0.words("choice", answers.name)
            $0.words("metric", "\(stream.rawValue): \(metric.shortTitle)")
            $0.words("advice", advice.sentence)
          }
        }
      }
    }
    return table
  }

  var familyTable: Table {
    var table = Table()
    for (name, side) in [("smoothing", smoothing), ("debounce", debounce), ("both", combined)] {
      for family in side.families {
        table.row {
          $0.words("side", name)
          $0.words("family", family.name, .strong)
          $0.number("candidates", NumberText.count(family.candidates))
        }
      }
    }
    return table
  }

  var choiceSentences: [String] {
    [("smoother", smoothing), ("debounce rule", debounce), ("pair", combined)].map { name, side in
      if side.isUsual ?? false {
        return "No \(name) from the search is advised; the usual \(name) is judged instead: "
          + "`\(side.choice?.strategy ?? "none")`."
      }
      let rounds =
        isHeldOut ? "; \(side.sameChoices) of \(rounds) rounds made the same choice" : ""
      return "The best \(name) for all people: `\(side.choice?.strategy ?? "none")`\(rounds)."
    }
  }

  var ruleSentence: String {
    "A choice is the candidate with the fewest false transitions per minute, plank and form "
      + "together, among those that cost neither stream more than "
      + "\(NumberText.shortest(rule.allowedDelay.value)) s of median latency, "
      + "\(NumberText.shortest(rule.allowedLoss)) of balanced accuracy or "
      + "\(NumberText.shortest(rule.allowedMisses)) of event recall. Latency is not limited if the "
      + "unchanged predictions detect fewer than half of the events. Of the choices that stay within these "
      + "limits on held-out people, the one with the largest expected fall in false transitions is "
      + "recommended."
  }

  var sentence: String {
    let best = self[leading]?.choice
    let what = "\(leading.imperative) \(Self.quoted(best))"
    guard recommended == nil else { return what + "." }
    return "Keep the detector as it is: no smoother or debounce rule, alone or combined, reduces "
      + "false transitions\(limit)."
      + (best == nil ? "" : " Best found: \(what.lowercasedFirst).")
  }

  private var limit: String {
    let isLate = rows.contains {
      $0.key.metric == .detectionLatencyMedian && $0.plain.value.number != nil
    }
    return
      " while costing at most \(NumberText.shortest(100 * rule.allowedLoss)) point of balanced accuracy"
      + (isLate ? " and \(NumberText.shortest(rule.allowedDelay.value)) s of latency" : "")
  }

  var streamSentences: [String] {
    guard let side = self[leading] else { return [] }
    return AnswerStream.allCases.flatMap { stream in
      [
        side.falseTransitionsAdvice[stream].map {
          "\(stream.title), false transitions: \($0.sentence)"
        },
        side.advice[stream].map { "\(stream.title), balanced accuracy: \($0.sentence)" },
      ].compactMap(\.self)
    }
  }

  func judgment(of row: Row) -> String {
    guard row.isPrimary, let advice = self[leading]?.falseTransitionsAdvice[row.key.stream] else {
      return ""
    }
    return "\(leading.name): \(advice.sentence)"
  }

  package var options: [String] {
    guard let choice = self[leading]?.choice else { return [] }
    let strategy = choice.strategy
    let words =
      switch leading {
      case .plain: [String]()
      case .smoothed: ["--smoothing", strategy]
      case .debounced: ["--debounce", strategy]
      case .combined: strategy.split(separator: " ").map(String.init)
      }
    return words + choice.settings.flatMap { ["--set", $0] }
  }

  var method: String {
    let candidates =
      "Smoothers without look-ahead: \(smoothing.sizes). Debounce rules: \(debounce.sizes). "
      + "Both together: \(combined.sizes)."
    guard isHeldOut else {
      return "In sample: the best of many candidates looks better on the data used to choose it "
        + "than on new data. \(candidates)"
    }
    return
      "\(people) people were held out in \(rounds) rounds, each scored with the choice made on "
      + "the others, with 95 % intervals. \(candidates)"
  }

  static func text(_ number: Double, _ interval: IntervalValue, _ decimals: Int) -> String {
    let value = NumberText.fixed(number, decimals)
    guard let ends = interval.interval else { return value }
    return "\(value) (\(NumberText.fixed(ends.lower, decimals)) to "
      + "\(NumberText.fixed(ends.upper, decimals)))"
  }

  private static let longestName = 64

  private static func quoted(_ candidate: Candidate?) -> String {
    guard let candidate else { return "nothing" }
    return candidate.strategy.count <= longestName ? "`\(candidate.strategy)`" : candidate.name
  }
}

extension MetricTable? {
  func text(_ metric: Metric, _ decimals: Int, in stream: AnswerStream = .plank) -> String {
    self?[MetricKey(metric, in: stream)]?.text(decimals) ?? "n/a"
  }
}

extension Metric {
  var shortTitle: String {
    switch self {
    case .falseTransitionsPerMinute: "false transitions/min"
    case .flickersPerMinute: "flickers/min"
    case .excessTransitionsPerMinute: "excess transitions/min"
    case .hitRate: "event recall"
    case .detectionLatencyMedian: "latency s"
    case .detectionLatencyNinetieth: "90 % s"
    case .balancedAccuracy: "balanced"
    default: name
    }
  }

  var decimals: Int { unit == "1/min" ? 1 : 2 }
}

extension SteadyContest.Answers {
  private var words: (name: String, word: String, imperative: String) {
    switch self {
    case .plain: ("as it is", "Keep as it is", "Keep")
    case .smoothed: ("smoothed", "Smooth", "Smooth with")
    case .debounced: ("debounced", "Debounce", "Debounce with")
    case .combined: ("both", "Smooth and debounce", "Smooth and debounce with")
    }
  }

  var name: String { words.name }
  var word: String { words.word }
  fileprivate var imperative: String { words.imperative }
}

extension String {
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}

extension SteadyContest.Side {
  fileprivate var sizes: String {
    let sizes = families.map(\.candidates)
    let count = NumberText.count(families.count, "family", plural: "families")
    let (least, most) = (sizes.min() ?? 0, sizes.max() ?? 0)
    return "\(count) of \(least == most ? "\(most)" : "\(least) to \(most)") candidates"
  }
}
