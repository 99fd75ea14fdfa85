import Foundation
import PoseModel
import TestSupport
import Testing

@testable import PoseDatasets

@Suite("Clocks that doctor finds") struct ClockExaminationTests {
  private static let rate = 30.0

  /// Frames of a standing body that sways, with the fields that a clock has.
  private static func text(
    _ count: Int = 120, holes: Set<Int> = [], rest: String = "", _ fields: (Int, Double) -> String
  ) -> String {
    let body: [(String, Double, Double)] = [
      ("root", 0, 0), ("rightHip", -0.1, 0), ("leftHip", 0.1, 0), ("rightKnee", -0.1, -0.4),
      ("leftKnee", 0.1, -0.4), ("rightAnkle", -0.1, -0.8), ("leftAnkle", 0.1, -0.8),
      ("centerShoulder", 0, 0.5), ("rightShoulder", -0.2, 0.5), ("leftShoulder", 0.2, 0.5),
      ("rightElbow", -0.2, 0.2), ("leftElbow", 0.2, 0.2), ("rightWrist", -0.2, 0),
      ("leftWrist", 0.2, 0), ("centerHead", 0, 0.7), ("topHead", 0, 0.8), ("spine", 0, 0.25),
    ]
    return (0..<count).filter { !holes.contains($0) }.map { frame in
      let sway = 0.01 * sin(Double(frame) / 5)
      let joints = body.map {
        "\"\($0.0)\":[\(0.8 * $0.1 + sway),\($0.2),\(0.6 * $0.1 + 0.2 * $0.2)]"
      }
      let fields = fields(frame, Double(frame) / rate)
      return "{\(fields),\"joints\":{\(joints.joined(separator: ","))}\(rest)}\n"
    }.joined()
  }

  private func time(_ diagnosis: PoseDiagnosis) throws -> PoseDiagnosis.Conclusion {
    try #require(diagnosis.found("time"))
  }

  private func lasts(_ diagnosis: PoseDiagnosis, _ seconds: Double, within: Double = 0.01) -> Bool {
    diagnosis.isImportable && (diagnosis.seconds.map { ($0 - seconds).magnitude < within } ?? false)
  }

  private static let wholeLength = 119 / rate

  @Test(
    "Clocks are found by any name",
    arguments: [
      "capturedAt", "createdAt", "captured_at", "stamp", "when", "offset", "frameTimeSec",
      "hostTime", "presentationTime", "recordedAt", "t_sec", "clockSeconds", "zeit",
      "elapsed_time", "secs", "captureTS", "time_since_start", "foo",
    ])
  func names(name: String) throws {
    let diagnosis = diagnose(Self.text { "\"\(name)\":\($1)" })
    #expect(diagnosis.map?.time.field?.text == name)
    #expect(lasts(diagnosis, Self.wholeLength))
    #expect(try name != "foo" || time(diagnosis).certainty == .unsure)
  }

  @Test(
    "Units are those of the name, beside a counter of frames",
    arguments: [
      ("ms", 1e3), ("t_ms", 1e3), ("capture_ts_ms", 1e3), ("timestampInMilliseconds", 1e3),
      ("Millis", 1e3), ("timeMS", 1e3), ("ts_us", 1e6), ("pts_ns", 1e9), ("timestampNs", 1e9),
      ("timems", 1e3),
    ])
  func units(name: String, scale: Double) throws {
    let diagnosis = diagnose(
      Self.text { "\"frame\":\($0 + 2),\"\(name)\":\(Int(($1 * scale).rounded()))" })
    #expect(diagnosis.map?.time.field?.text == name)
    #expect(lasts(diagnosis, Self.wholeLength))
    #expect(try time(diagnosis).certainty == .sure)
  }

