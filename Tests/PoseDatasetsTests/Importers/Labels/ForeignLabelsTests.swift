import PoseDatasets
import PoseModel
import Testing

/// Texts as other programs write them, with the same labels: pympi-ling 1.71 (ELAN), praatio 6.2.2
/// and tgt 1.5 (TextGrid), srt 3.5.3, webvtt-py 0.6.0, pandas 3.1.1; BORIS, Label Studio, Create ML,
/// CVAT and Anvil by their documentation.
@Suite("Labels of other programs") struct ForeignLabelsTests {
  /// The file of a program, with the frames per second that it needs.
  private static func file(_ name: String, _ text: String, rate: Double? = nil) -> Reads {
    Reads(
      text, "0-1 none, 2.2-3.7 high, 4.5-7 forearm/sag",
      labels: ["low=forearm/sag", "beep=ignore"], rate: rate, named: name)
  }

  static let tables = [
    file(
      "Audacity, decimal commas",
      "0,000000\t1,000000\tnone\n2,200000\t3,700000\thigh plank\n4,500000\t7,000000\tlow\n"),
    file(
      "BORIS, aggregated",
      "Observation id\tFPS\tBehavior\tBehavior type\tTime offset (s)\tStart (s)\tStop (s)\n"
        + "s01\t30.0\tnone\tSTATE\t0.0\t0.000\t1.000\n" + "s01\t30.0\tbeep\tPOINT\t0.0\t1.5\tNA\n"
        + "s01\t30.0\tHigh_Plank\tSTATE\t0.0\t2.200\t3.700\n"
        + "s01\t30.0\tlow\tSTATE\t0.0\t4.500\t7.000\n"),
    file(
      "BORIS, events",
      "Observation id\ts01\n\nPlayer #1\ts01.mp4\n\n"
        + "Time\tMedia file path\tFPS\tSubject\tBehavior\tComment\tStatus\n"
        + "0.0\ts01.mp4\t30\t\tnone\t\tSTART\n1.0\ts01.mp4\t30\t\tnone\t\tSTOP\n"
        + "1.5\ts01.mp4\t30\t\tbeep\t\tPOINT\n2.2\ts01.mp4\t30\t\thigh\t\tSTART\n"
        + "3.7\ts01.mp4\t30\t\thigh\t\tSTOP\n4.5\ts01.mp4\t30\t\tlow\t\tSTART\n"
        + "7.0\ts01.mp4\t30\t\tlow\t\tSTOP\n"),
    file(
      "ELAN, three units",
      "Tier\t\tBegin Time - hh:mm:ss.ms\tBegin Time - ss.msec\tEnd Time - hh:mm:ss.ms\t"
        + "End Time - ss.msec\tAnnotation\n"
        + "plank\t\t00:00:00.000\t0.0\t00:00:01.000\t1.0\tnone\n"
        + "plank\t\t00:00:02.200\t2.2\t00:00:03.700\t3.7\thigh\n"
        + "plank\t\t00:00:04.500\t4.5\t00:00:07.000\t7.0\tlow\n"),
    file(
      "ELAN, no header",
      "t\t\t00:00:00.000\t0.0\t00:00:01.000\t1.0\tnone\n"
        + "t\t\t00:00:02.200\t2.2\t00:00:03.700\t3.7\thigh\n"
        + "t\t\t00:00:04.500\t4.5\t00:00:07.000\t7.0\tlow\n"),
    file(
      "milliseconds by name",
      "Begin Time - msec\tEnd Time - msec\tplank\n0\t1000\tnone\n2200\t3700\thigh\n"
        + "4500\t7000\tlow\n"),
    file(
      "semicolons, decimal commas, a mark",
      "\u{FEFF}sep=;\r\nVideo;Start;End;Label\r\ns01.mp4;0,0;1,0;none\r\n"
        + "s01.mp4;2,2;3,7;high\r\n\r\ns01.mp4;4,5;7,0;low\r\n"),
    file(
      "a clock, comments",
      "# by hand\nFrom,To,Action\n0:00,0:01,none\n# later\n0:02.2,0:03.7,high\n"
        + "0:04.5,0:07,low\n"),
    file(
      "onset and duration",
      "onset\tduration\ttrial_type\n0\t1\tnone\n2.2\t1.5\thigh\n4.5\t2.5\tlow\n"),
    file(
      "frames", "Activity,Start Frame,Stop Frame\nnone,0,30\nhigh plank,66,111\nlow,135,210\n",
      rate: 30),
    file("not in order", "start,end,label\n4.5,7,low\n0,1,none\n2.2,3.7,high\n"),
  ]

