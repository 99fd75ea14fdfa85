import Foundation
import PoseModel
import Statistics
import Testing

@testable import Evaluation
@testable import PlankBench

@Suite("Gates for people")
struct GateDocumentTests {
  @Test("Markdown states the verdict first and last, and lists people and moments")
  func regressed() {
    let text = MarkdownRenderer().render(
      GateSample.envelope([GateSample.finding("planks", .regressed)]).document)
    #expect(text.hasPrefix("# Do not merge: planks is worse by 15 points\n"))
    #expect(text.hasSuffix("**verdict: regressed (exit code 2)**\n"))
    for words in [
      "| planks | **regressed** | 0.7500 | 0.9000 | -0.1500 |  | 6 | worse than the baseline by",
      "Worse in planks: anna 0.900 -&gt; 0.500.", "| recordings/anna-1 | anna | plank | 0.30 |",
      "| recordings/anna-1 | anna | 0.10 | 0.30 | high -&gt; none |",
    ] {
      #expect(text.contains(words), "\(words) is not in \(text)")
    }
  }

  @Test("A rule that passes lists nobody; moments of another stream are left out")
  func passed() {
    let text = MarkdownRenderer().render(
      GateSample.envelope([GateSample.finding("planks", .pass)]).document)
    #expect(text.contains("verdict: pass (exit code 0)") && !text.contains("anna"))
    let form = GateSample.finding("form", .regressed, key: MetricKey(.accuracy, in: .form))
    #expect(!MarkdownRenderer().render(GateSample.envelope([form]).document).contains("anna-1"))
  }

