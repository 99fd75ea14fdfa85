import PoseDatasets
import PoseModel
import Testing

/// The same labels in tables and texts of several shapes.
@Suite("Shapes of label files") struct LabelShapesTests {
  static let texts = [
    "0.0,1.0,no plank\n2.0,3.0,high plank\n3.0,5.0,forearm plank sag\n",
    "no plank,0.0,1.0\nhigh plank,2.0,3.0\nforearm plank sag,3.0,5.0\n",
    "0,0;1,0;no plank\n2,0;3,0;high plank\n3,0;5,0;forearm plank sag\n",
    "0,0 1,0 none\n2,0 3,0 high\n3,0 5,0 forearm/sag\n",
    "+---+---+---+\n| start | end | label |\n+===+===+===+\n| 0 | 1 | none |\n+---+---+---+\n"
      + "| 2 | 3 | high |\n|---+---+---|\n| 3 | 5 | forearm/sag |\n",
    #"[{"data": {"video": "a.mp4"}, "annotations": [{"result": ["#
      + #"{"type": "labels", "value": {"start": 0, "end": 1, "labels": ["none"]}}, "#
      + #"{"type": "labels", "value": {"start": 2, "end": 3, "labels": ["high"]}}, "#
      + #"{"type": "labels", "value": {"start": 3, "end": 5, "labels": ["forearm/sag"]}}, "#
      + #"{"from_id": "r0", "to_id": "r1", "type": "relation", "direction": "right"}]}]}]"#,
    "start end label\n0 1 none\n2 3 high\n3 5 forearm/sag\n",
    "Interval,Label\n0.0-1.0,no plank\n2.0-3.0,high plank\n3.0 - 5.0,forearm plank sag\n",
    "segment,label\n\"[0.0, 1.0]\",none\n\"[2, 3]\",high\n\"(3, 5]\",\"forearm/sag\"\n",
    "range (ms),label\n0\u{2013}1000,none\n2000\u{2013}3000,high\n3000\u{2013}5000,forearm/sag\n",
    "start,end,no plank,high plank,forearm plank,sag\n0,1,1,0,0,0\n2,3,0,1,0,0\n3,5,0,0,1,1\n",
    "end;high;none;forearm;sag;start\n1;false;true;false;false;0\n3;True;False;False;False;2\n"
      + "5;False;False;True;True;3\n",
    "# Exported using VGG Image Annotator\n"
      + "# CSV_HEADER = metadata_id,file_list,flags,temporal_coordinates,metadata\n"
      + "1,\"[\"\"a.mp4\"\"]\",0,\"[0.0, 1.0]\",\"{\"\"1\"\": \"\"no plank\"\"}\"\n"
      + "2,\"[\"\"a.mp4\"\"]\",0,\"[2.0, 3.0]\",\"{\"\"1\"\": \"\"high\"\"}\"\n"
      + "3,\"[\"\"a.mp4\"\"]\",0,\"[3.0, 5.0]\",\"{\"\"1\"\": \"\"forearm, sag\"\"}\"\n",
    "0:00:00.000,0:00:01.000\nno plank\n\n0:00:02.000,0:00:03.000\nhigh\nplank\n\n"
      + "0:00:03.000,0:00:05.000\nforearm plank sag\n",
    "[INFORMATION]\n[TITLE]x\n[DELAY]0\n[END INFORMATION]\n[SUBTITLE]\n00:00:00.00,00:00:01.00\n"
      + "no plank\n\n00:00:02.00,00:00:03.00\nhigh[br]plank\n\n00:00:03.00,00:00:05.00\n"
      + "forearm plank sag\n",
    "[INFORMATION]\n[DELAY] 0\n[DELAY]\n[END INFORMATION]\n00:00:00.00,00:00:01.00\nno plank\n\n"
      + "00:00:02.00,00:00:03.00\nhigh\n\n00:00:03.00,00:00:05.00\nforearm plank sag\n",
    "{1}{1}10.0\n{0}{10}no plank\n{20}{30}high|plank\n{30}{50}forearm plank sag\n",
    "start (1/100 s),end (1/100 s),label\n0,100,none\n200,300,high\n300,500,forearm/sag\n",
    "start,end,label_no plank,label_high,label_forearm/sag\n0,1,1,0,0\n2,3,0,1,0\n3,5,0,0,1\n",
    "start,end,plank,none,high,forearm/sag\n0,1,0,1,0,0\n2,3,0,0,1,0\n3,5,0,0,0,1\n",
    "start,end,label,sag,pike\n0,1,none,0,0\n2,3,high,0,0\n3,5,forearm,1,0\n",
    "start;end;sag;label\n0;1;;none\n2;3;no;high\n3;5;x;forearm\n",
    #"[{"start": 0, "end": 1, "label": "none", "sag": false}, {"start": 2, "end": 3, "#
      + #""label": "high", "sag": false}, {"start": 3, "end": 5, "label": "forearm", "sag": true}]"#,
    "time,event,label\n0,on,none\n1,off,none\n2,on,high\n3,off,high\n3,on,forearm/sag\n"
      + "5,off,forearm/sag\n",
    "Zeit;Ereignis;\u{DC}bung\n0;Anfang;none\n1;Ende;none\n2;Anfang;high\n3;Ende;high\n"
      + "3;Anfang;forearm/sag\n5;Ende;forearm/sag\n",
    "start,end,label,notes\n0,1,none,\n2,3,high,\"shaky,\nask\"\n3,5,forearm/sag,\n",
    "Time,Time,Exercise\nstart,end,\n0,1,none\n2,3,high\n3,5,forearm/sag\n",
    "\"start\" \"end\" \"label\"\n\"1\" 0 1 \"no plank\"\n\"2\" 2 3 \"high plank\"\n"
      + "\"3\" 3 5 \"forearm plank sag\"\n",
    "start,end,label\n0,1,none\n2,3,high\n3,5,forearm/sag\n,,Total\nmean,,\n",
    "tier,start,end,label\nno plank,0,1,x\nhigh,2,3,\nforearm sag,3,5,x\n",
    "Beginn (Sekunden);Ende (Sekunden);Klasse\n0;1;none\n2;3;high\n3;5;forearm/sag\n",
    "Timespan,Content\n0:00.0 - 0:01.0,none\n0:02.0 - 0:03.0,high\n0:03.0 - 0:05.0,forearm/sag\n",
    "start_ms;end_ms;label\n0;1\u{202F}000;none\n2\u{202F}000;3\u{202F}000;high\n"
      + "3\u{202F}000;5\u{202F}000;forearm/sag\n",
    "# CSV_HEADER = metadata_id,file_list,temporal_coordinates,metadata\n"
      + "1,\"[\"\"a.mp4\"\"]\",\"[0, 1]\",\"{\"\"1\"\":\"\"none\"\",\"\"2\"\":\"\"\"\"}\"\n"
      + "2,\"[\"\"a.mp4\"\"]\",\"[2, 3]\",\"{\"\"1\"\":\"\"high\"\",\"\"2\"\":\"\"\"\"}\"\n"
      + "3,\"[\"\"a.mp4\"\"]\",\"[3, 5]\",\"{\"\"1\"\":\"\"forearm\"\",\"\"2\"\":\"\"sag\"\"}\"\n",
    "id;fps;cancelled;labels\n"
      + "1;10;False;\"[{\"\"ranges\"\":[{\"\"start\"\":1,\"\"end\"\":10}],\"\"timelinelabels\"\":[\"\"none\"\"]},"
      + "{\"\"ranges\"\":[{\"\"start\"\":21,\"\"end\"\":30}],\"\"timelinelabels\"\":[\"\"high\"\"]},"
      + "{\"\"ranges\"\":[{\"\"start\"\":31,\"\"end\"\":50}],\"\"timelinelabels\"\":[\"\"forearm\"\",\"\"sag\"\"]}]\"\n"
      + "2;10;True;\"[{\"\"ranges\"\":[{\"\"start\"\":1,\"\"end\"\":50}],\"\"timelinelabels\"\":[\"\"high\"\"]}]\"\n",
    #"{"framesCount": 90, "fps": 10, "tags": [{"name": "posture", "value": "none", "frameRange": "#
      + #"[0, 10]}, {"name": "posture", "value": "high", "frameRange": [20, 30]}, "#
      + #"{"name": "posture", "value": "forearm/sag", "frameRange": [30, 50]}]}"#,
  ]

