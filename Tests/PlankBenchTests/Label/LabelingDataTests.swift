import PoseModel
import Testing

@testable import PlankBench

@Suite("The data of the labeling page")
struct LabelingDataTests {
  private static func data(
    _ recording: Recording, strips: [LabelingStrip] = [], labels: LabelTrack? = nil
  ) throws -> [String: Any] {
    try LabelingSample.data(
      of: LabelingSample.html([
        LabelingInput(name: "a", recording: recording, strips: strips, labels: labels)
      ]))
  }

  @Test("Times keep every bit, the end lies a median interval behind the last frame")
  func timesAreExact() throws {
    let recording = LabelingSample.recording()
    let data = try Self.data(recording)
    #expect(data["times"] as? String == PackedTimes.text([recording.times]))
    #expect(data["frames"] as? Int == 4)
    #expect(data["start"] as? Double == 0)
    #expect(data["end"] as? Double == 0.133333)
  }

  @Test("A single frame lasts what the nominal rate implies")
  func singleFrameHasAnEnd() throws {
    var header = LabelingSample.header()
    header.nominalRate = Hertz(8)
    var recording = Recording(header: header)
    recording.append(time: Seconds(2), pose: nil)
    #expect(try Self.data(recording)["end"] as? Double == 2.125)
  }

  @Test("Positions are whole millimeters; missing joints and far ones are marked or stopped")
  func positionsAreRounded() throws {
    let data = try Self.data(LabelingSample.recording())
    let missing = Int16.min
    #expect(data["unit"] as? Double == 0.001)
    let positions: [Int16] = [
      0, 0, 0, 123, 500, -200, -100, 0, 0,
      missing, missing, missing, missing, missing, missing, missing, missing, missing,
      0, 0, 0, missing, missing, missing, -100, 0, 0,
      0, 0, 0, 32767, -32767, 0, -100, 0, 0,
    ]
    #expect(data["positions"] as? String == PackedSteps.text(positions, stride: 9))
  }

  @Test("A page of many recordings has positions in steps of 4 mm and half the steps of values")
  func coarse() throws {
    let (values, recording) = ([1.5, .nan, -0.1234, 0] as [Float], LabelingSample.recording())
    let strip = LabelingStrip(name: "hipDeviation", unit: "m", values: values, thresholds: [])
    let input = LabelingInput(
      name: "a", recording: recording, strips: [strip], detail: .coarse)
    let data = try LabelingSample.data(of: LabelingSample.html([input]))
    let coarse = UprightPoses(recording, detail: .coarse).positions
    #expect(data["unit"] as? Double == 0.004)
    #expect(data["positions"] as? String == PackedSteps.text(coarse, stride: 9))
    #expect(coarse.prefix(6) == [0, 0, 0, 31, 125, -50])
    let read = try #require((data["strips"] as? [[String: Any]])?.first)
    #expect(read["step"] as? Double == 0.002)
    let steps = PackedSteps.text([750, .min, -62, 0], stride: 1)
    #expect(read["values"] as? String == "steps:" + steps)
  }

  @Test("The state of a frame says why nothing can be drawn")
  func statesAreTold() throws {
    func states(_ recording: Recording) throws -> String? {
      try Self.data(recording)["states"] as? String
    }
    #expect(
      try states(LabelingSample.recording()) == PackedColumn.text([0, 1, 0, 0] as [UInt8]))
    var header = LabelingSample.header()
    header.frame = .pelvis
    var pelvis = Recording(header: header)
    pelvis.append(time: Seconds(0), pose: [0, 0, 0, 1, 0, 0, 0, 0, 0])
    #expect(try states(pelvis) == PackedColumn.text([2] as [UInt8]))
  }

  @Test("A strip has its values packed; levels that are not numbers are left out")
  func stripsArePacked() throws {
    let values: [Float] = [1.5, .nan, -0.1, 3e-9]
    let strip = LabelingStrip(
      name: "hipDeviation", unit: "m", values: values,
      thresholds: [.init(name: "pike", value: 0.05), .init(name: "sag", value: .nan)])
    let data = try Self.data(LabelingSample.recording(), strips: [strip])
    let read = try #require((data["strips"] as? [[String: Any]])?.first)
    let packed = PackedValues(values)
    #expect(read["values"] as? String == packed.text)
    #expect(read["step"] as? Double == packed.unit)
    let levels = try #require(read["thresholds"] as? [[String: Any]])
    #expect(levels.map { $0["name"] as? String } == ["pike"])
    #expect(levels.map { $0["value"] as? Double } == [0.05])
  }

  @Test("Labels come in as they are")
  func labelsAreKept() throws {
    let labels = try LabelTrack([
      LabeledSegment(start: Seconds(0), end: Seconds(0.033333), plank: .high, form: .sag),
      LabeledSegment(start: Seconds(0.066667), end: Seconds(0.133333), plank: nil),
    ])
    let data = try Self.data(LabelingSample.recording(), labels: labels)
    let segments = try #require(data["labels"] as? [[String: Any]])
    #expect(segments.map { $0["start"] as? Double } == [0, 0.066667])
    #expect(segments.map { $0["end"] as? Double } == [0.033333, 0.133333])
    #expect(segments.map { $0["plank"] as? String } == ["high", "ignore"])
    #expect(segments.map { $0["form"] as? String } == ["sag", ""])
  }

  @Test("Bones join the joints that the recording has")
  func bonesAreComplete() throws {
    let data = try Self.data(LabelingSample.recording())
    #expect(data["joints"] as? [String] == ["root", "leftHip", "rightHip"])
    #expect(data["bones"] as? [[Int]] == [[0, 2], [0, 1]])
  }

  @Test("The queue says for every recording where its labels go and how complete they are")
  func queueIsTold() throws {
    let half = try LabelTrack([
      LabeledSegment(start: Seconds(0), end: Seconds(0.05), plank: PlankClass.none)
    ])
    let recording = LabelingSample.recording()
    let html = try LabelingSample.html(
      [
        LabelingInput(name: "a.poses.jsonl", recording: recording, labels: half),
        LabelingInput(name: "b", recording: recording, labelsFileName: "b/c.labels.csv"),
      ], dataset: "both")
    let queue = try LabelingSample.data(of: html, id: "queue")
    let items = try #require(queue["recordings"] as? [[String: Any]])
    #expect(queue["dataset"] as? String == "both")
    #expect(items.map { $0["labels_file"] as? String } == ["a.labels.csv", "b/c.labels.csv"])
    #expect(items.map { $0["has_labels"] as? Bool } == [true, false])
    #expect(items.map { $0["labeled"] as? Double } == [0.5, 0])
    #expect(try LabelingSample.data(of: html, id: "recording-1")["name"] as? String == "b")
  }
}
