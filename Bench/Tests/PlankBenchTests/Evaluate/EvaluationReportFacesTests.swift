import Evaluation
import PoseModel
import Testing

@testable import PlankBench

@Suite("Faces of an evaluation")
struct EvaluationReportFacesTests {
  /// Two sequences of four frames, the rules blind in the streams that a test names; the form is
  /// labeled in the second sequence only and one frame of it is a hold.
  private func report(blindPlank: Bool = false, blindForm: Bool = false) throws -> EvaluationReport
  {
    let times = [0, 0.1, 0.2, 0.3]
    func segment(_ start: Double, _ end: Double, _ plank: PlankClass, _ form: FormClass?)
      -> LabeledSegment
    {
      LabeledSegment(start: Seconds(start), end: Seconds(end), plank: plank, form: form)
    }
    let tracks = try [
      LabelTrack([segment(0, 1, .none, nil)]),
      LabelTrack([segment(0, 0.1, .high, .aligned), segment(0.1, 1, .none, nil)]),
    ]
    var jitter = JitterStatistics()
    let outcomes = tracks.enumerated().map { index, track in
      let truth = track.truth(at: times)
      let angles = MeasurementSeries(name: "elbowAngle", unit: "deg", values: [150, 1, 2, 3])
      jitter.add(times: times, truth: truth, measurements: [angles])
      return SequenceOutcome(
        name: "sequence\(index)", times: times, truth: truth, plank: stream(blindPlank),
        form: stream(blindForm), frameWeight: Seconds(0.1))
    }
    return EvaluationReport(
      dataset: DatasetIdentity(
        name: "tests", hash: "00", posesHash: "01", labelsHash: "02", manifestHash: "03"),
      detector: DetectorFacts(name: "scripted", description: "Answers from a script."),
      sequences: outcomes.map { SequenceEvaluation($0) }, jitter: jitter)
  }

  private func stream(_ isBlind: Bool) -> StreamOutcome {
    StreamOutcome(
      answers: [0, 0, 0, 0], isDetermined: Array(repeating: !isBlind, count: 4),
      isHeld: Array(repeating: false, count: 4))
  }

  /// Names that may be null without a reason: there is no such thing, rather than no value.
  private static let optionalNames: Set<String> = [
    "timing", "device_comparison", "annotator_agreement", "source", "split", "subject", "value",
    "nearest_threshold",
  ]

  /// Paths of nulls whose name is in no `remarks` beside them or beside what holds them.
  private func unexplained(_ value: JSONValue, _ path: String, _ reasons: Set<String>) -> [String] {
    func names(_ value: JSONValue?) -> Set<String> {
      if case .object(let members) = value { Set(members.keys) } else { [] }
    }
    switch value {
    case .array(let items): return items.flatMap { unexplained($0, path + "[]", []) }
    case .object(let members):
      let own = reasons.union(names(members["remarks"]))
      return members.flatMap { name, member -> [String] in
        if member == .null {
          return own.contains(name) || Self.optionalNames.contains(name) ? [] : ["\(path).\(name)"]
        }
        let beside = names(members["remarks"]).union(names(members["\(name)_remarks"]))
        return unexplained(member, "\(path).\(name)", beside)
      }
    default: return []
    }
  }

  @Test("Every null of the JSON face has its reason beside it", arguments: [false, true])
  func nullsHaveReasons(isBlind: Bool) throws {
    let json = try report(blindPlank: isBlind, blindForm: isBlind).json
    #expect(unexplained(json, "", []).isEmpty)
    #expect(json.text.contains("\"acceleration\": null"))
    #expect(json.text.contains("\"precision\": null"))
  }

  @Test(
    "Tables say which stream of a slice or a sequence is no evidence",
    arguments: [(true, false, "plank"), (false, true, "form"), (true, true, "plank, form")])
  func noEvidence(plank: Bool, form: Bool, streams: String) throws {
    let report = try report(blindPlank: plank, blindForm: form)
    let text = MarkdownRenderer().render(report.document)
    #expect(text.contains("| contains no evidence: \(streams) |"))
    #expect(text.contains("| no evidence: \(streams) |"))
  }

  @Test("Where all is evidence, tables do not warn")
  func evidence() throws {
    #expect(!MarkdownRenderer().render(try report().document).contains("no evidence"))
  }

  @Test(
    "A page says what is wrong before it shows matrices, as data of every stream that is scored")
  func page() throws {
    let page = try report().page(explain: nil)
    let verdict = try #require(
      page.blocks.firstIndex { if case .list = $0 { true } else { false } })
    let matrices = page.blocks.enumerated().compactMap { place, block in
      if case .matrix(let matrix) = block { (place, matrix) } else { nil }
    }
    #expect(matrices.map(\.1.title) == ["plank", "form"])
    #expect(matrices.allSatisfy { $0.0 > verdict })
    #expect(matrices.first?.1.frames.joined().reduce(0, +) == 8)
    let text = MarkdownRenderer().render(page)
    #expect(text.contains("manifest hash: 03") && text.contains("| metric | value | 95 % | by |"))
  }

  @Test("A page says of a stream without labels that it has none")
  func unlabeledStream() throws {
    let empty = EvaluationReport(
      dataset: DatasetIdentity(
        name: "tests", hash: "00", posesHash: "01", labelsHash: "02", manifestHash: "03"),
      detector: DetectorFacts(name: "scripted", description: "Answers from a script."),
      sequences: [], jitter: JitterStatistics())
    let text = MarkdownRenderer().render(empty.page(explain: nil))
    #expect(text.contains("No frame carries a form label."))
  }
}