  @Test(
    "A counter is no clock: doctor asks for the rate",
    arguments: ["frame", "index", "image_id", "tick", "foo"],
    [1, 5])
  func counters(name: String, stride: Int) throws {
    guard stride == 1 || name == "frame" || name == "index" || name == "image_id" else { return }
    let diagnosis = diagnose(
      Self.text(holes: [7, 8, 40]) { frame, _ in "\"\(name)\":\(frame * stride)" })
    #expect(diagnosis.map?.time.unit == .frames)
    #expect(diagnosis.options == ["--rate", "30"])
    #expect(try time(diagnosis).certainty == .unsure)
    #expect(lasts(diagnosis, Self.wholeLength * Double(stride)))
  }

  @Test(
    "The number of an image is a frame's",
    arguments: ["*.jpg", "frame_*", "img-12-*.png", "clip7/*.jpg", "frame_*_2d.mp4"])
  func images(pattern: String) throws {
    let diagnosis = diagnose(
      Self.text(holes: [5, 6]) { frame, _ in
        "\"image\":\"\(pattern.replacingOccurrences(of: "*", with: "\(1000 + frame)"))\""
      })
    #expect(diagnosis.map?.time.unit == .frames)
    #expect(lasts(diagnosis, Self.wholeLength))
  }

  @Test("Values with a timescale are seconds, whether it changes or not", arguments: [true, false])
  func timescale(changes: Bool) throws {
    let diagnosis = diagnose(
      Self.text { frame, time in
        let scale = changes && frame.isMultiple(of: 2) ? 90_000.0 : 600
        return "\"time\":{\"value\":\(Int((time * scale).rounded())),\"timescale\":\(Int(scale)),"
          + "\"flags\":1,\"epoch\":0}"
      })
    #expect(lasts(diagnosis, Self.wholeLength) && diagnosis.map?.time.timescale != nil)
    let map = try #require(diagnosis.map)
    #expect(try TableMap(yaml: map.yaml, file: "map").time == map.time)
  }

  @Test(
    "A text may be a number of parts of a second, or in lowest terms",
    arguments: ["N/600", "N/600s", "{N/600 = T}", "lowest"])
  func ratio(style: String) throws {
    let diagnosis = diagnose(
      Self.text { frame, time in
        let least = frame.isMultiple(of: 30) ? "\(frame / 30)" : "\(frame)/30"
        let text = style.replacing("N", with: "\(20 * frame)").replacing("T", with: "\(time)")
        return "\"time\":\"\(style == "lowest" ? least : text)\""
      })
    #expect(lasts(diagnosis, Self.wholeLength))
  }

