internal import Evaluation
internal import PoseModel
internal import Statistics

struct ComparisonScreen {
  private static let fewSides = 2

  private let report: ComparisonReport

  init(_ report: ComparisonReport) { self.report = report }

  var document: Document {
    let cautions = ComparisonCautions(report)
    return TerminalScreen.first(
      fitting: [cautions.sentences, cautions.silences].lazy.map { document($0) })
  }

  private func document(_ cautions: [StyledText]) -> Document {
    var document = Document()
    document.append(answer(cautions))
    document.code([
      "# everything: --verbose; decide by --metric NAME"
        + (report.margin == nil ? "; people needed: --margin 0.05" : "")
    ])
    return document
  }

  var answer: Document { answer(ComparisonCautions(report).sentences) }

  private func answer(_ cautions: [StyledText]) -> Document {
    let advice = ComparisonAdvice(report: report)
    var document = Document()
    document.paragraph(StyledText(advice.sentence, advice.tone))
    document.list(verdicts + cautions)
    document.list(
      report.pairs.count == 1
        ? lived(report.pairs[0]) + moved(report.pairs[0]) + plans(report.pairs[0])
          + [resolution(report.pairs[0])].compactMap(\.self)
        : report.pairs.flatMap(plans))
    if report.deciding.contains(where: hasScore) {
      document.paragraph(StyledText(method, .dim))
    }
    return document
  }

  private var method: String {
    let names = report.deciding.map { "`\($0)`" }
    let deciding = "Decided by \(WordText.list(names)), paired by person"
    guard report.tests > 0 else { return deciding + "; nothing was tested." }
    let hasIntervals = report.pairs.contains { $0.judged.contains { $0.claim.bounds != nil } }
    guard hasIntervals else { return deciding + "." }
    let together =
      switch report.tests {
      case 1: ""
      case 2: ", for both tests together (Holm's method)"
      default: ", for all \(report.tests) tests together (Holm's method)"
      }
    return "\(deciding); intervals are 95 %\(together)."
  }
}

extension ComparisonScreen {
  private var verdicts: [StyledText] {
    let judged = Set(report.deciding.map(\.stream))
    let unscored = AnswerStream.allCases.filter(judged.contains).compactMap(tooFewFrames)
    guard report.pairs.count > Self.fewSides else {
      return unscored
        + report.pairs.flatMap { pair in
          pair.judged.filter { hasScore($0.metric.key) }.map { sentence(pair, $0.metric, $0.claim) }
        }
    }
    return unscored
      + report.deciding.filter(hasScore).flatMap { key in
        let all = report.pairs.compactMap { pair in
          pair.judged.first { $0.metric.key == key }.map { (pair: pair, judged: $0) }
        }
        let decided = all.filter { [.better, .worse].contains($0.judged.claim.verdict) }
        return decided.map { sentence($0.pair, $0.judged.metric, $0.judged.claim) }
          + together(key, all.filter { $0.judged.claim.verdict == .cannotTell }, "cannot tell")
          + together(key, all.filter { $0.judged.claim.verdict == .same }, "the same")
          + together(key, all.filter { $0.judged.claim.verdict == .undefined }, "undefined")
      }
  }

  private func tooFewFrames(_ stream: AnswerStream) -> StyledText? {
    report.sides.first.flatMap {
      EvaluationAnswer.tooFewFrames(stream, scored: $0.streams[stream].frameCount)
    }
  }

  private func hasScore(_ key: MetricKey) -> Bool { tooFewFrames(key.stream) == nil }

  private typealias Found = (
    pair: ComparisonReport.Pair, judged: (metric: MetricComparison, claim: MetricClaim)
  )

  private func together(_ key: MetricKey, _ found: [Found], _ verdict: String) -> [StyledText] {
    guard let first = found.first else { return [] }
    let names = found.map { "`\($0.pair.name)` \($0.judged.metric.after.text())" }
    let reaches = found.compactMap { reach($0.judged.metric, $0.judged.claim) }
    let worse = reaches.map(\.worse).max()
    let better = reaches.map(\.better).max()
    let ends = worse.flatMap { worse in
      better.map { "; at most \(number(worse)) worse or \(number($0)) better" }
    }
    return [
      StyledText(
        "\(report.title(key)): \(verdict): `\(key.shortName)` \(first.judged.metric.before.text()) -> "
          + names.joined(separator: ", ") + (ends ?? "") + ".")
    ]
  }