  @Test("Separators, ranges, marks and subtitles give the same labels", arguments: texts)
  func shapes(text: String) throws {
    #expect(try readLabels(text).summary == "0-1 none, 2-3 high, 3-5 forearm/sag")
  }

  static let frames = [
    "none\nnone\nhigh_plank\nhigh_plank\nhigh_plank\nignore\nignore\nforearm plank sag\n"
      + "forearm plank sag\n",
    "none;high;forearm;sag\n1;0;0;0\n1;0;0;0\n0;1;0;0\n0;1;0;0\n0;1;0;0\n0;0;0;0\n0;0;0;0\n"
      + "0;0;1;1\n0;0;1;1\n",
    "frame,none,high,forearm,sag\n0,1,0,0,0\n1,1,0,0,0\n2,0,1,0,0\n3,0,1,0,0\n4,0,1,0,0\n"
      + "5,0,0,0,0\n6,0,0,0,0\n7,0,0,1,1\n8,0,0,1,1\n",
  ]

  @Test("One label or mark per frame gives runs", arguments: frames)
  func perFrame(text: String) throws {
    let track = try readLabels(text, rate: 10).segments.filter { $0.plank != nil }
    #expect(track.map(\.start.value) == [0, 0.2, 0.7])
    #expect(track.map(\.end.value) == [0.2, 0.5, 0.9])
    #expect(track.map(\.plank) == [PlankClass.none, .high, .forearm])
    #expect(track.map(\.form) == [nil, nil, .sag])
  }

