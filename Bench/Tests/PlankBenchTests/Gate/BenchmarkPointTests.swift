import Foundation
import PoseModel
import Statistics
import Testing

@testable import Evaluation
@testable import PlankBench

@Suite("Gates as benchmark numbers")
struct BenchmarkPointTests {
  private func entries(_ report: GateReport, bigger: Bool) throws -> [[String: Any]] {
    let text = BenchmarkPoint.json(report, biggerIsBetter: bigger)
    return try #require(
      JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
  }

  private var report: GateReport {
    var planks = GateSample.finding("planks", .pass)
    planks.interval = Interval(
      method: .bca, level: 0.95, lower: -0.2, upper: 0.1, clusters: 6)
    var cost = GateFinding(GateRule(name: "cost", subject: .frameCostRatio))
    cost.value = 12.5
    var unknown = GateSample.finding("unknown", .notComparable)
    unknown.value = nil
    let flickers = GateSample.finding(
      "flickers", .regressed, key: MetricKey(.flickersPerMinute, in: .plank))
    return GateSample.report([planks, cost, unknown, flickers])
  }

  @Test("Each direction has its rules, with the fields and types of the format and no others")
  func schema() throws {
    let bigger = try entries(report, bigger: true)
    let smaller = try entries(report, bigger: false)
    #expect(bigger.compactMap { $0["name"] as? String } == ["planks"])
    #expect(smaller.compactMap { $0["name"] as? String } == ["cost", "flickers"])
    for entry in bigger + smaller {
      #expect(Set(entry.keys).isSubset(of: ["name", "unit", "value", "range", "extra"]))
      #expect(entry["name"] is String && entry["unit"] is String)
      #expect((entry["value"] as? NSNumber)?.doubleValue.isFinite == true)
      #expect(entry["extra"] is String)
    }
    #expect(bigger.first?["value"] as? Double == 0.75)
    #expect(bigger.first?["range"] as? String == "0.150000")
    #expect(smaller.first?["unit"] as? String == "calibration loops")
    #expect(smaller.first?["range"] == nil)
    #expect(smaller.last?["extra"] as? String == "regressed")
  }
}

@Suite("Gates for people")
struct GateDocumentTests {
  @Test("Markdown states the verdict first and last, and lists people and moments")
  func regressed() {
    let text = MarkdownRenderer().render(
      GateSample.envelope([GateSample.finding("planks", .regressed)]).document)
    #expect(text.hasPrefix("# Gate gate.yaml: regressed\n"))
    #expect(text.hasSuffix("**verdict: regressed (exit code 2)**\n"))
    for words in [
      "| planks | **regressed** | 0.7500 | 0.9000 | -0.1500 |  | 6 | because of planks |",
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

  @Test("A gate that passes because it cannot tell says so, with the loss that would be found")
  func doubt() {
    var finding = GateSample.finding("planks", .inconclusive)
    finding.detectableLoss = 0.11
    let words = "cannot tell; a loss of 11 points would be found"
    let text = MarkdownRenderer().render(GateSample.envelope([finding]).document)
    #expect(text.hasPrefix("# Gate gate.yaml: pass (\(words))\n"), "\(text)")
    #expect(text.contains("| pass (\(words)) |") || text.contains("*pass (\(words))*"), "\(text)")
    #expect(text.contains("verdict: pass (exit code 0, 1 warning; \(words))"), "\(text)")
    let several = GateSample.report([finding, finding, GateSample.finding("other", .pass)])
    #expect(several.verdictText == "pass (cannot tell for 2 rules)")
    let one = GateSample.report([finding, GateSample.finding("other", .pass)])
    #expect(
      one.verdictText == "pass (cannot tell by planks; a loss of 11 points would be found)")
    finding.detectableLoss = nil
    #expect(finding.verdictText == "pass (cannot tell; no loss of any size would be found)")
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
    finding.note(.regressed, "again")
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
