import Evaluation
import Foundation
import PlankDetection
import PoseDatasets
import PoseModel
import TestSupport
import Testing

@testable import PlankBench

/// The marks on the sliders of a thresholds page, against what `evaluate` proposes.
@Suite("The best values of a thresholds page")
struct BestValuesTests {
  @Test("Every fix of an evaluation is a mark with the same value and the same gain")
  func marksAreFixes() async throws {
    let path = Repository.file("datasets/scripted").path
    let bench = try BenchDetector("gravity")
    let data = try await StudioData(
      of: path, split: nil, detector: bench, base: bench.detector.parameters, command: [],
      explain: [], page: "page.html", progress: { _, _, _ in })
    let datasets = try DatasetCollection([.init(DatasetAccess.open(path), split: nil)])
    let evaluation = try await DatasetEvaluation(
      of: datasets, detector: bench,
      .init(parts: .next, next: EvaluateCommand(data: [path], options: [], assignments: [])),
      progress: { _, _, _ in })
    let fixes = try #require(evaluation.report.next).fixes
    #expect(fixes.count > 1)
    for fix in fixes {
      let mark = try #require(data.next.marks.first { $0.parameter == fix.parameter })
      #expect(mark.value == fix.to)
      #expect(mark.advice == fix.advice)
      #expect(mark.asGood == [fix.asGood.lowerBound, fix.asGood.upperBound])
      #expect(mark.stream == fix.stream.rawValue)
      #expect(!mark.fails && mark.sentence.contains(fix.advice.sentence))
    }
    #expect(Set(data.next.marks.map(\.parameter)).count == data.next.marks.count)
  }

  @Test("Where nothing is tried, the page says why")
  func reasons() {
    let sweep = NextSearch.Sweep(findings: PerStream(plank: .undecided, form: .nothingWrong))
    #expect(
      BestValues(sweep).reasons == [
        "Next, form: every scored frame is right.",
        "Next, plank: the rules decide no frame, as measurements are missing; try --detector.",
      ])
    let both = NextSearch.Sweep(findings: PerStream(plank: .onePerson, form: .onePerson))
    #expect(
      BestValues(both).reasons.first?.hasPrefix("Next, plank and form: nothing to try") == true)
  }

  @Test("Poses travel with the page, so that a cell can lead to its frames")
  func posesAreThere() async throws {
    let bench = try BenchDetector("gravity")
    let data = try await StudioData(
      of: Repository.file("datasets/scripted").path, split: nil, detector: bench,
      base: bench.detector.parameters, command: [], explain: [], page: "page.html",
      progress: { _, _, _ in })
    let viewer = try #require(data.viewer)
    #expect(viewer.sequenceCount == data.sequences.count)
    let html = try StudioPage.html(data)
    #expect(html.contains("id=\"viewer-data\"") && html.contains("id=\"sequence-0-data\""))
    #expect(html.contains("media-src blob:;"))
  }
}