  private static func named(_ column: String) -> Reads {
    Reads(
      "frame,\(column),label\n0,9,none\n1,8,none\n2,7,high\n3,6,high\n", "0-0.2 none, 0.2-0.4 high",
      rate: 10)
  }

  static let read = [
    // Labels with only an end start where the one above ends, and that is said.
    Reads(
      "until,label\n1,none\n3,high\n5,forearm/sag\n", "0-1 none, 1-3 high, 3-5 forearm/sag",
      says: "the first at 0"),
    // Words above chapters are a title.
    Reads(
      "My chapters:\n\n0:00 none\n0:02 high\n0:03 none\n", "0-2 none, 2-3 high, 3-4 none", until: 4),
    // Words that also name other things are no times, lengths, marks or comments.
    named("tid"), named("tempo"), named("pts"), named("hold"),
    Reads(
      "frame,none,high,mirrored\n0,1,0,yes\n1,1,0,yes\n2,0,1,no\n", "0-0.2 none, 0.2-0.3 high",
      rate: 10),
    Reads(#"[{"start": 0, "end": 1, "label": "none", "note": "high --> low"}]"#, "0-1 none"),
    Reads("label,start,end\nnone,0,1\n# high,2,3\nhigh,4,5\n", "0-1 none, 4-5 high"),
    // A table with a column per class keeps its own column of forms.
    Reads("start,end,none,high,form\n0,1,1,0,\n2,3,0,1,sag\n", "0-1 none, 2-3 high/sag"),
    // A time and a class per line, without a header, are frames.
    Reads(
      "0,0;no plank\n0,2;no plank\n0,4;high plank\n0,6;high plank\n", "0-0.4 none, 0.4-0.8 high"),
    // The length of the video is not that of a label.
    Reads(
      "video,video_duration,start,label\na,9,0,none\na,9,2,high\na,9,3,none\n", "0-2 none, 2-3 high"
    ),
    // Values of single lines are read with the classes that are given.
    Reads(
      "0\n0\n0\n1\n1\n1\n", "0-0.3 none, 0.3-0.6 high", labels: ["0=none", "1=high"], rate: 10),
  ]

  @Test("Words are taken for what they mean there", arguments: read)
  func reads(_ sample: Reads) throws { try sample.expect() }

  @Test("Binary files are no texts, and a URL names its file")
  func binaries() throws {
    for text in ["PAR1 ", "ab\0cd\n", "%PDF-1.4\n"] {
      let error = try #require(throws: PoseSourceError.self) {
        try NamedText(labels: NamedBytes("a", text))
      }
      #expect(error.description.contains("export the labels as text"))
    }
    let wide = Array("start,end,label\n".utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let error = try #require(throws: PoseSourceError.self) {
      try NamedText(labels: NamedBytes(name: "a", bytes: wide))
    }
    #expect(error.description.contains("iconv -f UTF-16LE"))
    #expect(RecordingName.fileName("https://x.org/v/ann.mp4?sig=a.b") == "ann")
  }