  @Test(
    "The times since the previous frame give the rate if they are equal; otherwise they are no clock",
    arguments: [
      "deltaMs", "dt_ms", "frameDurationMs", "duration_ms", "ms_since_last", "ms_since_previous",
      "dt_milliseconds", "frameintervalms",
    ])
  func steps(name: String) throws {
    for isSteady in [true, false] {
      let diagnosis = diagnose(
        Self.text { frame, _ in
          "\"\(name)\":\(frame == 0 ? 0 : isSteady ? (frame % 3 == 0 ? 34 : 33) : 20 + frame * 17 % 30)"
        })
      #expect(diagnosis.isImportable == isSteady)
      #expect(
        isSteady
          ? lasts(diagnosis, Self.wholeLength, within: 0.05)
            && !diagnosis.problems.contains { $0.found.contains(name) }
          : diagnosis.problems.contains { $0.remedy.hasPrefix("add up `\(name)`") })
    }
  }

  @Test(
    "Numbers that are no times between frames give no rate",
    arguments: [
      "\"duration\":18.5", "\"duration_s\":18.5", "\"duration_ms\":18500",
      "\"stats\":{\"delta\":0.03}",
    ])
  func noSteps(field: String) {
    let diagnosis = diagnose(Self.text { _, _ in field })
    #expect(diagnosis.isImportable)
    #expect(diagnosis.options == ["--rate", "30"])
  }

  @Test("A time between frames that some frames lack gives no rate", arguments: [0.0, 0.02])
  func partialSteps(second: Double) {
    let text = Self.text { frame, _ in
      frame == 0 || second > 0 && frame % 2 == 0
        ? "\"dt\":0.02" : second > 0 ? "\"dt\":0" : "\"n\":1"
    }
    #expect(diagnose(text).map?.time.rate != 50)
  }

  @Test("In a counter, the second number is the total")
  func total() throws {
    let diagnosis = diagnose(
      Self.text(holes: [7, 8]) { frame, _ in "\"frame\":\"\(frame)/120\"" })
    #expect(diagnosis.map?.time.unit == .frames)
    #expect(lasts(diagnosis, Self.wholeLength))
  }

  @Test("A counter that falls is refused: the last frame comes first")
  func countsDown() throws {
    let diagnosis = diagnose(Self.text { frame, _ in "\"frame\":\(120 - frame)" })
    #expect(!diagnosis.isImportable)
    #expect(diagnose(Self.text { frame, _ in "\"framesLeft\":\(120 - frame)" }).isImportable)
  }

  @Test("A number of 14 or 17 digits is a date, also without quotes")
  func packedNumbers() throws {
    let diagnosis = diagnose(
      Self.text { _, time in
        let milliseconds = Int((time * 1000).rounded())
        return "\"date\":\(20_261_125_100_057_000 + milliseconds + (time < 3 ? 0 : 40_000))"
      })
    #expect(lasts(diagnosis, Self.wholeLength))
  }

  @Test("Whole seconds and their nanoseconds are added")
  func fraction() throws {
    let diagnosis = diagnose(
      Self.text { _, time in
        let nanos = Int(((time - time.rounded(.down)) * 1e9).rounded())
        return "\"stamp\":{\"sec\":\(1_700_000_000 + Int(time)),\"nanosec\":\(nanos)}"
      })
    #expect(lasts(diagnosis, Self.wholeLength))
    let map = try #require(diagnosis.map)
    #expect(try TableMap(yaml: map.yaml, file: "map").time == map.time)
  }

  /// How texts of times are written; `time` in seconds, above 0 and below 10.
  private static func spelled(_ style: String, _ time: Double) -> String {
    let milliseconds = Int((time * 1000).rounded())
    let (second, rest) = (milliseconds / 1000, String("\(1000 + milliseconds % 1000)".dropFirst()))
    return style.replacingOccurrences(of: "SS", with: "0\(second)")
      .replacingOccurrences(of: "FFF", with: rest)
  }

  @Test(
    "Texts of times are read",
    arguments: [
      "2026-11-25T10:00:SS.FFFZ", "2026-11-25T10:00:SS.FFF", "2026-11-25 10:00:SS.FFF456",
      "2026-11-25 10:00:SS,FFF", "2026-11-25T10:00:SS.FFF+01:00", "20261125T1000SS.FFFZ",
      "11/25/2026 10:00:SS.FFF", "25/11/2026 10:00:SS.FFF", "11/25/2026, 10:00:SS.FFF AM",
      "25.11.2026 10:00:SS,FFF", "25/Nov/2026:10:00:SS.FFF +0100", "Nov 25, 2026 10:00:SS.FFF",
      "Wed, 25 Nov 2026 10:00:SS.FFF GMT", "2026-11-25_10-00-SS-FFF", "202611251000SSFFF",
      "2026-11-25 10:00:SS.FFF +0000", "10:00:SS.FFF", "00:00:SS:FFF", "00:SS,FFF", "SSFFF ms",
      "SS.FFFs", "SS,FFF", " SS.FFF ",
    ])
  func texts(style: String) throws {
    let diagnosis = diagnose(Self.text { "\"when\":\"\(Self.spelled(style, $1 + 0.5))\"" })
    #expect(lasts(diagnosis, Self.wholeLength), "\(diagnosis.conclusions)")
    #expect(try time(diagnosis).certainty != .unsure)
  }

  @Test("A day that is the first or the second number needs no answer while it is the same")
  func openDay() throws {
    let diagnosis = diagnose(
      Self.text { "\"t\":\"\(Self.spelled("03/04/2026 10:00:SS.FFF", $1))\"" })
    #expect(lasts(diagnosis, Self.wholeLength))
    #expect(try time(diagnosis).evidence.contains("the same in all frames"))
  }

  @Test("Midnight shows which number is the day", arguments: [true, false])
  func midnight(dayFirst: Bool) throws {
    let diagnosis = diagnose(
      Self.text { frame, _ in
        let day = frame < 60 ? "03" : "04"
        let date = dayFirst ? "\(day)/04/2026" : "04/\(day)/2026"
        let second = frame < 60 ? Double(frame) / 30 : Double(frame - 60) / 30
        let clock = frame < 60 ? "23:59:" : "00:00:"
        return "\"t\":\"\(date) \(clock)\(second + (frame < 60 ? 58 : 0))\""
      })
    #expect(diagnosis.map?.time.unit == (dayFirst ? .dmy : .mdy))
  }

  @Test("A time of day goes on after midnight")
  func timeOfDay() throws {
    let diagnosis = diagnose(
      Self.text { frame, _ in
        let ms = frame * 33
        let clock = ms < 2000 ? "23:59:\(58 + ms / 1000)" : "00:00:0\((ms - 2000) / 1000)"
        return "\"time\":\"\(clock).\(String("\(1000 + ms % 1000)".dropFirst()))\""
      })
    #expect(lasts(diagnosis, 119 * 0.033, within: 0.002))
  }

  @Test("A second counts its frames, or the file is refused", arguments: [120, 20])
  func timecode(count: Int) throws {
    let diagnosis = diagnose(
      Self.text(count) { frame, _ in
        let frames = String("\(100 + frame % 30)".dropFirst())
        return "\"timecode\":\"00:00:0\(frame / 30):\(frames)\""
      })
    #expect(diagnosis.isImportable == (count == 120))
    #expect(count == 20 || lasts(diagnosis, Self.wholeLength))
  }

  @Test(
    "A clock that starts again while time goes on continues",
    arguments: [4_294_967_296, 2_147_483_648])
  func wraps(period: Int) throws {
    let diagnosis = diagnose(
      Self.text { "\"timestamp_us\":\((period - 1_500_000 + Int($1 * 1e6)) % period)" })
    #expect(diagnosis.isImportable)
    #expect(lasts(diagnosis, Self.wholeLength, within: 0.002))
    #expect(try time(diagnosis).evidence.contains("starts again"))
  }

  @Test("Minutes and seconds may be two fields; hundredths of a second are a unit")
  func otherUnits() throws {
    let parts = diagnose(
      Self.text {
        "\"minutes\":\(Int($1 + 58) / 60),\"seconds\":\(($1 + 58).truncatingRemainder(dividingBy: 60))"
      })
    #expect(lasts(parts, Self.wholeLength, within: 0.002))
    let hundredths = diagnose(Self.text { "\"time_cs\":\($1 * 100)" })
    #expect(lasts(hundredths, Self.wholeLength, within: 0.002))
  }

  @Test("Days of spreadsheets are a clock")
  func days() throws {
    let diagnosis = diagnose(Self.text { "\"date\":\(46_000.5 + $1 / 86_400)" })
    #expect(diagnosis.map?.time.unit == .days)
    #expect(lasts(diagnosis, Self.wholeLength))
  }

  @Test("A clock of whole seconds gives the rate")
  func wholeSeconds() throws {
    let even = diagnose(Self.text { "\"timestamp\":\(1_700_000_000 + Int($1))" })
    #expect(even.map?.time.field == nil && even.map?.time.rate == 30 && even.options.isEmpty)
    let holes = Set(32..<55)
    let uneven = diagnose(Self.text(holes: holes) { "\"timestamp\":\(1_700_000_000 + Int($1))" })
    #expect(!uneven.isImportable)
    #expect(uneven.problems.contains { $0.found.contains("repeats the time of the frame before") })
  }

  @Test("A name against the steps stays unsure, with both")
  func contradiction() throws {
    let found = try time(diagnose(Self.text { "\"time_ms\":\($1)" }))
    #expect(found.certainty == .unsure && found.alternatives == ["ms, as the name says"])
  }

  private static func oddTime(_ kind: String, _ frame: Int, _ time: Double) -> Double {
    switch kind {
    case "zero": frame == 60 ? 0 : time
    case "far ahead": frame == 60 ? 1e5 : time
    case "first": frame == 0 ? 0 : 1_795_600_000 + time
    case "then ms": frame < 60 ? time : 1000 * time
    case "then s": frame < 60 ? 1000 * time : time
    case "shuffled": Double(frame * 7 % 120)
    case "fractions": time - time.rounded(.down)
    default: time / 60
    }
  }

  @Test(
    "Times that no clock shows are refused, with the reason",
    arguments: [
      ("zero", "one frame is far"), ("far ahead", "one frame is far"),
      ("first", "one frame is far"),
      ("then ms", "another unit"), ("then s", "another unit"), ("shuffled", "sort them"),
      ("fractions", "parts of a second"), ("minutes", "`unit: min`"),
    ])
  func oddities(kind: String, reason: String) {
    let diagnosis = diagnose(Self.text { "\"time\":\(Self.oddTime(kind, $0, $1))" })
    #expect(!diagnosis.isImportable)
    let problems = diagnosis.problems.map { $0.found + $0.remedy }
    #expect(problems.contains { $0.contains(reason) }, "\(problems)")
  }

  @Test("Milliseconds in the names of images are times, and ticks of an unknown length no frames")
  func numbersOfImages() throws {
    let named = diagnose(Self.text { "\"image\":\"img_\(Int($1 * 1000))ms.jpg\"" })
    #expect(lasts(named, Self.wholeLength, within: 0.002))
    #expect(try time(named).certainty == .unsure)
    let ticks = diagnose(Self.text { frame, _ in "\"machTime\":\(frame * 800_000)" })
    #expect(try time(ticks).alternatives.contains { $0.contains("timescale") })
  }

  @Test("That no field grows is said only where none does")
  func nothingGrows() throws {
    #expect(try time(diagnose(Self.text { _, _ in "\"a\":1" })).certainty == .sure)
    #expect(
      try time(diagnose(Self.text { frame, _ in "\"a\":\(Double(frame) / 1e7)" })).certainty
        == .unsure)
  }

  @Test("A frame without a pose may lack its time; one with a pose may not")
  func missing() throws {
    let lines = Self.text { "\"t\":\($1)" }.split(separator: "\n").map(String.init)
    var empty = lines
    for index in [0, 50] { empty[index] = #"{"t":null,"joints":null}"# }
    #expect(lasts(diagnose(empty.joined(separator: "\n")), Self.wholeLength))
    empty[70] = lines[70].replacingOccurrences(of: "\"t\":\(70 / 30.0)", with: "\"t\":null")
    let found = diagnose(empty.joined(separator: "\n")).problems.map(\.found)
    #expect(found.contains { $0.contains("`t` is named like a time, but is missing in") })
  }

  @Test("An hour back is the end of summer time where dates have no zone")
  func summertime() throws {
    let diagnosis = diagnose(
      Self.text { frame, _ in
        let clock = frame < 60 ? "02:59:\(58 + frame / 30)" : "02:00:0\((frame - 60) / 30)"
        return "\"time\":\"2026-10-25 \(clock).\(String("\(1000 + frame % 30 * 33)".dropFirst()))\""
      })
    #expect(diagnosis.problems.contains { $0.found.contains("back by an hour") })
  }
}