  static let elan = """
    <?xml version="1.0"?>
    <ANNOTATION_DOCUMENT><HEADER TIME_UNITS="milliseconds"/><TIME_ORDER>
    <TIME_SLOT TIME_SLOT_ID="ts0" TIME_VALUE="0"/><TIME_SLOT TIME_SLOT_ID="ts1" TIME_VALUE="1000"/>
    <TIME_SLOT TIME_SLOT_ID="ts2" TIME_VALUE="2200"/>
    <TIME_SLOT TIME_SLOT_ID="ts3" TIME_VALUE="3700"/>
    <TIME_SLOT TIME_SLOT_ID="ts4" TIME_VALUE="4500"/>
    <TIME_SLOT TIME_SLOT_ID="ts5" TIME_VALUE="7000"/></TIME_ORDER><TIER TIER_ID="plank">
    <ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a1" TIME_SLOT_REF1="ts0" TIME_SLOT_REF2="ts1">
    <ANNOTATION_VALUE>none</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>
    <ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a2" TIME_SLOT_REF1="ts2" TIME_SLOT_REF2="ts3">
    <ANNOTATION_VALUE>high</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>
    <ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a3" TIME_SLOT_REF1="ts4" TIME_SLOT_REF2="ts5">
    <ANNOTATION_VALUE>low</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>
    </TIER></ANNOTATION_DOCUMENT>
    """

  static let textGrid = """
    File type = "ooTextFile"
    Object class = "TextGrid"

    xmin = 0
    xmax = 7
    tiers? <exists>
    size = 1
    item []:
        item [1]:
            class = "IntervalTier"
            name = "p"
            xmin = 0
            xmax = 7
            intervals: size = 4
            intervals [1]:
                xmin = 0
                xmax = 1
                text = "none"
            intervals [2]:
                xmin = 1
                xmax = 2.2
                text = ""
            intervals [3]:
                xmin = 2.2
                xmax = 3.7
                text = "high"
            intervals [4]:
                xmin = 4.5
                xmax = 7
                text = "low"
    """

  static let cvat = """
    <annotations>
    <track label="none"><box frame="0" outside="0"/><box frame="30" outside="1"/></track>
    <track label="high"><box frame="66" outside="0"/><box frame="111" outside="1"/></track>
    <track label="low"><box frame="135" outside="0"/><box frame="210" outside="1"/></track>
    </annotations>
    """

  static let anvil = """
    <annotation><body><track name="hips > knees">
    <el start="0" end="1"><attribute name="t">none</attribute></el>
    <el start="2.2" end="3.7"><attribute name="t">high</attribute></el>
    <el start="4.5" end="7"><attribute name="t">low</attribute></el>
    </track></body></annotation>
    """

