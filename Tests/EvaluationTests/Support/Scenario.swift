import Evaluation
import PoseModel

/// A sequence written as text, one letter a frame.
///
/// Plank: n none, f forearm, h high, l sideLeft, r sideRight, v reverse. Form: a aligned, s sag,
/// p pike. In truth `.` is a frame without a label (in form: not judged) and `x` one to ignore.
/// In the determined columns `-` is an undetermined frame and `=` one that shows a held answer.
struct Scenario {
  var name = "sequence"
  var subject: String?
  var tags: [String: String] = [:]
  var times: [Double]
  var plankTruth: String
  var plankAnswers: String
  var formTruth: String?
  var formAnswers: String?
  var plankDetermined: String?
  var formDetermined: String?
  var missing = 0
  var weight: Double?

  /// Frames at an even rate; the answers equal the truth unless given.
  init(
    _ truth: String, answers: String? = nil, rate: Double = 10, start: Double = 0,
    name: String = "sequence", subject: String? = nil
  ) {
    times = (0..<truth.count).map { start + Double($0) / rate }
    plankTruth = truth
    plankAnswers = answers ?? String(truth.map { ".x".contains($0) ? "n" : $0 })
    weight = 1 / rate
    self.name = name
    self.subject = subject
  }

  /// The outcome that evaluation takes.
  var outcome: SequenceOutcome {
    let count = times.count
    return SequenceOutcome(
      name: name, subject: subject, tags: tags, times: times, truth: truth,
      plank: stream(plankAnswers, plankDetermined, Self.plankCode),
      form: stream(
        formAnswers ?? String(repeating: "a", count: count), formDetermined, Self.formCode),
      missingFrames: missing, frameWeight: Seconds(weight ?? medianInterval))
  }

  /// The truth of the frames, through labels: one segment a frame.
  var truth: FrameTruth {
    let form = Array(formTruth ?? String(repeating: ".", count: times.count))
    let segments = Array(plankTruth).enumerated().compactMap { frame, letter -> LabeledSegment? in
      guard letter != "." else { return nil }
      let end = frame + 1 < times.count ? times[frame + 1] : times[frame] + 1
      return LabeledSegment(
        start: Seconds(times[frame]), end: Seconds(end),
        plank: letter == "x" ? nil : PlankClass(rawValue: Self.plankCode(letter)),
        form: "nx".contains(letter) || form[frame] == "."
          ? nil : FormClass(rawValue: Self.formCode(form[frame])))
    }
    guard let track = try? LabelTrack(segments) else {
      preconditionFailure("a scenario's segments are in order")
    }
    return track.truth(at: times)
  }

  private var medianInterval: Double {
    let intervals = zip(times.dropFirst(), times).map { $0 - $1 }.sorted()
    guard !intervals.isEmpty else { return 1.0 / 30 }
    return (intervals[(intervals.count - 1) / 2] + intervals[intervals.count / 2]) / 2
  }

  private func stream(
    _ answers: String, _ determined: String?, _ code: (Character) -> UInt8
  ) -> StreamOutcome {
    let marks = Array(determined ?? answers)
    return StreamOutcome(
      answers: answers.map(code), isDetermined: marks.map { !"-=".contains($0) },
      isHeld: marks.map { $0 == "=" })
  }

  static func plankCode(_ letter: Character) -> UInt8 { code(letter, "nfhlrv") }

  static func formCode(_ letter: Character) -> UInt8 { code(letter, "asp") }

  private static func code(_ letter: Character, _ letters: String) -> UInt8 {
    guard let code = Array(letters).firstIndex(of: letter) else {
      preconditionFailure("a scenario has no letter \(letter)")
    }
    return UInt8(code)
  }
}
