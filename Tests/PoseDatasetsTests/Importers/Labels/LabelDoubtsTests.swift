import PoseDatasets
import PoseModel
import Testing

@Suite("Labels that may be misread") struct LabelDoubtsTests {
  private static let annotators =
    #"[{"video": "a.mp4", "annotator": 1, "x": [{"ranges": [{"start": 1, "end": 30}], "timelinelabels": ["none"]}]}, "#
    + #"{"video": "a.mp4", "annotator": 2, "x": [{"ranges": [{"start": 1, "end": 60}], "timelinelabels": ["none"]}]}]"#

  static let movedTimes: [Refuses] = [
    Refuses(
      #"{"sampling_rate": 100, "labels": [{"start": 0, "end": 150, "label": "high"}]}"#,
      "names 100 samples per second", "--unit frames --rate 100, or --unit s"),
    Refuses(
      "<labels offset=\"2.5\"><label start=\"0\" end=\"1\" class=\"high\"/></labels>",
      "labels start before `offset`", "--offset 2.5", "--offset 0"),
    Refuses(
      #"{"trim_start": 2, "labels": [{"start": 0.5, "end": 1, "label": "high"}]}"#,
      "labels start before `trim_start`"),
    Refuses(
      "start,end,label\n45415.5,45415.50005,none\n45415.50008,45415.5001,high\n",
      "a spreadsheet's dates", "--unit days", "--offset -3923899200.0 puts", span: 18),
    Refuses(
      "start,end,label\n0:00:50,0:01:20,none\n0:02:00,0:03:40,high\n", "ends at 220.0 s",
      "write 1:15.50 instead of 1:15:50", span: 5),
    Refuses(
      "start_s,start_ms,end_s,end_ms,label\n0,500,1,0,none\n2,0,3,200,high\n",
      "`start_s` and `start_ms` differ", "write their sum"),
    Refuses(
      #"[{"start_min": 1, "start_sec": 15, "end_min": 2, "end_sec": 0, "label": "high"}]"#,
      "differ, as if each were a part of one time"),
    Refuses("none\nnone\n\nhigh\nhigh\n", "a.txt:3: the line is blank", "write `ignore`"),
    Refuses("label\nnone\nnone\n-\nhigh\nhigh\n", "a.txt:4: the line is blank"),
    Refuses("start,end,label\n0,1,none\n#REF!,3,high\n", "a.txt:3", "such as #REF!"),
    Refuses(
      "start,end,exercise,side\n0,1,side plank,left\n2,3,side plank,right\n4,5,no plank,\n",
      "--label \"side plank <left>=CLASS\"", "--label \"side plank <right>=CLASS\""),
    Refuses(
      #"[{"start": 0, "end": 1, "label": "side plank", "arm": "left"}, "#
        + #"{"start": 2, "end": 3, "label": "side plank", "arm": "right"}]"#,
      "--label \"side plank <left>=CLASS\"", "--label \"side plank <right>=CLASS\""),
    // Labels of another tier without a class are listed, with the tiers.
    Refuses(
      "tier,start,end,label\npose,0,4,high\nsound,5,6,beep\n", "--label \"beep=CLASS\"",
      "choose one tier: --tier \"pose\" or --tier \"sound\""),
    Refuses(
      "start,end,exercise,effort\n0,1,Stütz,high\n2,3,Pause,none\n", "--label \"Stütz=CLASS\""),
    // Of an end and a duration that contradict each other, neither is dropped.
    Refuses(
      "start,end,duration,label\n0,3,3,none\n3,10,9,high\n", "a.txt:3",
      "`end` is not `start` plus `duration`", "--columns \"start,end,label\""),
    // Rows below merged cells are not left out.
    Refuses(
      "video,start,end,label\na,0,1,none\n,2,3,high\nb,0,1,none\n", "a.txt:3", "`video` is empty",
      "fill merged cells down"),
    Refuses(
      "coach,athlete,start,end,label\nx,ann,0,1,none\nx,,2,3,high\nx,bea,4,5,none\n", "a.txt:3",
      "`athlete` is empty below `ann`", "fill merged cells down"),
    // A file in which every label is taken back.
    Refuses("start,end,label,deleted\n0,1,none,1\n", "deleted or rejected"),
    Refuses(
      #"[{"start": 0, "end": 1, "label": "none", "deleted": true}]"#, "deleted or rejected"),
    Refuses(annotators, "`annotator` has 2 values"),
    // A printed option means its value in a shell, also behind a minus sign.
    Refuses("0\t1\t-high\n", "add --label=\"-high=CLASS\""),
    Refuses("0\t1\t!it's\n", #"add --label '!it'\''s=CLASS'"#),
    Refuses("0\t1\ta$b`c\n", #"add --label "a\$b\`c=CLASS""#),
    Refuses("tier,start,end,label\n-a,0,1,none\nb,2,3,high\n", "--tier=\"-a\" or --tier \"b\""),
    // What is named for a form without marks, words beside forms, two forms, and a form with a doubt.
    Refuses(
      "start,end,label,sag\n0,1,high,2\n2,3,high,0\n", "`sag` is", "may not be a mark", "give"),
    Refuses(
      #"[{"start": 0, "end": 1, "label": "high", "sag": "mild"}]"#, "`sag` is", "may not be a mark",
      "give"),
    Refuses(
      "start,end,label,hip\n0,1,high,level\n2,3,high,sagging\n", "--label \"high/level=CLASS\""),
    Refuses("start,end,label,sag,pike\n0,1,high,1,1\n", "--label \"high/pike+sag=CLASS\""),
    Refuses(
      #"[{"start": 0, "end": 1, "label": "high", "form": ["sag", "pike"]}]"#,
      "--label \"high/pike+sag=CLASS\""),
    Refuses(
      "start,end,label,form\n1,2,high,sag?\n3,4,forearm,pike\n", "--label \"high/sag?=CLASS\""),
  ]

  static let unclearTimes = [
    Refuses(
      #"{"fps": 10, "x": [{"start": 0, "end": 5, "label": "none"}]}"#, "10 frames per second",
      "--unit frames, or --unit s"),
    Refuses("start,end,label\n50.5,58,none\n1.02,1.2,high\n", ":3", "write 1:02", "--unit s"),
    Refuses(
      "start,end,label\n0:01:00,0:02:00,none\n0:03:00,0:05:00,high\n1:06:00,1:07:00,none\n",
      "whole minutes", "--recording FILE", "--unit time"),
    Refuses(
      "Aloitus;Loppu;Label\n0;16;none\n28;52;high\n60;92;none\n", "`Aloitus`, `Loppu`",
      "--columns \"Aloitus,Loppu,Label\""),
    Refuses("Startbild;Endbild;Label\n0;16;none\n28;52;high\n", "`Startbild`", "--rate"),
    Refuses(
      "start,end,start_time,end_time,label\n0,16,0,2,none\n28,52,3.5,6.5,high\n",
      "`start` and `start_time`", "--columns"),
  ]

  static let offsets = [
    Refuses(
      "time_offset,start,end,label\n2,0.5,1,none\n2,3,4,high\n", "`time_offset` is 2.0",
      "--offset 2.0", "--offset 0"),
    Refuses(
      "start,end,offset,label\n0,1,2,none\n3,4,2,high\n", "`offset` is 2.0", "--offset 2.0",
      "--offset 0"),
    Refuses(
      "\"#file:///a.mp4 -- offset: 2500\"\nstart,end,label\n0,1,none\n", "offset: 2500",
      "--offset 2.5"),
    Refuses(
      #"{"clips": [{"video_start_sec": 4.5, "labels": ["#
        + #"{"start": 0, "end": 2, "label": "none"}]}]}"#, "`video_start_sec`, which is 4.5",
      "--offset 4.5", "--offset 0"),
    Refuses(
      #"[{"start": 0, "end": 2, "video_start": 4, "video_end": 6, "label": "none"}]"#,
      "`start` and `video_start`", "--columns"),
  ]

  @Test(
    "Times that would move, and labels of two readings, are asked for",
    arguments: movedTimes + unclearTimes + offsets)
  func refused(_ refusal: Refuses) throws { try refusal.expect() }

  private static func box(_ frame: Int, _ sag: Bool) -> String {
    "<box frame=\"\(frame)\" outside=\"0\"><attribute name=\"sag\">\(sag)</attribute></box>"
  }

  /// A track of Anvil, with the attributes of each element, which lasts a second.
  private static func anvil(_ elements: [(start: Int, attributes: KeyValuePairs<String, String>)])
    -> String
  {
    let texts = elements.map { start, attributes in
      "<el start=\"\(start)\" end=\"\(start + 1)\">"
        + attributes.map { "<attribute name=\"\($0.key)\">\($0.value)</attribute>" }.joined()
        + "</el>"
    }
    return "<annotation><body><track name=\"a\">\(texts.joined())</track></body></annotation>"
  }

  static let read = [
    // A speed of the video is not read, and that is said; a spreadsheet's dates count days.
    Reads(
      #"{"playback_rate": 0.5, "labels": [{"start": 0.5, "end": 1, "label": "high"}]}"#,
      "0.5-1 high",
      says: "not read: the fields `playback_rate`"),
    Reads(
      "start,end,label\n45415.5,45415.50005,none\n45415.50008,45415.5001,high\n",
      "0-4.32 none, 6.912-8.64 high", offset: -3_923_899_200, unit: .days),
    // Tiers are one annotation if one holds forms, or each holds the class it is named for.
    Reads(
      "tier,start,end,label\npose,0,4,high\nhips,1,2,sag\n", "0-1 high, 1-2 high/sag, 2-4 high",
      says: "they are of `hips`"),
    Reads(
      "tier,start,end,label\nHigh plank,0,1,high\nnone,2,3,none\n", "0-1 high, 2-3 none",
      says: "`High plank`, `none` are joined"),
    // The only column or field of classes is that of the labels.
    Reads(
      "type,from,to,pose shown\nSTATE,0,1,no plank\nSTATE,2,3,high plank\n", "0-1 none, 2-3 high",
      says: "`pose shown`"),
    Reads(
      #"[{"start": 0, "end": 1, "sentence": "high plank", "seen by": "x"}, "#
        + #"{"start": 2, "end": 3, "sentence": "no plank", "seen by": "y"}, "#
        + #"{"start": 4, "end": 5, "sentence": "no plank", "seen by": "y"}]"#,
      "0-1 high, 2-3 none, 4-5 none", says: "not read: the fields `seen by`"),
    // Clock times are read under a name of any clock, and a unit that the file names is used.
    Reads("Start (m:ss),Stop (m:ss),label\n0:01,1:05,none\n", "1-65 none"),
    Reads(
      #"{"unit": "frames", "fps": 10, "x": [{"start": 0, "end": 50, "label": "none"}]}"#, "0-5 none"
    ),
    Reads(#"{"timeUnit": "ms", "x": [{"start": 0, "end": 5000, "label": "none"}]}"#, "0-5 none"),
    Reads("start,end,label,unit\n0,5000,none,ms\n", "0-5 none"),
    Reads(
      "start_frame,end_frame,fps,label\n0,45,15,none\n60,90,15,high\n", "0-1.5 none, 2-3 high",
      says: "the file names 15 frames per second, but --rate is 30", rate: 30),
    // An offset answers one that the file states, also with 0, and so do the columns.
    Reads(offsets[0].text, "0.5-1 none, 3-4 high", offset: 0),
    Reads(
      offsets[4].text, "4-6 none",
      columns: SegmentColumns(start: "video_start", end: "video_end", label: "label")),
    // Times that count from a clip's start are moved; other numbers of times are named.
    Reads(
      "clip_start,start,end,label\n4.5,0.0,2.5,high\n4.5,3.5,5.5,none\n", "4.5-7 high, 8-10 none",
      says: "`clip_start` is added"),
    Reads(
      "clip_start,start,end,label\n4.5,5.0,6.5,high\n4.5,7.5,8.5,none\n",
      "5-6.5 high, 7.5-8.5 none",
      says: "not read: the columns `clip_start`"),
    Reads(
      #"[{"clip_offset": 1, "start": 2.5, "end": 4, "label": "none"}]"#, "2.5-4 none",
      says: "not read: the fields `clip_offset`"),
    // Labels that their annotator took back are left out, and counted.
    Reads(
      "start,end,label,deleted\n0,1,none,0\n1,2,high,1\n3,4,high,0\n", "0-1 none, 3-4 high",
      says: "1 row left out, taken back in"),
    Reads(
      "start,end,label,status\n0,1,none,accepted\n1,2,high,Rejected\n3,4,high,accepted\n",
      "0-1 none, 3-4 high", says: "1 row left out, taken back in"),
    Reads(
      #"[{"start": 0, "end": 1, "label": "none", "deleted": false}, {"start": 1, "end": 2, "#
        + #""label": "high", "deleted": true}, {"start": 3, "end": 4, "label": "high"}]"#,
      "0-1 none, 3-4 high", says: "1 object left out, taken back in"),
    // A frame that is left out does not shift the frames after it.
    Reads(
      "label,deleted\n"
        + (0..<30).map { "\($0 < 20 ? "none" : "high"),\($0 == 10 ? 1 : 0)\n" }.joined(),
      "0-1 none, 1.1-2 none, 2-3 high", rate: 10),
    Reads(annotators, "0-2 none", rate: 30, tier: "2"),
    // A quote within a field does not join lines.
    Reads(
      "start,end,label,who\n0,1,none,5'10\"\n2,3,high,5'10\"\n", "0-1 none, 2-3 high"),
    // Dashes between words are no doubt.
    Reads("0\t1\thigh-plank\n", "0-1 high"), Reads("0\t1\thigh plank - sag\n", "0-1 high/sag"),
    Reads(
      "start,end,label,sag_deg\n0,1,high,2.5\n2,3,high,14\n", "0-1 high, 2-3 high",
      says: "not read: the columns `sag_deg`"),
    // Marks in a tier or an attribute that is named for a form are that form.
    Reads(
      "tier,start,end,label\npose,0,4,high\nsag,0,1,no\nsag,1,2,yes\nsag,2,4,no\n",
      "0-1 high, 1-2 high/sag, 2-4 high"),
    Reads(
      "<annotations><track label=\"high\">\(box(0, true))\(box(10, false))</track></annotations>",
      "0-1 high/sag, 1-1.1 high", rate: 10),
    // All attributes of Anvil's elements are read.
    Reads(
      anvil([
        (0, ["light": "good", "plank": "none"]),
        (2, ["light": "good", "plank": "high", "form": "sag"]),
        (4, ["form": "hips piked", "plank": "forearm"]), (6, ["light": "good", "plank": "high"]),
      ]), "0-1 none, 2-3 high/sag, 4-5 forearm/pike, 6-7 high"),
  ]

  @Test("What has one reading is read, and what is left out is said", arguments: read)
  func reads(_ sample: Reads) throws { try sample.expect() }

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
    try Refuses(
      text, "`ann`, `bea`", "choose one tier: --tier \"ann\" or --tier \"bea\"", "--tier \"*\""
    ).expect()
    #expect(try readLabels(text, tier: "ann").segments.first?.plank == PlankClass.none)
    let all = try readLabels(text, tier: "*")
    #expect(all.notes.contains { $0.contains("the tiers `ann`, `bea` are joined") })
    #expect(all.segments.count > 1)
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
    try Refuses(text, "`ann`, `bea`", "choose one with --tier NAME").expect()
    #expect(try readLabels(text, tier: "bea").segments.map(\.plank) == [.high])
  }

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

  static let strangeUnits =
    [
      "start %", "Start (%)", "start_pct", "Start (m.ss)", "Start (mmss)", "Start (hh:mm:ss)",
      "start_m",
    ]
    .map { start in
      let end = start.replacing("tart", with: "top")
      return Refuses("\(start),\(end),label\n0,5,none\n7,9.1,high\n", "`\(start)`", "--unit s")
    } + [
      Refuses(#"[{"start_pct": 0, "end_pct": 5, "label": "none"}]"#, "start_pct", "--unit s"),
      Refuses(
        #"{"timeUnit": "ticks", "x": [{"start": 0, "end": 5, "label": "none"}]}"#, "`ticks`",
        "--unit s"),
      Refuses("start,end,label,unit\n0,5,none,ticks\n", "`unit`", "--unit s"),
    ]

  @Test("Plain numbers in a unit that is not known are refused", arguments: strangeUnits)
  func strangeUnit(_ refusal: Refuses) throws {
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

  @Test("Versions are named, and one of them is chosen")
  func versions() throws {
    let reader = LabelTextReader(options: try LabelTextOptions())
    let table = "version,start,end,label\ndraft,0,1,none\ndraft,2,3,high\nfinal,0,2,none\n"
    var sheet = try reader.sheet(from: NamedText(name: "t.csv", text: table))
    let error = try #require(throws: PoseSourceError.self) { try sheet.keep(recording: "anna-1") }
    #expect(error.description.contains("`version` has 2 values"), "\(error)")
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

  @Test(
    "A doubted or denied class is no class",
    arguments: [
      "!high", "\u{AC}high", "-high", "~high", "no plank?", "high plank?", "high plank sag?",
      "high -sag", "side plank left", "side_plank_right",
    ])
  func doubted(label: String) throws {
    try Refuses("0\t1\t\(label)\n", "no class is given for `\(label)`").expect()
  }

  @Test(
    "A form that was said of another time or in a comment is not the form",
    arguments: ["previous", "comment", "next_form", "Notes"])
  func remarks(column: String) throws {
    let table = "start,end,label,\(column)\n1,2,high,sag\n3,4,forearm,pike\n"
    #expect(try readLabels(table).summary == "1-2 high, 3-4 forearm")
    let json = #"[{"start": 1, "end": 2, "label": "high", "\#(column)": "sag"}]"#
    #expect(try readLabels(json).summary == "1-2 high")
    #expect(
      try readLabels(Self.anvil([(0, [column: "sag", "type": "high"])])).summary == "0-1 high")
  }
}

@Suite("Ordinary tables beside doubtful ones") struct OrdinaryLabelsTests {
  static let refusals: [Refuses] = [
    Refuses(
      "start,end,label,target\n0,1,set up,forearm plank\n1,2,hold,forearm plank\n",
      "no class is given", "`set up`"),
    Refuses(
      "video,start,end,label\nhigh_plank,0,1,set up\nhigh_plank,1,2,hold\n", "no class is given",
      "`set up`"),
    Refuses(
      "start,end,label,view\n10,11,none,left\n12,13,high,left\n0,1,none,right\n2,3,high,right\n",
      "the column `view` has 2 values"),
    Refuses(
      "tier,start,end,label\npose,0,4,high\nsag,1,2,mild\n", "no class is given", "`mild`"),
    Refuses(
      "tier,start,end,label\nhigh plank,0,1,no\nhigh plank,2,3,no\n",
      "every label in `high plank` says no"),
    Refuses("time,predicted_high,predicted_none\n0,1,0\n1,0,1\n2,0,1\n", "predicted_high"),
    Refuses(
      "start_s,start_ms,end_s,end_ms,label\n0,500,1,0,none\n2,600,3,200,high\n",
      "`start_s` and `start_ms` differ", "--columns \"START,END,LABEL\""),
    Refuses(
      "start,end,label,sampling_rate\n0,150,none,100\n200,300,high,100\n",
      "names 100 samples per second"),
    Refuses("10:00,10:02,none\n10:02,10:05,high\n", "--offset -600.0", span: 18),
  ]

  @Test("What the columns beside labels say is not taken for labels", arguments: refusals)
  func refused(_ refusal: Refuses) throws { try refusal.expect() }

  static let read = [
    Reads("tier,start,end,label\nhigh plank,0,1,no\nhigh plank,1,2,yes\n", "1-2 high"),
    Reads(
      "start,stop,start_frame,stop_frame,label\n0,1,0,60,none\n2,3,60,90,high\n",
      "0-1 none, 2-3 high"),
    Reads(
      #"[{"start_s": 92, "start_min": 1.5, "end_s": 95, "end_min": 1.6, "label": "high"}]"#,
      "92-95 high"),
    Reads("start,end,label\n#end of file, checked,x\n0,1,none\n", "0-1 none"),
    Reads("time,label\n#recorded by Ann, camera 2\n0,none\n1,none\n2,high\n", "0-2 none, 2-3 high"),
    Reads("track,start,end,label\nplank,0,4,high\nform,1,4,sag\n", "0-1 high, 1-4 high/sag"),
    Reads(
      "url,start,end,label\nhttps://v.org/a?t=0,0,1,none\nhttps://v.org/a?t=2,2,3,high\n",
      "0-1 none, 2-3 high"),
    Reads("start,end,label,sag\n0,1,high,NA\n2,3,high,1\n", "0-1 high, 2-3 high/sag"),
    Reads(#"[{"time": 5, "offset": 7, "label": "high"}]"#, "5-7 high"),
    Reads(
      #"[{"frame": 0, "label": "high", "form": "sag"}, {"frame": 1, "label": "high", "form": "sag"}, "#
        + #"{"frame": 2, "label": "high", "form": "sag"}]"#, "0-1.5 high/sag", unit: .frames,
      rate: 2),
    Reads("[[0,1,\"high [ok]\"],[2,3,\"high\"]]", "0-1 high, 2-3 high", labels: ["high [ok]=high"]),
    // A side beside the label needs no option of its own if the label has one.
    Reads(
      "start,end,label,side\n0,1,side plank,left\n2,3,side plank,left\n",
      "0-1 sideLeft, 2-3 sideLeft", labels: ["side plank=sideLeft"]),
  ]

  @Test("Tables without a doubt are read as before", arguments: read)
  func unchanged(_ sample: Reads) throws { try sample.expect() }
}