  static let documents = [
    file(
      "Label Studio, frames from 1",
      #"[{"data": {"video": "c.mp4"}, "annotations": [{"result": ["#
        + #"{"value": {"ranges": [{"start": 1, "end": 30}], "timelinelabels": ["none"]}}, "#
        + #"{"value": {"ranges": [{"start": 67, "end": 111}], "timelinelabels": ["high"]}}, "#
        + #"{"value": {"ranges": [{"start": 136, "end": 210}], "timelinelabels": ["low"]}}]}], "#
        + #""predictions": [{"result": [{"value": {"start": 0, "end": 9, "labels": ["x"]}}]}]}]"#,
      rate: 30),
    file(
      "Label Studio, CSV",
      "id,tricks,video\n1,\""
        + #"[{""ranges"":[{""start"":1,""end"":30}],""timelinelabels"":[""none""]},"#
        + #"{""ranges"":[{""start"":67,""end"":111}],""timelinelabels"":[""high""]},"#
        + #"{""ranges"":[{""start"":136,""end"":210}],""timelinelabels"":[""low""]}]"#
        + "\",c.mp4\n", rate: 30),
    file(
      "Create ML",
      #"[{"video": "c.mp4", "label": "none", "start": 0, "end": "0:01"}, "#
        + #"{"video": "c.mp4", "label": "high", "start": "0:02.2", "end": "0:03.7"}, "#
        + #"{"video": "c.mp4", "label": "low", "start": 4.5, "end": 7}]"#),
    file(
      "pandas, columns",
      #"{"start":{"0":0,"1":2.2,"2":4.5},"end":{"0":1,"1":3.7,"2":7},"#
        + #""label":{"0":"none","1":"high","2":"low"}}"#),
    file(
      "praatio, JSON",
      #"{"xmin": 0, "xmax": 7, "tiers": [{"class": "IntervalTier", "name": "p", "entries": "#
        + #"[[0, 1, "none"], [1, 2.2, ""], [2.2, 3.7, "high"], [4.5, 7, "low"]]}]}"#),
    file("ELAN, XML", elan),
    file("TextGrid, long", textGrid),
    file(
      "TextGrid, short",
      "File type = \"ooTextFile\"\nObject class = \"TextGrid\"\n\n0\n7\n<exists>\n1\n"
        + "\"IntervalTier\"\n\"p\"\n0\n7\n3\n0\n1\n\"none\"\n2.2\n3.7\n\"high\"\n4.5\n7\n\"low\"\n"),
    file(
      "SubRip",
      "1\r\n00:00:00,000 --> 00:00:01,000\r\nnone\r\n\r\n2\r\n00:00:02,200 --> 00:00:03,700"
        + "\r\nhigh\r\n\r\n3\r\n00:00:04,500 --> 00:00:07,000\r\nlow\r\n"),
    file(
      "WebVTT",
      "WEBVTT\n\n00:00.000 --> 00:01.000 align:start\n<v A>none</v>\n\n"
        + "00:02.200 --> 00:03.700\nhigh\n\n00:04.500 --> 00:07.000\nlow\n"),
    file("CVAT", cvat, rate: 30),
    file(
      "CVAT, images",
      "<annotations>"
        + [("none", 0..<30), ("high", 66..<111), ("low", 135..<210)].map { label, frames in
          frames.map { "<image id=\"\($0)\"><tag label=\"\(label)\"/></image>" }.joined()
        }.joined() + "</annotations>", rate: 30),
    file("Anvil", anvil),
  ]

  @Test("The same labels are read from every program's file", arguments: tables + documents)
  func programs(_ sample: Reads) throws { try sample.expect() }

  private static let frameRows =
    "frame,label\n"
    + (0..<90).map { "\($0),\($0 < 30 ? "none" : $0 < 60 ? "" : "high")\n" }.joined()

  static let frames = [
    // Rows of frames become segments.
    Reads(frameRows, "0-1 none, 2-3 high", rate: 30),
    Reads(
      "label,start_frame,end_frame\nnone,0,29\nhigh,30,59\nnone,60,89\n",
      "0-1 none, 1-2 high, 2-3 none", rate: 30),
    // Frames of a timecode are fewer than the frames of a second; numbers may be dropped.
    Reads("start,end,label\n00:00:01:15,00:00:02:29,none\n", "1.5-2.966667 none", rate: 30),
    Reads("In,Out,Label\n00:00:00:00,00:10:00:00,none\n", "0-600.600601 none", rate: 29.97),
    Reads("In,Out,Label\n00:00:00;00,00:10:00;00,none\n", "0-600 none", rate: 29.97),
    Reads("In\tOut\tName\n00;00;00;15\t00;01;00;00\thigh\n", "0.5-60 high", rate: 30),
    // Minutes, seconds and frames are not hours, minutes and seconds.
    Reads(
      "start (mm:ss:ff),end (mm:ss:ff),label\n00:01:15,01:00:00,high\n", "1.5-60 high", rate: 30),
    Reads("start_sample,end_sample,label\n0,2400,none\n", "0-0.05 none", rate: 48_000),
    // Images need not be every frame: their names have the numbers.
    Reads(
      "image,label\n" + thirds.map { "v/frame_\($0).jpg,\($1)\n" }.joined(),
      "0-1.5 none, 1.5-3 high", rate: 30),
    Reads(
      "<annotations>"
        + thirds.enumerated().map { index, frame in
          "<image id=\"\(index)\" name=\"f_\(frame.0).png\"><tag label=\"\(frame.1)\"/></image>"
        }.joined() + "</annotations>", "0-1.5 none, 1.5-3 high", rate: 30),
    // Classes in CVAT's attributes are kept, and forms in those of an image's tag.
    Reads(
      "<annotations><track label=\"person\">"
        + (0..<60).map { frame in
          "<box frame=\"\(frame)\" outside=\"0\"><attribute name=\"posture\">"
            + (frame < 30 ? "none" : "high") + "</attribute></box>"
        }.joined() + "</track></annotations>", "0-1 none, 1-2 high", rate: 30),
    Reads(
      "<annotations>"
        + (0..<30).map { frame in
          "<image id=\"\(frame)\" name=\"\(frame).jpg\"><tag label=\"high\"><attribute name=\"form\">"
            + "\(frame < 10 ? "aligned" : "sag")</attribute></tag></image>"
        }.joined() + "</annotations>", "0-1 high/aligned, 1-3 high/sag", rate: 10),
  ]

  /// Every third frame of three seconds, with its label.
  private static let thirds = stride(from: 0, to: 90, by: 3).map { ($0, $0 < 45 ? "none" : "high") }

  @Test("Numbers of frames are read with a rate", arguments: frames)
  func framesAreRead(_ sample: Reads) throws { try sample.expect() }

  static let unread = [
    Refuses(frameRows, "--unit frames --rate"),
    Refuses("start,end,label\n00:00:01:15,00:00:02:29,none\n", "a.txt:2", "--rate", rate: 25),
    Refuses("start_sample,end_sample,label\n0,2400,none\n", "samples per second"),
    Refuses("Start,End,Label\n0,0.0000578704,none\n0.0000578704,0.000115741,high\n", "--unit days"),
    Refuses("Clip,start,end,label\n0,0,5,none\n0,5,9,high\n1,9,12,none\n"),
    // Lists, images and rows of several recordings are not merged.
    Refuses(
      #"{"a": [{"label": "none", "start": 0, "end": 1}], "#
        + #""b": [{"label": "none", "start": 2, "end": 3}]}"#, "`a`, `b`", rate: 30),
    Refuses(
      "image,label\na_1.jpg,none\na_2.jpg,none\na_3.jpg,none\nb_1.jpg,none\nb_2.jpg,none\n"
        + "b_3.jpg,none\n", "`a`, `b`", rate: 30),
    Refuses(
      "<x><v id=\"a\"><s start=\"0\" end=\"1\" label=\"none\"/>"
        + "<s start=\"1\" end=\"2\" label=\"none\"/></v>"
        + "<v id=\"b\"><s start=\"2\" end=\"3\" label=\"high\"/>"
        + "<s start=\"3\" end=\"4\" label=\"high\"/></v></x>", "`a`, `b`", rate: 30),
    Refuses("x,start,end,label\na,0,1,none\na,5,9,high\nb,2,3,none\n", "`a`, `b`", rate: 30),
  ]

  @Test("Without a rate, and of several recordings, labels are not read", arguments: unread)
  func refused(_ refusal: Refuses) throws { try refusal.expect() }

  @Test(
    "Each column has the unit of its name",
    arguments: [
      ("start_s,end_ms", "1,1500"), ("start_s,duration_ms", "1,500"),
      ("begin,duration_ms", "0:01,500"), ("start_ms,duration_s", "1000,0.5"),
      ("start_min,end_s", "0.016666667,1.5"), ("start_cs,end_ds", "100,15"),
      ("start_min,start_sec,end_min,end_sec", "0,1,0,1.5"), ("start_us,end_us", "1000000,1500000"),
      ("start_ns,end_ns", "1000000000,1500000000"),
    ])
  func units(columns: String, row: String) throws {
    #expect(try readLabels("\(columns),label\n\(row),none\n").summary == "1-1.5 none")
  }

  @Test(
    "Rows of several people or sessions are not merged",
    arguments: ["subject", "Session", "trial", "annotator", "rec_id", "Participant ID"])
  func parties(column: String) throws {
    let text = "start,end,label,\(column)\n0,5,none,a\n5,9,high,a\n3,9,forearm,b\n"
    try Refuses(text, "`\(column)`", "`a`, `b`").expect()
    #expect(try readLabels(text, tier: "b").summary == "3-9 forearm")
    #expect(
      try readLabels(text.replacing(",b\n", with: ",\n").replacing("3,9", with: "9,12"))
        .segments.count == 3)
  }

  @Test("Shares of a day are known by the recording's length")
  func days() throws {
    let text = "Start,End,Label\n0,0.0000578704,none\n0.0000578704,0.000115741,high\n"
    let labels = try readLabels(text, until: 12)
    #expect((labels.segments[1].end.value - 10).magnitude < 0.001)
  }

  @Test("Frames count from 1 if the first label starts at 1; rows may have rates of their own")
  func frameRates() throws {
    let text = "video,start_frame,end_frame,fps,label\na,1,26,25,none\nb,1,31,30,high\n"
    let reader = LabelTextReader(options: try LabelTextOptions())
    let sheet = try reader.sheet(from: NamedText(name: "a.csv", text: text))
    let labels = try reader.labels(of: sheet, spans: [nil, nil])
    #expect(labels.tracks.map { $0.segments[0].start.value } == [0, 0])
    #expect(labels.tracks.map { $0.segments[0].end.value } == [1, 1])
    #expect(labels.notes.contains { $0.contains("counted from 1") })
  }

  @Test(
    "Each chapter lasts until the next one",
    arguments: [
      "0:00 none\n0:05 high plank\n0:25 none\n", "0:00\tnone\n0:05\thigh\n0:25\tnone\n",
      "[ti:Plank]\n[00:00.00]none\n[00:05.00]high\n[00:25.00]none\n",
    ])
  func chapters(text: String) throws {
    #expect(try readLabels(text).summary == "0-5 none, 5-25 high")
    #expect(try readLabels(text, until: 30).summary == "0-5 none, 5-25 high, 25-30 none")
  }

  static let read = [
    // Numbers may have marks between thousands.
    Reads("start,end,label\n900,\"1,234.5\",none\n", "900-1234.5 none"),
    Reads("start,end,label\n900,\"1.234,5\",none\n", "900-1234.5 none"),
    // A row that repeats another one is omitted, and that is said.
    Reads(
      "start,end,label\n0,5,none\n0,5,none\n5,9,high\n", "0-5 none, 5-9 high",
      says: "1 repeated row"),
    // Milliseconds without a name are known by the recording's length, and said.
    Reads(
      "start,end,label\n0,1000,none\n2200,17500,high\n", "0-1 none, 2.2-17.5 high",
      says: "milliseconds", until: 18),
    // A column that numbers the rows names no recording.
    Reads(
      "Clip,start,end,label\n0,0,5,none\n1,5,9,high\n2,9,12,none\n",
      "0-5 none, 5-9 high, 9-12 none"),
    Reads(
      "| start | end | label |\n|---|---:|:---|\n| 0 | 5 | none |\n| 5 | 9 | high |\n",
      "0-5 none, 5-9 high"),
    // Forms stand in BORIS' modifiers, in rows of their own, and in a column of any name.
    Reads(
      "Behavior,Modifiers,Start (s),Stop (s)\nhigh,sag,0,5\nforearm,left|aligned,6,9\n",
      "0-5 high/sag, 6-9 forearm/aligned"),
    Reads(
      "start,end,label\n0,4,high\n1,2,sag\n3,4,pike\n",
      "0-1 high, 1-2 high/sag, 2-3 high, 3-4 high/pike"),
    Reads(
      #"[{"start": 0, "end": 4, "label": "high"}, {"start": 1, "end": 2, "label": "sag"}, "#
        + #"{"start": 3, "end": 4, "label": "hips piked"}]"#,
      "0-1 high, 1-2 high/sag, 2-3 high, 3-4 high/pike"),
    Reads(
      "start,end,move,hips\n0,1,none,good\n1,2,high,sag\n2,3,forearm,good\n",
      "0-1 none, 1-2 high/sag, 2-3 forearm/aligned"),
    // Good light is no good form.
    Reads("start,end,label,light\n0,1,high,good\n", "0-1 high"),
    Reads("start,end,label,light\n0,1,high,sag\n", "0-1 high/sag"),
    Reads(#"[{"start": 0, "end": 1, "label": "high", "light": "good"}]"#, "0-1 high"),
    Reads(#"[{"start": 0, "end": 1, "label": "high", "light": "sag"}]"#, "0-1 high/sag"),
    // A last label without an end lasts to the end of the recording.
    Reads("start,end,label\n0,5,none\n6,,high\n", "0-5 none, 6-9 high", until: 9),
    Reads("start,label\n0,none\n5,ignore\n6,high\n", "0-5 none, 5-6 ignore, 6-9 high", until: 9),
    Reads(
      #"[{"start": 0, "end": 5, "label": "none"}, {"start": 6, "end": null, "label": "high"}]"#,
      "0-5 none, 6-9 high", until: 9),
  ]

  @Test("Numbers, rows, forms and ends mean what they say", arguments: read)
  func reads(_ sample: Reads) throws { try sample.expect() }

  @Test(
    "Labels are read in these shapes, too",
    arguments: [
      "start,duration_ms,label\n0,1000,none\n4.5,2500,high\n",
      "start,duration_ms,label\n0,1000,none\n4500,2500,high\n",
      "time,duration,label\n0,1,none\n4.5,2.5,high\n",
      "t_start,t_end,label\n0,1,none\n4.5,7,high\n", "Von;Bis;Klasse\n0;1;none\n4,5;7;high\n",
      "plank.onset,plank.offset,plank.code\n0,1,none\n4.5,7,high\n",
      "start end label\n0 1 none\n4.5 7 high\n", "1,0,1,none\n2,4.5,7,high\n",
      "0:00-0:01 none\n0:04.5 - 0:07 high\n",
      "start_ms;end_ms;label\n0;1.000;none\n4.500;7.000;high\n",
      "start,end,label,class\n0,1,0,none\n4.5,7,1,high\n",
      #"[{"start": 0, "durationMs": 1000, "label": "none"}, "#
        + #"{"start": 4.5, "durationMs": 2500, "label": "high"}]"#,
      #"[{"label": "none", "interval_ms": [0, 1000]}, {"label": "high", "interval_ms": [4500, 7000]}]"#,
      #"{"meta": {"fps": 10}, "rows": [{"startFrame": 0, "endFrame": 10, "label": "none"}, "#
        + #"{"startFrame": 45, "endFrame": 70, "label": "high"}]}"#,
      #"[{"t": 0, "event": "start", "label": "none"}, {"t": 1, "event": "stop", "label": "none"}, "#
        + #"{"t": 4.5, "event": "start", "label": "high"}, {"t": 7, "event": "stop", "label": "high"}]"#,
      "<file><instance><start>0</start><end>1</end><code>none</code></instance>"
        + "<instance><start>4.5</start><end>7</end><code>high</code></instance></file>",
      "<tt><body><p begin=\"0:00\" end=\"0:01\">none</p><p begin=\"0:04.5\" end=\"0:07\">high</p>"
        + "</body></tt>",
    ])
  func shapes(text: String) throws {
    #expect(try readLabels(text).summary == "0-1 none, 4.5-7 high")
  }

  @Test(
    "What is doubtful or not read is said",
    arguments: [
      ("start,end,label\n5,6,none\n1,2,high\n", "not in order of time"),
      ("start,end,label,room\n1,2,none,a\n5,6,high,b\n", "not read: the columns `room`"),
      ("start,end,label\n1:00:00,1:00:01,none\n", "starts at 3600.0 s"),
      ("start,end,label\n0:00:50,1:54:01,none\n", "ends at 6841.0 s, after an hour"),
      ("Start (s),Stop (s),Behavior,Time offset (s)\n101,102,none,100\n", "--offset -100"),
      ("1,2,none\n4,5,high\n", "lengths instead of ends"),
      ("start_s,end_s,label\n0.01,0.02,none\n", "half of the labels last at most"),
      ("start_s,end_s,label\n0,1200,none\n", "half of the labels last at least"),
    ])
  func doubts(text: String, words: String) throws {
    let notes = try readLabels(text).notes
    #expect(notes.contains { $0.contains(words) }, "\(notes)")
  }

  @Test("Labels of several recordings are told apart, and not put into one file")
  func severalRecordings() throws {
    let text = "recording,start,end,label\ns01.mp4,0,1,none\ns02.mp4,0,2,high\ns01.mp4,1,2,high\n"
    let reader = LabelTextReader(options: try LabelTextOptions())
    var sheet = try reader.sheet(from: NamedText(name: "t.csv", text: text))
    let all = try reader.labels(of: sheet, spans: [nil, nil])
    #expect(all.tracks.map(\.segments.count) == [2, 1])
    let error = try #require(throws: PoseSourceError.self) { try readLabels(text) }
    #expect(error.description.contains("`s01.mp4`, `s02.mp4`"))
    try sheet.keep(recording: "s02")
    #expect(try reader.labels(of: sheet, spans: [nil]).tracks[0].segments[0].end.value == 2)
  }

  @Test("A workbook is called that, and a section in brackets is no JSON")
  func otherFiles() throws {
    let error = try #require(throws: PoseSourceError.self) {
      try NamedText(labels: NamedBytes(name: "a.xlsx", bytes: [0x50, 0x4B, 3, 4, 0]))
    }
    #expect("\(error)".contains("save the sheet"))
    #expect(LabelTextFormat(guessing: NamedText(name: "a", text: "[Events]\nFormat: x\n")) == .csv)
    #expect(LabelTextFormat(guessing: NamedText(name: "a", text: " [ [0, 1, 2]]")) == .json)
  }

  @Test("Praat's UTF-16 is read")
  func encoding() throws {
    let text = "start\tend\tlabel\n0\t1\tnone\n"
    var bytes: [UInt8] = [0xFE, 0xFF]
    for unit in text.utf16 {
      bytes.append(UInt8(unit >> 8))
      bytes.append(UInt8(unit & 0xFF))
    }
    #expect(try NamedText(labels: NamedBytes(name: "a", bytes: bytes)).text == text)
  }

  @Test(
    "Plain spellings of classes have a meaning, which is said",
    arguments: [
      ("Forearm plank", "forearm"), ("high_plank", "high"), ("No plank", "none"),
      ("HighPlank", "high"), ("side_left", "sideLeft"),
      ("forearm plank - sagging hips", "forearm/sag"), ("good high plank", "high/aligned"),
    ])
  func spellings(label: String, name: String) throws {
    let labels = try readLabels("0\t1\t\(label)\n")
    let target = try LabelTarget(name)
    #expect(labels.segments[0].plank == target.plank)
    #expect(labels.segments[0].form == target.form)
    #expect(labels.notes.contains { $0.contains("`\(label)` is taken as `\(name)`") })
  }
}
