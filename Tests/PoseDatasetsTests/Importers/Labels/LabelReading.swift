import PoseDatasets
import PoseModel
import Testing

/// The labels that a text gives for one recording, and what the reader says about them.
struct ReadLabels {
  let segments: [LabeledSegment]
  let notes: [String]
}

/// Reads labels of one recording; `end` is that of the recording, with 30 Hz from 0, if it is known.
func readLabels(
  _ text: String, labels: [String] = [], columns: SegmentColumns = SegmentColumns(),
  offset: Seconds? = nil, unit: LabelUnit? = nil, rate: Double? = nil, tier: String? = nil,
  until end: Double? = nil
) throws -> ReadLabels {
  let options = try LabelTextOptions(
    labels: LabelMap(labels), columns: columns, offset: offset, unit: unit, rate: rate, tier: tier)
  let reader = LabelTextReader(options: options)
  let sheet = try reader.sheet(from: NamedText(name: "a.txt", text: text))
  try sheet.requireOneRecording()
  let span = end.map { RecordingSpan(start: 0, end: $0, rate: 30) }
  let labels = try reader.labels(of: sheet, spans: [span])
  return ReadLabels(segments: labels.tracks[0].segments, notes: labels.notes)
}

/// A text that is refused, and words of the message.
struct LabelRefusal: Sendable, CustomTestStringConvertible {
  let text: String
  var span: Double?
  let words: [String]
  var testDescription: String { text }

  func expect() throws {
    let error = try #require(throws: PoseSourceError.self) { try readLabels(text, until: span) }
    for word in words { #expect(error.description.contains(word), "\(error)") }
  }
}
