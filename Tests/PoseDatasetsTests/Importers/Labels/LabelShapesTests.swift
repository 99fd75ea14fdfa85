import PoseDatasets
import PoseModel
import Testing

/// The same labels in tables and texts of several shapes.
@Suite("Shapes of label files") struct LabelShapesTests {
  static let segments = [
    LabeledSegment(start: Seconds(0), end: Seconds(1), plank: PlankClass.none),
    LabeledSegment(start: Seconds(2), end: Seconds(3), plank: .high),
    LabeledSegment(start: Seconds(3), end: Seconds(5), plank: .forearm, form: .sag),
  ]

  static let texts = [
    "0.0,1.0,no plank\n2.0,3.0,high plank\n3.0,5.0,forearm plank sag\n",
    "no plank,0.0,1.0\nhigh plank,2.0,3.0\nforearm plank sag,3.0,5.0\n",
    "0,0;1,0;no plank\n2,0;3,0;high plank\n3,0;5,0;forearm plank sag\n",
    "0,0 1,0 none\n2,0 3,0 high\n3,0 5,0 forearm/sag\n",
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
  ]

  @Test("Separators, ranges, marks and subtitles give the same labels", arguments: texts)
  func shapes(text: String) throws {
    #expect(try readLabels(text).segments == Self.segments)
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

  @Test("A table with a column per class keeps its own column of forms")
  func ownForms() throws {
    let track = try readLabels("start,end,none,high,form\n0,1,1,0,\n2,3,0,1,sag\n")
    #expect(track.segments.map(\.plank) == [PlankClass.none, .high])
    #expect(track.segments.map(\.form) == [nil, .sag])
  }

  @Test("A time and a class per line, without a header, are frames")
  func timeAndClass() throws {
    let track = try readLabels("0,0;no plank\n0,2;no plank\n0,4;high plank\n0,6;high plank\n")
      .segments
    #expect(track.map(\.end.value) == [0.4, 0.8])
    #expect(track.map(\.plank) == [PlankClass.none, .high])
  }

  @Test("Minutes, seconds and frames are not hours, minutes and seconds")
  func frameTimes() throws {
    let track = try readLabels(
      "start (mm:ss:ff),end (mm:ss:ff),label\n00:01:15,01:00:00,high\n", rate: 30)
    #expect(track.segments[0].start.value == 1.5)
    #expect(track.segments[0].end.value == 60)
  }

  @Test("The length of the video is not that of a label")
  func videoDuration() throws {
    let track = try readLabels(
      "video,video_duration,start,label\na,9,0,none\na,9,2,high\na,9,3,none\n")
    #expect(track.segments.map(\.end.value) == [2, 3])
  }

  @Test("A class that is only in the file's name is asked for")
  func classInName() throws {
    let text = NamedText(name: "HighPlank_val.txt", text: "anna-1  4.5 7.0\n")
    let error = try #require(throws: PoseSourceError.self) {
      try LabelTextReader(options: LabelTextOptions()).track(from: text)
    }
    #expect(error.description.contains("the class is in the file's name"), "\(error)")
  }

  @Test("Values of single lines are read with the classes that are given")
  func numbers() throws {
    let track = try readLabels(
      "0\n0\n0\n1\n1\n1\n", labels: ["0=none", "1=high"], rate: 10)
    #expect(track.segments.map(\.plank) == [PlankClass.none, .high])
  }

  @Test("Labels on another clock are refused with the offset to the recording's start")
  func offset() throws {
    let refusal = LabelRefusal(
      text: "start,end,label\n10:00:00,10:00:01,none\n10:00:02,10:00:03,high\n", span: 4,
      words: ["--offset -36000.0, which puts the first"])
    try refusal.expect()
  }

  @Test("Of several tiers, the one whose labels are known is offered first")
  func tiers() throws {
    let refusal = LabelRefusal(
      text:
        "tier,start,end,label\nposture,0,1,none\nposture,2,3,high\nnotes,1,2,camera shakes\n",
      words: ["tier with the labels: --tier \"posture\"; or"])
    try refusal.expect()
  }
}
