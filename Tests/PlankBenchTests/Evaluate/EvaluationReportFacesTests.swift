import Evaluation
import PoseModel
import Testing

@testable import PlankBench

@Suite("Faces of an evaluation")
struct EvaluationReportFacesTests {
  /// Two sequences of four frames, the rules blind in the streams that a test names; the form is
  /// labeled in the second sequence only and one frame of it is a hold.
  private func result(
    blindPlank: Bool = false, blindForm: Bool = false
  ) throws -> ResultEnvelope<EvaluationReport> {
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
    var facts = EvaluationReport.Facts()
    let outcomes = tracks.enumerated().map { index, track in
      let truth = track.truth(at: times)
      let angles = MeasurementSeries(name: "elbowAngle", unit: "deg", values: [150, 1, 2, 3])
      facts.jitter.add(times: times, truth: truth, measurements: [angles])
      return SequenceOutcome(
        name: "sequence\(index)", times: times, truth: truth, plank: stream(blindPlank),
        form: stream(blindForm), frameWeight: Seconds(0.1))
    }
    return envelope(
      EvaluationReport(
        detector: DetectorFacts(name: "scripted", description: "Answers from a script."),
        sequences: outcomes.map { SequenceEvaluation($0, detail: .all) }, facts))
  }

  private func envelope(_ report: EvaluationReport) -> ResultEnvelope<EvaluationReport> {
    ResultEnvelope(
      report,
      on: DatasetIdentity(
        name: "tests", hash: "00", posesHash: "01", labelsHash: "02", manifestHash: "03"),
      provenance: ["smoothing": "none", "set": nil])
  }

  private func stream(_ isBlind: Bool) -> StreamOutcome {
    StreamOutcome(
      answers: [0, 0, 0, 0], isDetermined: Array(repeating: !isBlind, count: 4),
      isHeld: Array(repeating: false, count: 4))
  }

  @Test(
    "The JSON reads as an equal result with an equal document and page", arguments: [false, true])
  func roundTrip(isBlind: Bool) throws {
    let envelope = try result(blindPlank: isBlind, blindForm: isBlind)
    let again = try JSONDocument(envelope.json, file: "result.json").decode(
      ResultEnvelope<EvaluationReport>.self)
    #expect(again == envelope)
    #expect(again.document == envelope.document && again.page == envelope.page)
    #expect(again.origin.provenance == ["smoothing": "none"])
  }

  @Test("A number that is undefined is null with its reason")
  func undefined() throws {
    let json = try result().json
    #expect(
      json.contains(
        #""plank.precision[high]": {\#n        "reason": "the class was never answered",\#n        "value": null"#
      ))
    #expect(!json.replacing(#""value": null"#, with: "").contains("null"))
  }

  @Test(
    "Tables say which stream of a slice or a sequence is no evidence",
    arguments: [(true, false, "plank"), (false, true, "form"), (true, true, "plank, form")])
  func noEvidence(plank: Bool, form: Bool, streams: String) throws {
    let text = MarkdownRenderer().render(
      try result(blindPlank: plank, blindForm: form).document)
    #expect(text.contains("| contains no evidence: \(streams) |"))
    #expect(text.contains("| no evidence: \(streams) |"))
  }

  @Test("Where all is evidence, tables do not warn")
  func evidence() throws {
    #expect(!MarkdownRenderer().render(try result().document).contains("no evidence"))
  }

  @Test(
    "A page says what is wrong before it shows matrices, as data of every stream that is scored")
  func page() throws {
    let html = try result().page.html.text
    let matrices = html.matches(of: /<table class="matrix" data-title="(\w+)"/)
    #expect(matrices.map(\.1) == ["plank", "form"])
    let verdict = try #require(html.firstRange(of: "<h1>"))
    #expect(matrices.allSatisfy { $0.range.lowerBound > verdict.upperBound })
    let frames = html.matches(of: /data-frames="(\d+)"/).compactMap { Int($0.1) }
    #expect(frames.prefix(PlankClass.allCases.count * PlankClass.allCases.count).reduce(0, +) == 8)
    #expect(html.contains("<dt>manifest hash</dt><dd title=\"03"))
    #expect(html.contains("<summary>All numbers") && !html.contains("Timing"))
  }

  @Test("A page says of a stream without labels that it has none")
  func unlabeledStream() throws {
    let empty = EvaluationReport(
      detector: DetectorFacts(name: "scripted", description: "Answers from a script."),
      sequences: [])
    let html = envelope(empty).page.html.text
    #expect(html.contains("No frame carries a form label.") && html.contains("Not labeled"))
  }
}