  private func sentence(
    _ pair: ComparisonReport.Pair, _ metric: MetricComparison, _ claim: MetricClaim
  ) -> StyledText {
    let start = report.title(metric.key) + ": "
    let side = report.pairs.count > 1 ? "`\(pair.name)`: " : ""
    let change =
      "`\(metric.key.shortName)` \(metric.before.text()) -> \(metric.after.text())"
    switch claim.verdict {
    case .better:
      return StyledText("\(start)`\(pair.name)` is better: \(change)\(size(metric, claim)).", .good)
    case .worse:
      return StyledText("\(start)`\(pair.name)` is worse: \(change)\(size(metric, claim)).", .bad)
    case .same:
      let value = "`\(metric.key.shortName)` \(metric.before.text())"
      return StyledText(
        start + side
          + (metric.subjects.count > 1
            ? "the same for every person: \(value)." : "the same: \(value), \(metric.single)."))
    case .undefined:
      let reason = metric.before.reason
      return StyledText(
        reason == .noScoredFrames
          ? "\(start)\(side)not labeled."
          : "\(start)\(side)`\(metric.key.shortName)` is undefined: \(reason?.rawValue ?? "").",
        .dim)
    case .cannotTell: return StyledText(start + side + open(metric, claim))
    }
  }

  private func size(_ metric: MetricComparison, _ claim: MetricClaim) -> String {
    guard let bounds = claim.bounds else {
      return ", alike for all \(metric.subjects.count) people"
    }
    let ends = [bounds.lower.magnitude, bounds.upper.magnitude].sorted()
    return ends[0] < 0.0005
      ? ", by up to \(number(ends[1]))" : ", by \(number(ends[0])) to \(number(ends[1]))"
  }

  private func open(_ metric: MetricComparison, _ claim: MetricClaim) -> String {
    let people = metric.subjects.count
    let verb = metric.difference.map { $0 < 0 ? "fell " : $0 > 0 ? "rose " : "" } ?? ""
    let change =
      "`\(metric.key.shortName)` \(verb)\(metric.before.text()) -> \(metric.after.text())"
    guard let reach = reach(metric, claim), let bounds = claim.bounds else {
      return "cannot tell: \(change), \(gap(metric, people))."
    }
    guard !metric.isWithin(margin: report.margin) else {
      return "no difference found: \(change), the same within \(number(bounds.within))."
    }
    let least = metric.key.metric.differenceRange.upperBound
    let ends =
      min(reach.worse, reach.better) >= least
      ? "anything is possible"
      : "at most \(number(reach.worse)) worse or \(number(reach.better)) better"
    return "cannot tell: \(change), \(ends); of \(people) people \(metric.losses) got worse, "
      + "\(metric.wins) better."
  }

  private func gap(_ metric: MetricComparison, _ people: Int) -> String {
    guard let reason = metric.intervals.wider.reason else { return "no interval" }
    if reason == .fewerThanTwoClusters { return metric.single }
    guard reason == .noVariation else { return "no interval: \(reason.rawValue)" }
    return "alike for all \(people) people, who are too few to exclude chance"
  }

  private func reach(
    _ metric: MetricComparison, _ claim: MetricClaim
  ) -> (worse: Double, better: Double)? {
    guard let bounds = claim.bounds else { return nil }
    let (fall, rise) = (max(0, -bounds.lower), max(0, bounds.upper))
    return metric.higherIsBetter ? (fall, rise) : (rise, fall)
  }

  private func number(_ value: Double) -> String { NumberText.fixed(value, 3) }
}

extension ComparisonScreen {
  private static let mostNamed = 2
  private static let mostActivities = 3

