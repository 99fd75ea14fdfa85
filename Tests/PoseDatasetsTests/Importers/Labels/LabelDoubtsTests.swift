import PoseDatasets
import PoseModel
import Testing

@Suite("Labels that may be misread") struct LabelDoubtsTests {
  // MARK: Clocks

  static let movedTimes: [LabelRefusal] = [
    LabelRefusal(
      text: #"{"sampling_rate": 100, "labels": [{"start": 0, "end": 150, "label": "high"}]}"#,
      words: ["names 100 samples per second", "--unit frames --rate 100, or --unit s"]),
    LabelRefusal(
      text: "<labels offset=\"2.5\"><label start=\"0\" end=\"1\" class=\"high\"/></labels>",
      words: ["labels start before `offset`", "--offset 2.5", "--offset 0"]),
    LabelRefusal(
      text: #"{"trim_start": 2, "labels": [{"start": 0.5, "end": 1, "label": "high"}]}"#,
      words: ["labels start before `trim_start`"]),
    LabelRefusal(
      text: "start,end,label\n45415.5,45415.50005,none\n45415.50008,45415.5001,high\n", span: 18,
      words: ["a spreadsheet's dates", "--unit days", "--offset -3923899200.0 puts"]),
    LabelRefusal(
      text: "start,end,label\n0:00:50,0:01:20,none\n0:02:00,0:03:40,high\n", span: 5,
      words: ["ends at 220.0 s", "write 1:15.50 instead of 1:15:50"]),
    LabelRefusal(
      text: "start_s,start_ms,end_s,end_ms,label\n0,500,1,0,none\n2,0,3,200,high\n",
      words: ["`start_s` and `start_ms` differ", "write their sum"]),
    LabelRefusal(
      text: #"[{"start_min": 1, "start_sec": 15, "end_min": 2, "end_sec": 0, "label": "high"}]"#,
      words: ["differ, as if each were a part of one time"]),
    LabelRefusal(
      text: "none\nnone\n\nhigh\nhigh\n", words: ["a.txt:3: the line is blank", "write `ignore`"]),
    LabelRefusal(
      text: "label\nnone\nnone\n-\nhigh\nhigh\n",
      words: ["a.txt:4: the line is blank"]),
    LabelRefusal(
      text: "start,end,label\n0,1,none\n#REF!,3,high\n", words: ["a.txt:3", "such as #REF!"]),
  ]

  @Test(
    "Rates, offsets, dates and hundredths that would move times are asked for",
    arguments: movedTimes)
  func otherClock(_ refusal: LabelRefusal) throws { try refusal.expect() }

  @Test("A side beside side planks asks for each of them")
  func sides() throws {
    let texts = [
      "start,end,exercise,side\n0,1,side plank,left\n2,3,side plank,right\n4,5,no plank,\n",
      #"[{"start": 0, "end": 1, "label": "side plank", "arm": "left"}, "#
        + #"{"start": 2, "end": 3, "label": "side plank", "arm": "right"}]"#,
    ]
    for text in texts {
      try LabelRefusal(
        text: text,
        words: ["--label \"side plank <left>=CLASS\"", "--label \"side plank <right>=CLASS\""]
      ).expect()
    }
  }

