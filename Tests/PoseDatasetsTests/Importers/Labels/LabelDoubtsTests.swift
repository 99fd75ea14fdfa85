import PoseDatasets
import PoseModel
import Testing

@Suite("Labels that may be misread") struct LabelDoubtsTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let text: String
    var span: Double?
    var words: [String] = []
    var testDescription: String { text }
  }

  // MARK: Tiers

  /// Tiers of two people, which do not overlap.
  static let tiers = [
    "tier,start,end,label\nann,0,1,none\nann,2,3,high\nbea,4,5,high\n",
    "<annotation><body><track name=\"ann\"><el start=\"0\" end=\"1\"><attribute name=\"type\">none"
      + "</attribute></el></track><track name=\"bea\"><el start=\"2\" end=\"3\"><attribute "
      + "name=\"type\">high</attribute></el></track></body></annotation>",
    #"[{"tier": "ann", "start": 0, "end": 1, "label": "none"}, "#
      + #"{"tier": "bea", "start": 2, "end": 3, "label": "high"}]"#,
    #"{"ann": [{"start": 0, "end": 1, "label": "none"}, {"start": 4, "end": 5, "label": "high"}], "#
      + #""bea": [{"start": 2, "end": 3, "label": "none"}, {"start": 6, "end": 7, "label": "high"}]}"#,
    "WEBVTT\n\n00:00.000 --> 00:01.000\n<v ann>none\n\n00:02.000 --> 00:03.000\n<v bea>high\n",
  ]

  @Test(
    "Tiers that may be of two people are not merged, even if they do not overlap", arguments: tiers)
  func twoTiers(text: String) throws {
    let words = [
      "`ann`, `bea`", "choose one tier: --tier \"ann\" or --tier \"bea\"", "--tier \"*\"",
    ]
    try expectRefusal(Case(text: text, words: words))
    #expect(try read(text, LabelTextOptions(tier: "ann")).segments.first?.plank == PlankClass.none)
    let all = try read(text, LabelTextOptions(tier: "*"))
    #expect(all.notes.contains { $0.contains("the tiers `ann`, `bea` are joined") })
    #expect(all.segments.count > 1)
  }

  @Test("Tiers are one annotation if one holds forms, or each holds the class it is named for")
  func joinedTiers() throws {
    let forms = try read("tier,start,end,label\npose,0,4,high\nhips,1,2,sag\n")
    #expect(forms.segments.map(\.form) == [nil, .sag, nil])
    #expect(forms.notes.contains { $0.contains("they are of `hips`") })
    let classes = try read("tier,start,end,label\nHigh plank,0,1,high\nnone,2,3,none\n")
    #expect(classes.segments.count == 2)
    #expect(classes.notes.contains { $0.contains("`High plank`, `none` are joined") })
  }

  @Test("Labels of another tier without a class are listed, with the tiers")
  func otherTier() throws {
    try expectRefusal(
      Case(
        text: "tier,start,end,label\npose,0,4,high\nsound,5,6,beep\n",
        words: ["--label \"beep=CLASS\"", "choose one tier: --tier \"pose\" or --tier \"sound\""]))
  }

  // MARK: Rates

  @Test("Frames of recordings with different rates are counted at each one's own, and that is said")
  func ownRates() throws {
    let text = "video,start_frame,end_frame,label\na,0,30,high\nb,0,30,high\n"
    let reader = LabelTextReader(options: try LabelTextOptions())
    let sheet = try reader.sheet(from: NamedText(name: "t.csv", text: text))
    func spans(_ rates: [Double]) -> [RecordingSpan] {
      rates.map { RecordingSpan(start: 0, end: 9, rate: $0) }
    }
    let labels = try reader.labels(of: sheet, spans: spans([30.0003, 15]))
    #expect(labels.tracks.map(\.segments[0].end.value) == [1, 2])
    #expect(labels.notes.contains { $0.contains("each recording's own: `a` 30 Hz, `b` 15 Hz") })
    let error = try #require(throws: PoseSourceError.self) {
      try reader.labels(of: sheet, spans: spans([30, 30]))
    }
    #expect(error.description.contains("--rate 30, which is the rate of the recording"))
    let given = LabelTextReader(options: try LabelTextOptions(rate: 30))
    let doubted = try given.labels(
      of: sheet, spans: [nil, RecordingSpan(start: 0, end: 2, rate: 15)])
    #expect(doubted.notes.contains { $0.contains("the labels of `b` would end where it does") })
  }

  @Test("Labels that name another recording say so")
  func otherRecording() throws {
    let reader = LabelTextReader(options: try LabelTextOptions())
    let text = "video,start,end,label\nben-1.mp4,0,1,none\n"
    for (name, count) in [("anna-1.poses.jsonl", 1), ("ben-1.poses.jsonl", 0)] {
      var sheet = try reader.sheet(from: NamedText(name: "t.csv", text: text))
      try sheet.keep(recording: name)
      #expect(
        sheet.notes.count { $0.contains("of `ben-1.mp4`, but the recording is `anna-1`") } == count)
    }
  }

  // MARK: Classes and forms

  @Test(
    "A doubted or denied class is no class",
    arguments: [
      "!high", "\u{AC}high", "-high", "~high", "no plank?", "high plank?", "high plank sag?",
      "high -sag", "side plank left", "side_plank_right",
    ])
  func doubted(label: String) throws {
    try expectRefusal(Case(text: "0\t1\t\(label)\n", words: ["no class is given for `\(label)`"]))
  }

  @Test("Dashes between words are no doubt", arguments: ["high-plank", "high plank - sag"])
  func dashes(label: String) throws {
    #expect(try read("0\t1\t\(label)\n").segments[0].plank == .high)
  }

  @Test(
    "A form that was said of another time or in a comment is not the form",
    arguments: ["previous", "comment", "next_form", "Notes"])
  func remarks(column: String) throws {
    let table = try read("start,end,label,\(column)\n1,2,high,sag\n3,4,forearm,pike\n")
    #expect(table.segments.map(\.form) == [nil, nil])
    let json = try read(#"[{"start": 1, "end": 2, "label": "high", "\#(column)": "sag"}]"#)
    #expect(json.segments.map(\.form) == [nil])
    let anvil = try read(
      "<annotation><body><track name=\"a\"><el start=\"0\" end=\"1\"><attribute name=\"\(column)\">sag"
        + "</attribute><attribute name=\"type\">high</attribute></el></track></body></annotation>")
    #expect(anvil.segments.map(\.form) == [nil])
  }

  @Test("A form with a doubt is asked for")
  func doubtedForm() throws {
    try expectRefusal(
      Case(
        text: "start,end,label,form\n1,2,high,sag?\n3,4,forearm,pike\n",
        words: ["--label \"high/sag?=CLASS\""]))
  }

  @Test("All attributes of Anvil's elements are read")
  func anvilAttributes() throws {
    func element(_ start: Int, _ attributes: [(String, String)]) -> String {
      "<el start=\"\(start)\" end=\"\(start + 1)\">"
        + attributes.map { "<attribute name=\"\($0.0)\">\($0.1)</attribute>" }.joined() + "</el>"
    }
    let elements = [
      element(0, [("light", "good"), ("plank", "none")]),
      element(2, [("light", "good"), ("plank", "high"), ("form", "sag")]),
      element(4, [("form", "hips piked"), ("plank", "forearm")]),
      element(6, [("light", "good"), ("plank", "high")]),
    ]
    let labels = try read(
      "<annotation><body><track name=\"a\">\(elements.joined())</track></body></annotation>")
    #expect(labels.segments.map(\.plank) == [PlankClass.none, .high, .forearm, .high])
    #expect(labels.segments.map(\.form) == [nil, .sag, .pike, nil])
  }

  // MARK: Helpers

  private struct Labels {
    let segments: [LabeledSegment]
    let notes: [String]
  }

  private func read(
    _ text: String, _ options: LabelTextOptions? = nil, span: Double? = nil
  ) throws -> Labels {
    let reader = LabelTextReader(options: try options ?? LabelTextOptions())
    let sheet = try reader.sheet(from: NamedText(name: "a.txt", text: text))
    try sheet.requireOneRecording()
    let known = span.map { RecordingSpan(start: 0, end: $0, rate: 30) }
    let labels = try reader.labels(of: sheet, spans: [known])
    return Labels(segments: labels.tracks[0].segments, notes: labels.notes)
  }

  private func expectRefusal(_ refusal: Case) throws {
    let error = try #require(throws: PoseSourceError.self) {
      try read(refusal.text, span: refusal.span)
    }
    for word in refusal.words { #expect(error.description.contains(word), "\(error)") }
  }
}