  private func lived(_ pair: ComparisonReport.Pair) -> [StyledText] {
    let changes = (pair.activities ?? []).filter { $0.activity != nil && $0.change != 0 }
    guard !changes.isEmpty else { return [] }
    let named = changes.prefix(Self.mostActivities).map { part in
      "\(part.activity ?? "") \(NumberText.fixed(part.before.wrong, 1)) -> "
        + "\(NumberText.fixed(part.after.wrong, 1)) of "
        + "\(NumberText.fixed(part.before.none + part.before.plank, 1)) s"
    }
    let more = changes.count - named.count
    return [
      StyledText(
        "Wrong by activity: " + named.joined(separator: "; ")
          + (more > 0 ? "; and \(more) more." : "."))
    ]
  }

  private func moved(_ pair: ComparisonReport.Pair) -> [StyledText] {
    let shown = pair.comparison.metrics.filter { metric in
      metric.claim == nil && metric.gain != 0 && metric.gain != nil && hasScore(metric.key)
        && !pair.judged.contains { $0.metric.key.repeats(metric.key) }
    }
    func named(_ metrics: [MetricComparison], _ word: String) -> [StyledText] {
      guard !metrics.isEmpty else { return [] }
      let texts = metrics.prefix(Self.mostNamed).map { metric in
        "`\(metric.key)` \(metric.before.text()) -> \(metric.after.text()) "
          + "(\(metric.losses) worse, \(metric.wins) better)"
      }
      let more = metrics.count - texts.count
      return [
        StyledText(
          "Not judged, \(word): " + texts.joined(separator: "; ")
            + (more > 0 ? "; and \(more) more." : "."), .dim)
      ]
    }
    return named(shown.filter { ($0.gain ?? 0) < 0 && $0.losses > 0 }, "got worse")
      + named(shown.filter { ($0.gain ?? 0) > 0 && $0.wins > 0 }, "got better")
  }

  private func resolution(_ pair: ComparisonReport.Pair) -> StyledText? {
    let known = pair.judged.filter { hasScore($0.metric.key) }.compactMap { judged in
      judged.claim.detectableDifference.map { (key: judged.metric.key, least: $0) }
    }
    guard let metric = pair.judged.first?.metric, !known.isEmpty else { return nil }
    func isPossible(_ key: MetricKey, _ least: Double) -> Bool {
      least <= key.metric.differenceRange.upperBound
    }
    guard known.contains(where: { isPossible($0.key, $0.least) }) else {
      return StyledText(
        "\(NumberText.count(metric.subjects.count)) people are too few to show even the largest "
          + "difference in four of five comparisons.", .dim)
    }
    let found = known.map { key, least in
      (isPossible(key, least) ? number(least) : "not even the largest")
        + " at \(report.place(key))"
    }
    return StyledText(
      "The true difference that \(metric.subjects.count) people would show in four of five "
        + "comparisons: \(WordText.list(found)).", .dim)
  }

  private func plans(_ pair: ComparisonReport.Pair) -> [StyledText] {
    guard let margin = report.margin, let metric = pair.judged.first?.metric else { return [] }
    let start = report.pairs.count > 1 ? "`\(pair.name)`: to" : "To"
    let aim =
      "\(start) find a difference of \(NumberText.shortest(margin)) in four of five comparisons"
    let texts = pair.judged.compactMap { judged in
      judged.claim.plan.map { plan in
        let place = report.place(judged.metric.key)
        return plan.clusters.map { "\(NumberText.count($0)) people at \(place)" }
          ?? "over a million people at \(place)"
      }
    }
    let pilot = NumberText.people(metric.subjects.count)
    guard !texts.isEmpty else {
      let verb = metric.subjects.count == 1 ? "shows" : "show"
      return [
        StyledText("\(aim): unknown, because \(pilot) \(verb) no spread to plan from.", .strong)
      ]
    }
    return [
      StyledText(
        "\(aim): \(WordText.list(texts)). Planned from the spread among \(pilot), at its "
          + "upper limit.", .strong)
    ]
  }
}

extension MetricComparison {
  var isNamed: Bool { subjects.contains { $0.subject != nil } }

  fileprivate var single: String { isNamed ? "for one person" : "for people without names" }
}

extension MetricKey {
  fileprivate func repeats(_ other: MetricKey) -> Bool {
    guard case .classes = metric.formula, case .classes = other.metric.formula else {
      return false
    }
    return stream == other.stream
  }
}