  @Test("A class that is only in the file's name is asked for")
  func classInName() throws {
    let text = NamedText(name: "HighPlank_val.txt", text: "anna-1  4.5 7.0\n")
    let error = try #require(throws: PoseSourceError.self) {
      try LabelTextReader(options: LabelTextOptions()).track(from: text)
    }
    #expect(error.description.contains("the class is in the file's name"), "\(error)")
  }
}

@Suite("Refusals of label files") struct LabelRefusalsTests {
  static let refusals = [
    Refuses(#"{"images": [{"id": 1}]}"#, "this is JSON", "`images`", "Create ML"),
    Refuses("<svg><g/></svg>", "XML of <svg>", "ELAN"),
    Refuses("<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", "entity definitions", "DOCTYPE"),
    Refuses("<ANNOTATION_DOCUMENT><TIER>", "does not end"),
    Refuses(
      "start,end,label\n0,30,none\n66,540,high\n", "ends at 540.0 s", "--unit frames --rate 30",
      span: 18),
    Refuses("start_ms,end_ms,label\n0,90000,none\n", "90.0 s", "--offset", span: 18),
    Refuses("start,end,label\n0,76000,none\n", "--unit ms", "--unit frames"),
    Refuses(#"[{"label": "none", "start": "soon", "end": 1}]"#, "`start`", "12.5"),
    Refuses("Time,Behavior,Status\n0,none,START\n1,high,STOP\n", "stops without"),
    Refuses("time,label\n0,none\n9,high\n10,none\n", "--columns"),
    Refuses(
      "0\t1\tleft side plank\n1\t1\tbeep\n",
      "--label \"left side plank=CLASS\" --label \"beep=ignore\""),
    Refuses("File type = \"ooTextFile\"\n\"TextGrid\"\n0\n", "not a complete"),
    Refuses(
      "\"ooTextFile\"\n\"TextGrid\"\n0\n7\n<exists>\n2\n\"IntervalTier\"\n\"p\"\n0\n7\n1\n"
        + "0\n1\n\"none\"\n", "not a complete"),
    Refuses("start,end,label\n0,\"1,250\",none\n", "`end`", "decimal point"),
    Refuses("start,end,label\n0,\"1,250 ms\",none\n", "`end`"),
    Refuses("start,end,label\n1:00 PM,2:00 PM,none\n", "`start`"),
    Refuses("0,1,2 min\n1,2,3 min\n", "--label \"2 min=CLASS\""),
    Refuses("start,end,label\n0:00,00:00:01:15,none\n", "00:00:12:15", "second: --rate 30"),
    Refuses(
      #"[{"label": "none", "start": 0, "end": 1}, {"label": "high", "start": 2}]"#, "object 2",
      "incomplete"),
    Refuses(
      "name,label\na.mp4,high\nb.mp4,high\nc.mp4,none\n", "`name`", "frames of one video"),
    Refuses("start,end,label\n0,,none\n5,6,high\n", ":2", "`none` has no end"),
    Refuses("start,end,label\n0,5,high\n2,,sag\n", "`sag`", "--label"),
    Refuses("0,1,none\nstart,end,label\n1,2,high\n", ":1", "above the header"),
    Refuses(#"[{"start": 0, "labels": ["none"]}]"#, "`end` of `none`", "missing"),
    Refuses(
      "Time,Behavior,Status\n0,none,START\n1,none,STOP\n2,high,\n3,high,STOP\n", "`high`",
      "neither a start nor a stop"),
    Refuses(
      #"[{"label": "none", "start_s": 1, "end_frame": 45}]"#, "`end_frame`", "field `fps`"),
    Refuses(
      "frame,label\n" + (0..<60).map { "\($0),\($0 % 20 == 0 ? "none" : "")\n" }.joined(),
      "3 of 60 rows", "fill the labels down"),
    Refuses("start,end,exercise,form\n0,1,high,sag\n1,2,,pike\n", "`pike`", "merged cells"),
    Refuses("start,end,label\n1795600001,1795600005,none\n", "a time since 1970", "--offset"),
    Refuses("start,end,label\n-3,1,none\n", "starts at -3.0 s", "--offset", span: 18),
    Refuses("[offset:+500]\n[00:00.5]none\n[00:09.5]high\n", "500.0 ms", "--offset"),
  ]

  /// Texts of shapes that are close to those that are read.
  static let meanings = [
    Refuses("t1,label\n1,none\n3,high\n", "a.txt:2", "no column says when"),
    Refuses("offset,label\n1,none\n3,high\n", "a.txt:2", "no column says when"),
    Refuses((0..<9).map { "0:0\($0) high\n" }.joined() + "15 none\n", ":10", "`15 none`"),
    Refuses(
      "start,end,label\n10:00:00,10:00:01,none\n10:00:02,10:00:03,high\n",
      "--offset -36000.0, which puts the first", span: 4),
    // Of several tiers, the one whose labels are known is offered first.
    Refuses(
      "tier,start,end,label\nposture,0,1,none\nposture,2,3,high\nnotes,1,2,camera shakes\n",
      "tier with the labels: --tier \"posture\"; or"),
  ]

  static let faults = [
    Refuses(
      "frame,none,high\n0,1,0\n1,1,1\n",
      "a.txt:3: several of the columns are marked: `none`, `high`", "mark only one"),
    Refuses("time,none,high,walks\n0,1,0,0\n1,0,0,1\n2,0,0,1\n", "--label \"walks=CLASS\""),
    Refuses(
      "frame,high,forearm\n0,1,0\n1,0,0\n", "a.txt:3: none of the columns `high`, `forearm`",
      "add a column `none`"),
    Refuses(
      "time,is_plank\n0,0\n0.1,1\n", "a.txt:1", "without a column of labels beside `time`",
      "`label`", "`is_plank`"),
    Refuses(
      "frame,truth,model\n0,no plank,high plank\n1,no plank,high plank\n", "beside `frame`",
      "may be `truth`, `model`"),
    Refuses(
      "0\n0\n0\n1\n1\n1\n", "one value, such as `0`", "--label \"0=CLASS\" --label \"1=CLASS\""),
    Refuses(
      "label,0,1,2,3,4,5,6,7,8\nposture,none,none,none,none,none,none,high,high,high\n",
      "2 lines of 10 fields", "transpose"),
    Refuses(
      "3x none, 2x high, 3x none, 2x high, 3x none, 2x high, 3x none, 2x high, 3x none\n",
      "1 line of 9 fields", "one label per line"),
    Refuses(
      "label,frames\nno plank,30\nignore,36\nhigh,12\n", "a.txt:2: `frames` does not increase",
      "how long each label lasts", "`start`"),
    Refuses(
      "label,duration\nnone,2\nnone,3\nhigh,4\nhigh,1\n", "`duration` says how long a label lasts",
      "add a column `start`"),
    Refuses(
      "Name of event;Position;Duration;Comment\nno plank;0;1000;\nhigh plank;2200;1500;\n",
      "--columns \"START,Duration,Name of event\""),
    Refuses(
      "a b,5,1,high plank\nc d,9,6,no plank\n", "a.txt:1",
      "numbers of your columns: --columns \"START,END,4\""),
    Refuses(
      "a.onset,a.offset,a.code,b.onset\n0,1,no plank,5\n2,3,high plank,7\n",
      "--columns \"a.onset,a.offset,a.code\""),
    Refuses(
      "von;bis;Haltung;Notiz\n0;1;none;ab\n2;3;high;cd\n", "none of the label columns",
      "--columns \"von,bis,Haltung\""),
    Refuses(
      "start,end,rater1,rater2\n0,1,none,none\n2,3,high,forearm\n", "`rater1`, `rater2`",
      "--columns \"start,end,LABEL\""),
    Refuses(
      "start,end,my $(rm) label,x\n0,1,none,a b\n2,3,high,c d\n", "--columns \"start,end,LABEL\""),
    Refuses("0.0-1.0: no plank\n2.2-3.7: no plank\n", "begins with a range"),
    Refuses("- start: 0.0\n  end: 1.0\n  label: no plank\n", "this is YAML", "JSON"),
    Refuses(
      "TITLE: a\nFCM: NON-DROP FRAME\n\n001  AX  V  C  00:00:00:00 00:00:01:00\n",
      "edit decision list", "start,end,label"),
    Refuses(
      "#4\nposture (MATRIX,true,)-code01|NOMINAL\n00:00:00:000,00:00:01:000,(none)\n", "Datavyu",
      "CSV"),
    Refuses(
      "\"Praat chronological TextGrid text file\"\n0 18   ! Time domain.\n1\n", "chronological",
      "as a text file"),
    Refuses("{0}{30}none\nhigh\n", "a.txt:2", "{30}{75}high"),
    Refuses("{1}{1}0\n{0}{30}none\n", "a.txt:1", "1 to 1000 per second"),
    Refuses("0:00:00,0:00:01\nnone\n\nhigh\n", "a.txt:4", "two times"),
    Refuses("[INFORMATION]\n[DELAY]5\n0:00:00,0:00:01\nnone\n", "[DELAY]5", "--offset"),
    Refuses(
      "start (mm:ss:ff),end (mm:ss:ff),label\n00:15,01:00,high\n", "a.txt:2",
      "minutes, seconds and frames"),
    Refuses("start,end,plank,form\n0,1,none,0\n2,3,high,1\n", "--label \"high/1=CLASS\""),
    Refuses("0,0,1,0,none\n2,2,3,7,high\n", "a.txt:1", "decimal points"),
    Refuses(
      "id,start,end,label\n1,0,1,none\n#2,2,3,high\n", "a.txt:3", "the line begins with `#`",
      "remove the `#`"),
    Refuses(
      "start,duration (min),label\n0,0.5,none\n45,0.5,high\n", "only one has a unit", "start_s"),
    Refuses(
      "start,work,label\n0,1.5,none\n2,0.5,high\n3,2,none\n", "`work` may say how long",
      "`duration`"),
    Refuses("[00:00.000 --> 00:01.000]  none\n", "a.txt:1", "two times"),
    Refuses(
      "start,end,label\n0:00:00,0:01:00,none\n0:01:00,0:02:00,high\n" + "0:02:00,0:03:00,none\n",
      "1:23 into 1:23:00", "write 0:01:23", span: 4),
    Refuses(
      "start (min),end (min),label\n0,1,none\n2.5,4.5,high\n", "ends at 270.0 s",
      "seconds: --unit s", span: 5),
    Refuses(
      "start,end,label\n0,0.5,none\n40,72,high\n", "ends at 72.0 s", "--offset", span: 18),
    Refuses(
      "a 0 30 no plank\na 40 60 high plank sag\n", "the first line is", "numbers of your columns"),
    Refuses(
      "  start  end  label\n0  0  1  no plank\n1  2  3  high\n", "spaces divide the line into",
      "tabs or commas"),
    Refuses(
      "[1]\nstart=0\nend=1\nlabel=high\n[2]\nstart=2\nend=3\nlabel=none\n", "TOML or INI",
      "write a table"),
    Refuses("[[segment]]\nstart = 0\nend = 1\nlabel = \"high\"\n", "TOML or INI"),
    Refuses("{\\rtf1\\ansi 0\\tab 1\\tab high}\n", "(RTF)", "plain text"),
    Refuses(
      "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n", "Git LFS",
      "git lfs pull"),
    Refuses(
      #"[{"tracks": [{"label": "high", "frame": 0, "shapes": [{"frame": 0, "outside": false}]}]}]"#,
      "CVAT's own JSON", "(XML)"),
    Refuses(
      #"[{"start": 0, "end": 2, "label": "high", "site": "a"}, "#
        + #"{"start": 1, "end": 3, "label": "none", "site": "b"}, "#
        + #"{"start": 4, "end": 5, "label": "none", "site": "b"}]"#, "`none` overlaps `high`",
      "several people or recordings", "not read: the fields `site`"),
    Refuses("Notes\n* 0 to 2 s no plank\n", "a.txt:2", "has a range"),
    Refuses("frame,none,high\n0,0.9,0.1\n1,0.8,0.2\n", "named for classes", "0 and 1"),
    Refuses("label,count\nnone,3\nhigh,4\nnone,2\n", "no column says when"),
    Refuses(
      "start 1,end 1,start 2,end 2,label\n0,1,2,3,none\n4,5,6,7,high\n", "`start 1` and `start 2`",
      "a row for each"),
  ]

  @Test(
    "What cannot be read is refused with its cause and a remedy",
    arguments: refusals + meanings + faults)
  func refusal(_ refusal: Refuses) throws { try refusal.expect() }
}
