internal import Evaluation
internal import PlankDetection
internal import PoseModel
internal import Statistics

struct FixCards: Hashable, Sendable {
  let next: NextSteps
  var pictures: [Int: PoseSketch] = [:]

  var html: HTML {
    let cards: [HTML] = next.fixes.indices.map { card($0) }
    guard !cards.isEmpty else { return .empty }
    return "<section class=\"fixes\" aria-label=\"What to change next\">\n"
      + "<h2 class=\"said\">What to change next</h2>\n\(cards)</section>\n"
  }

  var rules: HTML {
    let changes = next.ruleChanges
    guard let rules = next.rules, !changes.isEmpty else {
      return "<p class=\"note\">\(prose: next.ruleSentence)</p>\n"
    }
    let said: [HTML] = changes.map { found in
      let who = found.suggested.first.map { " It is \($0.who)." } ?? ""
      return "<p>\(prose: SuggestionScreen(rules).headline(found) + who)</p>\n"
    }
    return """
      <section class="panel"><h2>Or change the rules</h2>
      \(said)\(CopyButton(lines: next.ruleCommand.lines, title: "Copy command").html)</section>

      """
  }

  private func card(_ place: Int) -> HTML {
    let fix = next.fixes[place]
    return """
      <article class="panel fix">\(shot(place))
      <div><h2>\(ClassChip.pair(fix.cell.truth, fix.cell.answer)) \
      \(NumberText.fixed(fix.cell.seconds.before, 1)) s</h2>
      <p class="note">\(prose: why(fix))</p></div>
      <div class="change"><p><code>\(fix.parameter)</code><br>\(value(fix.from, fix)) → \
      <b>\(value(fix.to, fix))</b> <span class="note">\(asGood(fix))</span></p>
      <p><span class="gain">\(gain(fix))</span><br><span class="note">\(fix.stream.rawValue) right</span></p></div>
      <div><p class="note">\(prose: fix.advice.sentence)</p><p class="note">\(people(fix))</p></div>
      <div class="actions">\(show(fix))\(CopyButton(lines: fix.command.lines, title: "Copy command").html)</div>
      </article>

      """
  }

  private func shot(_ place: Int) -> HTML {
    guard let moment = next.fixes[place].moment else { return .empty }
    return """
      <div class="shot">\(pictures[place]?.svg(title: "the body in \(moment.sequence)") ?? .empty)\
      <span>\(moment.sequence) at \(NumberText.fixed(moment.time.value, 2)) s</span>\
      <b>\(place + 1)</b></div>
      """
  }

  private func show(_ fix: Fix) -> HTML {
    fix.moment.map {
      MomentLink(sequence: $0.sequence, time: $0.time, stream: fix.stream).html
    } ?? .empty
  }

  private func why(_ fix: Fix) -> String {
    guard let comparison = fix.moment?.comparison else { return fix.meaning }
    func text(_ value: Double) -> String { ParameterText.of(value, unit: fix.unit) }
    let digits = fix.unit == MeasurementUnit.degrees.rawValue ? 10.0 : 1000
    let measured = (comparison.measured * digits).rounded() / digits
    return "`\(comparison.measurement)` is \(text(measured)); the limit is "
      + "\(text(comparison.limit.before)): \(fix.meaning)."
  }

  private func value(_ value: Double, _ fix: Fix) -> String {
    ParameterText.of(value, unit: fix.unit)
  }

  private func asGood(_ fix: Fix) -> String {
    fix.asGood.lowerBound == fix.asGood.upperBound
      ? "" : "\(ParameterText.range(fix.asGood, unit: fix.unit)) as good"
  }

  private func gain(_ fix: Fix) -> String {
    guard let right = fix.right[fix.stream] else { return "" }
    return "\(NumberText.fixed(100 * right.before, 1)) → \(NumberText.percent(right.after))"
  }

  private func people(_ fix: Fix) -> String {
    let advice = fix.advice
    let hurt = advice.hurt == 0 ? "none" : "\(advice.hurt)"
    return "Helps \(advice.helped) of \(advice.crowd), hurts \(hurt)."
  }
}
