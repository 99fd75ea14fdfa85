import Evaluation
import Foundation
import PlankDetection
import PoseDatasets
import PoseModel
import Testing

@testable import PlankBench

@Suite("Explanations of moments")
struct MomentExplanationTests {
  @Test(
    "They agree with the evaluation in every frame, whatever the smoothing and the debounce",
    arguments: [
      (nil, nil), ("ema:cutoff=1.5Hz@measurements", "dwell:enter=0.3s"),
      ("one-euro:minCutoff=1Hz,beta=0.5@joints", "vote:votes=4,frames=5"),
      (nil, "consecutive:enter=4,switch=3,exit=2+bands:horizontal_ratio=0.05,elbow_split=8deg"),
      ("rts", nil),
    ] as [(String?, String?)])
  func agreement(smoothing: String?, debounce: String?) async throws {
    let bench = try BenchDetector("gravity", smoothing: smoothing, debounce: debounce)
    let reader = try DatasetReader(path: ScriptedDatasetFiles.folder.path)
    for entry in [reader.manifest.sequences[1], reader.manifest.sequences[4]] {
      let evaluation = try await DatasetEvaluation(
        of: DatasetCollection([.init(reader.only(entry), split: nil)]), detector: bench,
        progress: { _, _, _ in })
      let context = RecordingContext(sequence: try reader.load(entry))
      let explanation = MomentExplanation(context, bench, frame: 0)
      let answers = explanation.answers
      #expect(AnswerRuns(StreamOutcome(answers.plank), .plank) == evaluation.runs[0].answers.plank)
      #expect(AnswerRuns(StreamOutcome(answers.form), .form) == evaluation.runs[0].answers.form)
      try checkRules(bench, explanation)
    }
  }

  /// The rule that is said to decide gives the raw label, hysteresis included.
  private func checkRules(_ bench: BenchDetector, _ explanation: MomentExplanation) throws {
    let times = explanation.recording.times
    for frame in stride(from: 0, to: times.count, by: 3) {
      for stream in AnswerStream.allCases {
        let traces = try bench.detector.trace(
          stream, explanation.columns, times: times, at: frame)
        let raw = explanation.answers[stream].raw[frame]
        let label = raw == Debouncer.undetermined ? nil : stream.labels[Int(raw)]
        #expect(traces.first(where: \.decides)?.label == label, "\(stream) at \(times[frame])")
      }
    }
  }

  @Test("Where a measurement is undefined no rule was asked, not even the last one")
  func undefined() throws {
    let reader = try DatasetReader(path: ScriptedDatasetFiles.folder.path)
    let sequence = try reader.load(reader.manifest.sequences[0])
    let missing = (0..<sequence.recording.frameCount).first(where: sequence.recording.isMissing)
    let explanation = MomentExplanation(
      RecordingContext(sequence: sequence), try BenchDetector("gravity"),
      frame: try #require(missing))
    let text = TextRenderer(width: 200).render(explanation.document(isFull: true))
    let last = try #require(text.split(separator: "\n").first { $0.contains("otherwise") })
    #expect(last.hasSuffix("not asked: a measurement is undefined"))
    #expect(!text.contains("does not hold"))
  }

  @Test(
    "Debounce says what a change needs",
    arguments: [
      ("dwell:enter=0.4s,exit=0.2s", "s are needed to"),
      ("vote:votes=4,frames=5", "4 of the last 5 frames are needed"),
      ("consecutive:enter=8,switch=5,exit=3", "in a row are needed to"),
    ])
  func debounce(strategy: String, words: String) throws {
    let reader = try DatasetReader(path: ScriptedDatasetFiles.folder.path)
    let sequence = try reader.load(reader.manifest.sequences[4])
    let bench = try BenchDetector("gravity", debounce: strategy)
    let context = RecordingContext(sequence: sequence)
    let answers = MomentExplanation(context, bench, frame: 0).answers.plank
    let decided = try #require(answers.raw.indices.first(where: answers.isDetermined))
    let explanation = MomentExplanation(context, bench, frame: decided)
    #expect(explanation.debounceSentence(.plank).contains(words))
  }
}

@Suite("Recordings named by path or by dataset")
struct RecordingArgumentsTests {
  private func context(_ path: String, _ name: String? = nil) throws -> RecordingContext {
    try RecordingContext(path: path, sequence: name)
  }

  @Test(
    "A dataset with a name, a path and a path without its ending are the same recording",
    arguments: [["", "s03-fast"], ["/s03-fast.poses.jsonl.gz"], ["/s03-fast"]])
  func names(words: [String]) throws {
    let path = ScriptedDatasetFiles.folder.path + words[0]
    let sequence = try context(path, words.count > 1 ? words[1] : nil).sequence
    #expect(sequence.name == "s03-fast")
    #expect(sequence.subject == "s03" && sequence.labels != nil)
  }

  @Test("A dataset alone is refused with names to choose from")
  func datasetAlone() {
    let failure = #expect(throws: WorkflowFailure.self) {
      try context(ScriptedDatasetFiles.folder.path)
    }
    #expect(failure?.message.contains("s01-floor") ?? false)
  }

  @Test("A name that the dataset has not is refused with those that it has")
  func unknown() {
    let failure = #expect(throws: WorkflowFailure.self) {
      try context(ScriptedDatasetFiles.folder.path, "s99")
    }
    #expect(failure?.message.contains("s01-floor") ?? false)
  }
}