  @Test("A speed of the video is not read, and that is said; a spreadsheet's dates count days")
  func speedAndDates() throws {
    let speed = #"{"playback_rate": 0.5, "labels": [{"start": 0.5, "end": 1, "label": "high"}]}"#
    #expect(
      try readLabels(speed).notes.contains { $0.contains("not read: the fields `playback_rate`") })
    let dates = try readLabels(
      "start,end,label\n45415.5,45415.50005,none\n45415.50008,45415.5001,high\n",
      offset: Seconds(-3_923_899_200), unit: .days)
    #expect(dates.segments.map(\.end.value) == [4.32, 8.64])
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
    try LabelRefusal(text: text, words: words).expect()
    #expect(try readLabels(text, tier: "ann").segments.first?.plank == PlankClass.none)
    let all = try readLabels(text, tier: "*")
    #expect(all.notes.contains { $0.contains("the tiers `ann`, `bea` are joined") })
    #expect(all.segments.count > 1)
  }

  @Test("Tiers are one annotation if one holds forms, or each holds the class it is named for")
  func joinedTiers() throws {
    let forms = try readLabels("tier,start,end,label\npose,0,4,high\nhips,1,2,sag\n")
    #expect(forms.segments.map(\.form) == [nil, .sag, nil])
    #expect(forms.notes.contains { $0.contains("they are of `hips`") })
    let classes = try readLabels("tier,start,end,label\nHigh plank,0,1,high\nnone,2,3,none\n")
    #expect(classes.segments.count == 2)
    #expect(classes.notes.contains { $0.contains("`High plank`, `none` are joined") })
  }

  @Test("Labels of another tier without a class are listed, with the tiers")
  func otherTier() throws {
    try LabelRefusal(
      text: "tier,start,end,label\npose,0,4,high\nsound,5,6,beep\n",
      words: ["--label \"beep=CLASS\"", "choose one tier: --tier \"pose\" or --tier \"sound\""]
    ).expect()
  }

  @Test(
    "People are not merged, whatever language names them, or a list above their labels",
    arguments: [
      "Sportlerin;von;bis;label\nann;0;1;none\nbea;2;3;high\n",
      #"[{"trackId": "ann", "start": 0, "end": 1, "label": "none"}, "#
        + #"{"trackId": "bea", "start": 2, "end": 3, "label": "high"}]"#,
      #"{"annotators": [{"id": "ann", "labels": [{"start": 0, "end": 1, "label": "none"}]}, "#
        + #"{"id": "bea", "labels": [{"start": 0, "end": 3, "label": "high"}]}]}"#,
    ])
  func people(text: String) throws {
    try LabelRefusal(text: text, words: ["`ann`, `bea`", "choose one with --tier NAME"]).expect()
    #expect(try readLabels(text, tier: "bea").segments.map(\.plank) == [.high])
  }

  @Test("The only column or field of classes is that of the labels, unless the words mean little")
  func labelsByContent() throws {
    let table = try readLabels(
      "type,from,to,pose shown\nSTATE,0,1,no plank\nSTATE,2,3,high plank\n")
    #expect(table.notes.contains { $0.contains("`pose shown`") })
    let json =
      #"[{"start": 0, "end": 1, "sentence": "high plank", "seen by": "x"}, "#
      + #"{"start": 2, "end": 3, "sentence": "no plank", "seen by": "y"}, "#
      + #"{"start": 4, "end": 5, "sentence": "no plank", "seen by": "y"}]"#
    let labels = try readLabels(json)
    #expect(labels.segments.count == 3)
    #expect(labels.notes.contains { $0.contains("not read: the fields `seen by`") })
    try LabelRefusal(
      text: "start,end,exercise,effort\n0,1,Stütz,high\n2,3,Pause,none\n",
      words: ["--label \"Stütz=CLASS\""]
    ).expect()
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

  // MARK: Units

  static let strangeUnits =
    [
      "start %", "Start (%)", "start_pct", "Start (m.ss)", "Start (mmss)", "Start (hh:mm:ss)",
      "start_m",
    ]
    .map { start in
      let end = start.replacing("tart", with: "top")
      return LabelRefusal(
        text: "\(start),\(end),label\n0,5,none\n7,9.1,high\n", words: ["`\(start)`", "--unit s"])
    } + [
      LabelRefusal(
        text: #"[{"start_pct": 0, "end_pct": 5, "label": "none"}]"#,
        words: ["start_pct", "--unit s"]),
      LabelRefusal(
        text: #"{"timeUnit": "ticks", "x": [{"start": 0, "end": 5, "label": "none"}]}"#,
        words: ["`ticks`", "--unit s"]),
      LabelRefusal(text: "start,end,label,unit\n0,5,none,ticks\n", words: ["`unit`", "--unit s"]),
    ]

  @Test("Plain numbers in a unit that is not known are refused", arguments: strangeUnits)
  func strangeUnit(_ refusal: LabelRefusal) throws {
    try refusal.expect()
    #expect(try readLabels(refusal.text, unit: .seconds).segments[0].end.value == 5)
  }

  @Test("--columns does not take a strange unit as seconds")
  func strangeColumns() throws {
    let columns = SegmentColumns(start: "in (%)", end: "out (%)", label: "what")
    let error = try #require(throws: PoseSourceError.self) {
      try readLabels("what,in (%),out (%)\nnone,0,5\n", columns: columns)
    }
    #expect(error.description.contains("`in (%)`"))
  }

  @Test("Clock times are read under a name of any clock")
  func clocks() throws {
    #expect(
      try readLabels("Start (m:ss),Stop (m:ss),label\n0:01,1:05,none\n").segments[0].end.value == 65
    )
  }

  @Test(
    "A unit that the file names is used",
    arguments: [
      #"{"unit": "frames", "fps": 10, "x": [{"start": 0, "end": 50, "label": "none"}]}"#,
      #"{"timeUnit": "ms", "x": [{"start": 0, "end": 5000, "label": "none"}]}"#,
      "start,end,label,unit\n0,5000,none,ms\n",
    ])
  func namedUnit(text: String) throws { #expect(try readLabels(text).segments[0].end.value == 5) }

  static let unclearTimes = [
    LabelRefusal(
      text: #"{"fps": 10, "x": [{"start": 0, "end": 5, "label": "none"}]}"#,
      words: ["10 frames per second", "--unit frames, or --unit s"]),
    LabelRefusal(
      text: "start,end,label\n50.5,58,none\n1.02,1.2,high\n",
      words: [":3", "write 1:02", "--unit s"]),
    LabelRefusal(
      text: "start,end,label\n0:01:00,0:02:00,none\n0:03:00,0:05:00,high\n1:06:00,1:07:00,none\n",
      words: ["whole minutes", "--recording FILE", "--unit time"]),
    LabelRefusal(
      text: "Aloitus;Loppu;Label\n0;16;none\n28;52;high\n60;92;none\n",
      words: ["`Aloitus`, `Loppu`", "--columns \"Aloitus,Loppu,Label\""]),
    LabelRefusal(
      text: "Startbild;Endbild;Label\n0;16;none\n28;52;high\n", words: ["`Startbild`", "--rate"]),
    LabelRefusal(
      text: "start,end,start_time,end_time,label\n0,16,0,2,none\n28,52,3.5,6.5,high\n",
      words: ["`start` and `start_time`", "--columns"]),
  ]

  @Test("Times with two readings are refused, with both", arguments: unclearTimes)
  func unclear(_ refusal: LabelRefusal) throws { try refusal.expect() }

  // MARK: Offsets

  static let offsets = [
    LabelRefusal(
      text: "time_offset,start,end,label\n2,0.5,1,none\n2,3,4,high\n",
      words: ["`time_offset` is 2.0", "--offset 2.0", "--offset 0"]),
    LabelRefusal(
      text: "\"#file:///a.mp4 -- offset: 2500\"\nstart,end,label\n0,1,none\n",
      words: ["offset: 2500", "--offset 2.5"]),
    LabelRefusal(
      text: #"{"clips": [{"video_start_sec": 4.5, "labels": ["#
        + #"{"start": 0, "end": 2, "label": "none"}]}]}"#,
      words: ["`video_start_sec`, which is 4.5", "--offset 4.5", "--offset 0"]),
    LabelRefusal(
      text: #"[{"start": 0, "end": 2, "video_start": 4, "video_end": 6, "label": "none"}]"#,
      words: ["`start` and `video_start`", "--columns"]),
  ]

  @Test(
    "An offset that may or may not be in the times is refused until it is given", arguments: offsets
  )
  func offset(_ refusal: LabelRefusal) throws { try refusal.expect() }

  @Test("--offset answers a stated offset, also with 0")
  func answeredOffset() throws {
    #expect(try readLabels(Self.offsets[0].text, offset: Seconds(0)).segments[0].start.value == 0.5)
    let columns = SegmentColumns(start: "video_start", end: "video_end", label: "label")
    let chosen = try readLabels(Self.offsets[3].text, columns: columns)
    #expect(chosen.segments[0].start.value == 4)
  }

  @Test("Times that count from a clip's start are moved; other numbers of times are named")
  func clips() throws {
    let moved = try readLabels("clip_start,start,end,label\n4.5,0.0,2.5,high\n4.5,3.5,5.5,none\n")
    #expect(moved.segments.map(\.start.value) == [4.5, 8])
    #expect(moved.notes.contains { $0.contains("`clip_start` is added") })
    let named = try readLabels("clip_start,start,end,label\n4.5,5.0,6.5,high\n4.5,7.5,8.5,none\n")
    #expect(named.segments.map(\.start.value) == [5, 7.5])
    #expect(named.notes.contains { $0.contains("not read: the columns `clip_start`") })
    let field = try readLabels(#"[{"clip_offset": 1, "start": 2.5, "end": 4, "label": "none"}]"#)
    #expect(field.notes.contains { $0.contains("not read: the fields `clip_offset`") })
  }

  // MARK: Rows and recordings

  @Test(
    "Labels that their annotator took back are left out, and counted",
    arguments: [
      "start,end,label,deleted\n0,1,none,0\n1,2,high,1\n3,4,high,0\n",
      "start,end,label,status\n0,1,none,accepted\n1,2,high,Rejected\n3,4,high,accepted\n",
      #"[{"start": 0, "end": 1, "label": "none", "deleted": false}, {"start": 1, "end": 2, "#
        + #""label": "high", "deleted": true}, {"start": 3, "end": 4, "label": "high"}]"#,
    ])
  func takenBack(text: String) throws {
    let labels = try readLabels(text)
    #expect(labels.segments.map(\.start.value) == [0, 3])
    #expect(labels.notes.contains { $0.hasPrefix("1 ") && $0.contains("left out, taken back in") })
  }

  @Test("A frame that is left out does not shift the frames after it")
  func takenBackFrame() throws {
    let rows = (0..<30).map { "\($0 < 20 ? "none" : "high"),\($0 == 10 ? 1 : 0)\n" }
    let labels = try readLabels("label,deleted\n" + rows.joined(), rate: 10)
    #expect(labels.segments.map(\.start.value) == [0, 1.1, 2])
    #expect(labels.segments.map(\.end.value) == [1, 2, 3])
  }

  @Test("A file in which every label is taken back is refused")
  func nothingLeft() throws {
    for text in [
      "start,end,label,deleted\n0,1,none,1\n",
      #"[{"start": 0, "end": 1, "label": "none", "deleted": true}]"#,
    ] {
      try LabelRefusal(text: text, words: ["deleted or rejected"]).expect()
    }
  }

  @Test("Versions and annotators are named, and one of them is chosen")
  func versions() throws {
    let reader = LabelTextReader(options: try LabelTextOptions())
    let table = "version,start,end,label\ndraft,0,1,none\ndraft,2,3,high\nfinal,0,2,none\n"
    var sheet = try reader.sheet(from: NamedText(name: "t.csv", text: table))
    let error = try #require(throws: PoseSourceError.self) { try sheet.keep(recording: "anna-1") }
    #expect(error.description.contains("`version` has 2 values"), "\(error)")
    let json =
      #"[{"video": "a.mp4", "annotator": 1, "x": [{"ranges": [{"start": 1, "end": 30}], "timelinelabels": ["none"]}]}, "#
      + #"{"video": "a.mp4", "annotator": 2, "x": [{"ranges": [{"start": 1, "end": 60}], "timelinelabels": ["none"]}]}]"#
    try LabelRefusal(text: json, words: ["`annotator` has 2 values"]).expect()
    #expect(try readLabels(json, rate: 30, tier: "2").segments.map(\.end.value) == [2])
  }

  @Test("A quote within a field does not join lines")
  func inches() throws {
    let text = "start,end,label,who\n0,1,none,5'10\"\n2,3,high,5'10\"\n"
    #expect(try readLabels(text).segments.count == 2)
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
    try LabelRefusal(text: "0\t1\t\(label)\n", words: ["no class is given for `\(label)`"]).expect()
  }

  @Test("A printed option means its value in a shell, also behind a minus sign")
  func minus() throws {
    try LabelRefusal(text: "0\t1\t-high\n", words: ["add --label=\"-high=CLASS\""]).expect()
    try LabelRefusal(text: "0\t1\t!it's\n", words: [#"add --label '!it'\''s=CLASS'"#]).expect()
    try LabelRefusal(text: "0\t1\ta$b`c\n", words: [#"add --label "a\$b\`c=CLASS""#]).expect()
    let tiers = "tier,start,end,label\n-a,0,1,none\nb,2,3,high\n"
    try LabelRefusal(text: tiers, words: ["--tier=\"-a\" or --tier \"b\""]).expect()
  }

  @Test("Dashes between words are no doubt", arguments: ["high-plank", "high plank - sag"])
  func dashes(label: String) throws {
    #expect(try readLabels("0\t1\t\(label)\n").segments[0].plank == .high)
  }

  @Test(
    "A form that was said of another time or in a comment is not the form",
    arguments: ["previous", "comment", "next_form", "Notes"])
  func remarks(column: String) throws {
    let table = try readLabels("start,end,label,\(column)\n1,2,high,sag\n3,4,forearm,pike\n")
    #expect(table.segments.map(\.form) == [nil, nil])
    let json = try readLabels(#"[{"start": 1, "end": 2, "label": "high", "\#(column)": "sag"}]"#)
    #expect(json.segments.map(\.form) == [nil])
    let anvil = try readLabels(
      "<annotation><body><track name=\"a\"><el start=\"0\" end=\"1\"><attribute name=\"\(column)\">sag"
        + "</attribute><attribute name=\"type\">high</attribute></el></track></body></annotation>")
    #expect(anvil.segments.map(\.form) == [nil])
  }

  @Test("What is named for a form without marks is refused; words beside forms are asked for")
  func formsWithoutMarks() throws {
    let texts = [
      "start,end,label,sag\n0,1,high,2\n2,3,high,0\n",
      #"[{"start": 0, "end": 1, "label": "high", "sag": "mild"}]"#,
    ]
    for text in texts {
      try LabelRefusal(text: text, words: ["`sag` is", "may not be a mark", "give"]).expect()
    }
    try LabelRefusal(
      text: "start,end,label,hip\n0,1,high,level\n2,3,high,sagging\n",
      words: ["--label \"high/level=CLASS\""]
    ).expect()
    let angle = try readLabels("start,end,label,sag_deg\n0,1,high,2.5\n2,3,high,14\n")
    #expect(angle.notes.contains { $0.contains("not read: the columns `sag_deg`") })
  }

  @Test(
    "Two forms of one label are asked for",
    arguments: [
      "start,end,label,sag,pike\n0,1,high,1,1\n",
      #"[{"start": 0, "end": 1, "label": "high", "form": ["sag", "pike"]}]"#,
    ])
  func twoForms(text: String) throws {
    try LabelRefusal(text: text, words: ["--label \"high/pike+sag=CLASS\""]).expect()
  }

  @Test("Marks in a tier or an attribute that is named for a form are that form")
  func formMarks() throws {
    let tiers = try readLabels(
      "tier,start,end,label\npose,0,4,high\nsag,0,1,no\nsag,1,2,yes\nsag,2,4,no\n")
    #expect(tiers.segments.map(\.form) == [nil, .sag, nil])
    func box(_ frame: Int, _ sag: Bool) -> String {
      "<box frame=\"\(frame)\" outside=\"0\"><attribute name=\"sag\">\(sag)</attribute></box>"
    }
    let track = try readLabels(
      "<annotations><track label=\"high\">\(box(0, true))\(box(10, false))</track></annotations>",
      rate: 10)
    #expect(track.segments.map(\.form) == [.sag, nil])
  }

  @Test("A form with a doubt is asked for")
  func doubtedForm() throws {
    try LabelRefusal(
      text: "start,end,label,form\n1,2,high,sag?\n3,4,forearm,pike\n",
      words: ["--label \"high/sag?=CLASS\""]
    ).expect()
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
    let labels = try readLabels(
      "<annotation><body><track name=\"a\">\(elements.joined())</track></body></annotation>")
    #expect(labels.segments.map(\.plank) == [PlankClass.none, .high, .forearm, .high])
    #expect(labels.segments.map(\.form) == [nil, .sag, .pike, nil])
  }
}

@Suite("Ordinary tables beside doubtful ones") struct OrdinaryLabelsTests {
  static let refusals: [LabelRefusal] = [
    LabelRefusal(
      text: "start,end,label,target\n0,1,set up,forearm plank\n1,2,hold,forearm plank\n",
      words: ["no class is given", "`set up`"]),
    LabelRefusal(
      text: "video,start,end,label\nhigh_plank,0,1,set up\nhigh_plank,1,2,hold\n",
      words: ["no class is given", "`set up`"]),
    LabelRefusal(
      text:
        "start,end,label,view\n10,11,none,left\n12,13,high,left\n0,1,none,right\n2,3,high,right\n",
      words: ["the column `view` has 2 values"]),
    LabelRefusal(
      text: "tier,start,end,label\npose,0,4,high\nsag,1,2,mild\n",
      words: ["no class is given", "`mild`"]),
    LabelRefusal(
      text: "tier,start,end,label\nhigh plank,0,1,no\nhigh plank,2,3,no\n",
      words: ["every label in `high plank` says no"]),
    LabelRefusal(
      text: "time,predicted_high,predicted_none\n0,1,0\n1,0,1\n2,0,1\n", words: ["predicted_high"]),
    LabelRefusal(
      text: "start_s,start_ms,end_s,end_ms,label\n0,500,1,0,none\n2,600,3,200,high\n",
      words: ["`start_s` and `start_ms` differ", "--columns \"START,END,LABEL\""]),
    LabelRefusal(
      text: "start,end,label,sampling_rate\n0,150,none,100\n200,300,high,100\n",
      words: ["names 100 samples per second"]),
    LabelRefusal(
      text: "10:00,10:02,none\n10:02,10:05,high\n", span: 18, words: ["--offset -600.0"]),
  ]

  @Test("What the columns beside labels say is not taken for labels", arguments: refusals)
  func refused(_ refusal: LabelRefusal) throws { try refusal.expect() }

  static let read: [(text: String, labels: String)] = [
    ("tier,start,end,label\nhigh plank,0,1,no\nhigh plank,1,2,yes\n", "1-2 high"),
    (
      "start,stop,start_frame,stop_frame,label\n0,1,0,60,none\n2,3,60,90,high\n",
      "0-1 none, 2-3 high"
    ),
    (
      #"[{"start_s": 92, "start_min": 1.5, "end_s": 95, "end_min": 1.6, "label": "high"}]"#,
      "92-95 high"
    ),
    ("start,end,label\n#end of file, checked,x\n0,1,none\n", "0-1 none"),
    ("time,label\n#recorded by Ann, camera 2\n0,none\n1,none\n2,high\n", "0-2 none, 2-3 high"),
    ("track,start,end,label\nplank,0,4,high\nform,1,4,sag\n", "0-1 high, 1-4 high/sag"),
    (
      "url,start,end,label\nhttps://v.org/a?t=0,0,1,none\nhttps://v.org/a?t=2,2,3,high\n",
      "0-1 none, 2-3 high"
    ),
    ("start,end,label,sag\n0,1,high,NA\n2,3,high,1\n", "0-1 high, 2-3 high/sag"),
    (#"[{"time": 5, "offset": 7, "label": "high"}]"#, "5-7 high"),
    (
      #"[{"frame": 0, "label": "high", "form": "sag"}, {"frame": 1, "label": "high", "form": "sag"}, "#
        + #"{"frame": 2, "label": "high", "form": "sag"}]"#,
      "0-1 high/sag"
    ),
    ("[[0,1,\"high [ok]\"],[2,3,\"high\"]]", "0-1 high, 2-3 high"),
  ]

  @Test("Tables without a doubt are read as before", arguments: read)
  func unchanged(_ text: String, _ labels: String) throws {
    let isOfFrames = text.contains("\"frame\"")
    let read = try readLabels(
      text, labels: ["high [ok]=high"], unit: isOfFrames ? .frames : nil, rate: isOfFrames ? 2 : nil
    )
    let found = read.segments.map { segment in
      func short(_ time: Seconds) -> String { "\(Int(time.value))" }
      let form = segment.form.map { "/\($0.name)" } ?? ""
      return "\(short(segment.start))-\(short(segment.end)) \(segment.plank?.name ?? "")\(form)"
    }
    #expect(found.joined(separator: ", ") == labels)
  }

  @Test("A side beside the label needs no option of its own if the label has one")
  func side() throws {
    let read = try readLabels(
      "start,end,label,side\n0,1,side plank,left\n2,3,side plank,left\n",
      labels: ["side plank=sideLeft"])
    #expect(read.segments.map(\.plank) == [.sideLeft, .sideLeft])
  }
}
