import Evaluation
import PoseModel
import TestSupport

/// A sequence written as text, one letter per frame.
///
/// Plank: n none, f forearm, h high, l sideLeft, r sideRight, v reverse. Form: a aligned, s sag,
/// p pike. In truth `.` is a frame without a label (in form: not judged) and `x` one to ignore.
/// In the determined columns `-` is an undetermined frame and `=` one that shows a held answer.
struct Scenario {
  var name = "sequence"
  var subject: String?
  var source: String?
  var tags: [String: String] = [:]
  var times: [Double]
  var plankTruth: String
  var plankAnswers: String
  var formTruth: String?
  var formAnswers: String?
  var plankDetermined: String?
  var formDetermined: String?
  /// When classes truly began among frames without a label.
  var onsets: [LabelOnset] = []
  /// What the person does; nil if nobody says so.
  var activities: ActivityTrack?
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
      name: name, subject: subject, source: source, tags: tags, activities: activities,
      times: times, truth: truth, plank: stream(plankAnswers, plankDetermined, Self.plankCode),
      form: stream(
        formAnswers ?? String(repeating: "a", count: count), formDetermined, Self.formCode),
      missingFrames: missing, frameWeight: Seconds(weight ?? medianInterval))
  }

  /// The truth of the frames, through labels: one segment per frame.
  var truth: FrameTruth {
    let form = Array(formTruth ?? String(repeating: ".", count: times.count))
    let segments = Array(plankTruth).enumerated().compactMap { frame, letter -> LabeledSegment? in
      guard letter != "." else { return nil }
      let end = frame + 1 < times.count ? times[frame + 1] : times[frame] + 1
      return LabeledSegment(
        start: Seconds(times[frame]), end: Seconds(end),
        plank: letter == "x" ? nil : PlankClass(code: Self.plankCode(letter)),
        form: "nx".contains(letter) || form[frame] == "."
          ? nil : FormClass(code: Self.formCode(form[frame])))
    }
    guard let track = try? LabelTrack(segments).adding(onsets) else {
      preconditionFailure("a scenario's segments are in order, and onsets between them")
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

extension Scenario {
  /// A random sequence of runs with uneven times, gaps, unscored stretches and dropouts.
  static func random(seed: UInt64, name: String = "random", frames: Int = 120) -> Scenario {
    var random = SplitMix64(seed: seed)
    let truth = runs("nfhlrvnfh.x", frames, &random)
    var scenario = Scenario(truth, name: name)
    scenario.subject = random.unit() < 0.2 ? nil : "s\(random.index(below: 4))"
    scenario.tags = random.unit() < 0.5 ? ["light": random.unit() < 0.5 ? "dim" : "bright"] : [:]
    var time = 100 * random.unit()
    scenario.times = (0..<frames).map { _ in
      time += random.unit() < 0.02 ? 0.9 * random.unit() + 0.1 : 0.02 + 0.05 * random.unit()
      return time
    }
    scenario.weight = nil
    scenario.formTruth = runs("aasp.", frames, &random)
    scenario.plankAnswers = noisy(truth, "nfhlrv", &random)
    scenario.formAnswers = noisy(scenario.formTruth ?? "", "asp", &random)
    scenario.plankDetermined = runs("ddddd-=", frames, &random)
    scenario.formDetermined = runs("ddd-=", frames, &random)
    scenario.missing = random.index(below: 5)
    return scenario
  }

  private static func runs(
    _ letters: String, _ count: Int, _ random: inout SplitMix64
  ) -> String {
    let alphabet = Array(letters)
    var text = ""
    while text.count < count {
      let letter = alphabet[random.index(below: alphabet.count)]
      text += String(repeating: letter, count: 1 + random.index(below: 25))
    }
    return String(text.prefix(count))
  }

  private static func noisy(
    _ truth: String, _ letters: String, _ random: inout SplitMix64
  ) -> String {
    let alphabet = Array(letters)
    return String(
      truth.map { letter in
        alphabet.contains(letter) && random.unit() < 0.85
          ? letter : alphabet[random.index(below: alphabet.count)]
      })
  }
}

extension GateSide {
  /// People with twenty frames of a high plank each, of which the first few are answered none.
  static func scripted(_ wrong: [Int], tags: [[String: String]] = []) -> GateSide {
    GateSide(
      sequences: wrong.enumerated().map { index, count in
        var scenario = Scenario(
          String(repeating: "h", count: 20),
          answers: String(repeating: "n", count: count)
            + String(repeating: "h", count: 20 - count),
          name: "q\(index + 1)", subject: "s\(index + 1)")
        if index < tags.count { scenario.tags = tags[index] }
        return SequenceScores(scenario.outcome)
      })
  }
}
