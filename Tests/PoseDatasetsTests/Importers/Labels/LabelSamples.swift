import PoseDatasets
import PoseModel
import Testing

/// The labels that a text gives for one recording, and what the reader says about them.
struct ReadLabels {
  let segments: [LabeledSegment]
  let notes: [String]

  /// The segments in short, such as `0-1 none, 2.2-3.7 high/sag, 4-5 ignore`, to the last bit.
  var summary: String {
    func short(_ time: Seconds) -> String {
      let text = "\(time.value)"
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
    return segments.map { segment in
      let form = segment.form.map { "/\($0.name)" } ?? ""
      let plank = segment.plank?.name ?? "ignore"
      return "\(short(segment.start))-\(short(segment.end)) \(plank)\(form)"
    }.joined(separator: ", ")
  }
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

/// A text that is read, and the summary of its labels, with words of a note if there must be one.
struct Reads: Sendable, CustomTestStringConvertible {
  let testDescription: String
  private let expected: String
  private let note: String?
  private let read: @Sendable () throws -> ReadLabels

  init(
    _ text: String, _ summary: String, says note: String? = nil, labels: [String] = [],
    columns: SegmentColumns = SegmentColumns(), offset: Double? = nil, unit: LabelUnit? = nil,
    rate: Double? = nil, tier: String? = nil, until end: Double? = nil, named name: String? = nil
  ) {
    testDescription = name ?? text
    expected = summary
    self.note = note
    read = {
      try readLabels(
        text, labels: labels, columns: columns, offset: offset.map { Seconds($0) }, unit: unit,
        rate: rate, tier: tier, until: end)
    }
  }

  func expect() throws {
    let found = try read()
    #expect(found.summary == expected)
    if let note { #expect(found.notes.contains { $0.contains(note) }, "\(found.notes)") }
  }
}

/// A text that is refused, and words of the message; a place such as `a.txt:2` begins it.
struct Refuses: Sendable, CustomTestStringConvertible {
  let text: String
  private let words: [String]
  private let rate: Double?
  private let span: Double?
  var testDescription: String { text }

  init(_ text: String, _ words: String..., rate: Double? = nil, span: Double? = nil) {
    self.text = text
    self.words = words
    self.rate = rate
    self.span = span
  }

  func expect() throws {
    let error = try #require(throws: PoseSourceError.self) {
      try readLabels(text, rate: rate, until: span)
    }
    for word in words {
      let isPlace = word.hasPrefix("a.txt:")
      let isThere = isPlace ? "\(error)".hasPrefix(word) : "\(error)".contains(word)
      #expect(isThere, "\(error)")
    }
  }
}