  @Test("A gate that passes because it cannot tell says so, with the loss that may be there")
  func doubt() {
    var finding = GateSample.finding("planks", .inconclusive)
    finding.interval = Interval(
      method: .clusterT, level: 0.95, lower: -0.083, upper: 0.02, clusters: 6)
    finding.detectableLoss = 0.11
    let envelope = GateSample.envelope([finding])
    let words =
      "may be worse by up to 8.3 points; a loss of 11 points would be found in 4 of 5 such gates"
    let text = MarkdownRenderer().render(envelope.document)
    #expect(
      text.hasPrefix("# Merge: no loss is shown, but planks may be worse by 8.3 points\n"),
      "\(text)")
    #expect(text.contains("planks \(words)") && text.contains("pass (cannot tell)"), "\(text)")
    #expect(text.contains("verdict: pass (exit code 0, 1 warning)"), "\(text)")
    #expect(screen(envelope).joined(separator: " ").contains("pass (cannot tell)"))
    finding.interval = Interval(
      method: .clusterT, level: 0.95, lower: -0.083, upper: -0.02, clusters: 6)
    #expect(
      GateSample.report([finding]).answer
        == "Merge: no rule stops, but planks may be worse by 8.3 points")
    finding.interval = nil
    #expect(finding.doubt == "has too few people to tell")
  }

  private func screen(_ envelope: ResultEnvelope<GateReport>) -> [Substring] {
    TextRenderer().render(GateScreen(envelope: envelope).document)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test("The first line says what to do, for every verdict")
  func answers() {
    func answer(_ findings: [GateFinding], obstacles: [String] = []) -> String {
      let envelope = GateSample.envelope(findings, obstacles: obstacles)
      let first = screen(envelope).first.map(String.init) ?? ""
      #expect(first == envelope.result.answer)
      return first
    }
    let fine = GateSample.finding("planks", .pass)
    let bad = GateSample.finding("planks", .regressed)
    let mild = GateSample.finding("planks", .regressed, severity: .warning)
    #expect(answer([fine]) == "Merge: every rule of gate.yaml holds")
    #expect(answer([fine, mild]) == "Merge: no rule stops; 1 warning")
    #expect(answer([bad, bad]) == "Do not merge: planks is worse by 15 points, and 1 more")
    var alone = GateFinding(fine.rule)
    alone.note(GateReason(.noBaseline))
    #expect(
      answer([alone], obstacles: ["x"]) == "Not judged: gate.yaml has nothing to compare with")
    #expect(
      answer([fine], obstacles: ["x"]) == "Not judged: gate.yaml cannot be compared with its anchor"
    )
    #expect(
      answer([GateSample.finding("planks", .notComparable)])
        == "Not judged: planks cannot be compared")
    var unlabeled = GateFinding(fine.rule)
    unlabeled.note(GateReason(.nothingScored))
    #expect(
      answer([unlabeled, unlabeled])
        == "Not judged: no frame is labeled for planks; label some, or drop the rule")
    var blind = GateFinding(fine.rule)
    blind.note(GateReason(.noEvidence))
    #expect(
      answer([blind])
        == "Not judged: the rules decide too few frames; see `planklab evaluate`")
    var open = GateSample.finding("planks", .inconclusive)
    #expect(
      answer([open]) == "Merge: no loss is shown, but planks has too few people to tell")
    var rule = open.rule
    rule.inconclusive = .fail
    open = GateFinding(rule)
    open.note(GateReason(.cannotTell, limit: 0.05))
    #expect(answer([open]) == "Do not merge: the data cannot tell about planks")
    let better = GateSample.finding("planks", .improved)
    #expect(answer([better]) == "Merge: planks is better by 15 points; renew the baseline")
    var flickers = GateFinding(rule)
    flickers.value = 9.3
    flickers.note(GateReason(.aboveMaximum, limit: 2))
    #expect(answer([flickers]) == "Do not merge: planks is 9.3000, over the limit of 2")
    let long = GateSample.finding(String(repeating: "plank ", count: 20), .regressed)
    #expect(answer([long]) == "Do not merge: gate.yaml says regressed")
  }

  @Test("A gate that was judged on one person says so")
  func onePerson() {
    func text(_ people: Int) -> String {
      var finding = GateSample.finding("planks", .pass)
      finding.subjects = people
      return screen(GateSample.envelope([finding])).joined(separator: "\n")
    }
    #expect(text(1).contains("Judged as one person (`subject` in dataset.yaml): nothing is known"))
    #expect(!text(6).contains("one person"))
  }

  @Test(
    "The screen has at most 25 lines of 80 columns, whatever there is to say", arguments: [1, 30])
  func screenFits(rules: Int) {
    let many = (0..<rules).map {
      GateSample.finding("a rule with a name that takes some room \($0)", .regressed)
    }
    let lines = screen(GateSample.envelope(many))
    #expect(lines.count <= 26 && lines.allSatisfy { $0.count <= 80 }, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("verdict: regressed (exit code 2") })
  }

  @Test("Classes without truth are named, with how they differ from the baseline")
  func strays() {
    var finding = GateSample.finding("planks", .pass, key: MetricKey(.f1Macro, in: .plank))
    finding.strays = [StrayClass(label: "reverse", now: Seconds(0.1), before: Seconds(0))]
    #expect(
      finding.strayText == [
        "`reverse` joined the answers without truth (0.1 s, 0.0 s in the baseline): it is left "
          + "out of plank.f1_macro, on both sides."
      ])
    #expect(
      screen(GateSample.envelope([finding])).joined(separator: " ").contains("`reverse` joined"))
    finding.strays = [StrayClass(label: "reverse", now: Seconds(1.0 / 30), before: Seconds(0))]
    #expect(finding.strayText[0].contains("(0.033 s, 0.0 s in the baseline)"))
  }

  @Test("What an anchor finds says so")
  func anchored() {
    var finding = GateFinding(GateSample.finding("planks", .pass).rule, against: .anchor)
    finding.value = 0.7
    finding.baseline = 0.9
    finding.note(GateReason(.worse, limit: 0.05))
    let report = GateSample.report([GateSample.finding("planks", .pass), finding])
    #expect(report.answer == "Do not merge: planks since the anchor is worse by 20 points")
    #expect(finding.reason == "worse than the anchor by more than 0.05 (proven)")
  }

  @Test("Limits broken on both sides are not a regression")
  func outside() {
    func broken(_ name: String, _ change: (inout GateRule) -> Void) -> GateFinding {
      var rule = GateRule(name: name, subject: .frameCostRatio)
      change(&rule)
      var finding = GateFinding(rule)
      finding.value = 2
      finding.checkBounds()
      return finding
    }
    let low = broken("low") { $0.atLeast = 3 }
    let high = broken("high") { $0.atMost = 1 }
    #expect(GateSample.report([low]).verdict == "below the limit")
    #expect(GateSample.report([high, high]).verdict == "over the limit")
    #expect(GateSample.report([low, high]).verdict == "outside the limits")
    let worse = GateSample.finding("worse", .regressed)
    #expect(GateSample.report([low, worse]).verdict == "regressed")
  }

  @Test("Losses are in points, or in the unit of the number")
  func losses() {
    let late = GateSample.finding(
      "late", .inconclusive, key: MetricKey(.detectionLatencyMedian, in: .plank))
    let jumpy = GateSample.finding(
      "jumpy", .inconclusive, key: MetricKey(.flickersPerMinute, in: .plank))
    #expect(late.lossText(0.25) == "0.25 s")
    #expect(jumpy.lossText(2.5) == "2.50 per minute")
    #expect(GateSample.finding("f1", .inconclusive).lossText(0.032) == "3.2 points")
  }

  @Test("Names cannot become markup")
  func escaping() {
    let text = MarkdownRenderer().render(
      GateSample.envelope([GateSample.finding(GateSample.hostile, .regressed)]).document)
    #expect(text.contains("a:b\\|&lt;c&gt; &amp;") && text.contains("\\*e\\*"))
  }

  @Test("The JSON is read back as the same result, which gives the same documents")
  func json() throws {
    var finding = GateSample.finding("planks", .regressed)
    finding.interval = Interval(method: .bca, level: 0.95, lower: -0.2, upper: -0.1, clusters: 6)
    finding.note(GateReason(.beyondDrop, limit: 0.1))
    var gone = GateSample.finding("gone", .notComparable)
    gone.value = nil
    gone.intervalGap = .noVariation
    let report = GateSample.envelope([finding, gone], obstacles: ["other poses"])
    let read = try JSONDecoder().decode(
      ResultEnvelope<GateReport>.self, from: Data(report.json.utf8))
    #expect(read == report)
    #expect(read.page == report.page && read.json == report.json)
    #expect(JUnitReport.render(read) == JUnitReport.render(report))
  }

  @Test("The JSON holds what follows from its members, for its readers")
  func derived() throws {
    let report = GateSample.envelope([GateSample.finding("planks", .regressed)])
    let value = try #require(
      JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any])
    let result = try #require(value["result"] as? [String: Any])
    #expect(result["verdict"] as? String == "regressed" && result["exit_code"] as? Int == 2)
    #expect((result["metrics"] as? [String: Double])?["plank.accuracy"] == 0.75)
    let rule = try #require((result["rules"] as? [[String: Any]])?.first)
    #expect(rule["stops"] as? Bool == true)
    #expect(abs(try #require(rule["difference"] as? Double) + 0.15) < 1e-12)
    let moment = try #require((result["worse_moments"] as? [[String: Any]])?.first)
    #expect(moment["subject"] as? String == "anna" && moment["truth"] as? String == "high")
    #expect(moment["start_s"] as? Double == 0.1 && moment["answer"] as? String == "none")
  }
}
