import Evaluation
import PlankDetection
import PoseModel
import Testing
import Tuning

@testable import PlankBench
@testable import Reports

/// Contests of made answers: every person holds a plank for 12 s, and the answers flicker.
enum StagedContest {
  struct Answers {
    var flickers: [Int] = []
    var late = 0
    var hidesStart = false
  }

  private static let count = 120

  private static func codes(_ answers: Answers, _ right: UInt8, _ wrong: UInt8) -> StreamOutcome {
    StreamOutcome(
      answers: (0..<count).map { frame in
        frame < 20 || frame < 20 + answers.late
          || answers.flickers.contains { frame == 40 + 4 * $0 } ? wrong : right
      })
  }

  /// One person's answers: nothing for 2 s, then a plank of 10 s.
  private static func scores(_ person: String?, _ index: Int, _ answers: Answers) throws
    -> SequenceScores
  {
    let times = (0..<count).map { Double($0) / 10 }
    let before = LabeledSegment(
      start: Seconds(0), end: Seconds(2), plank: answers.hidesStart ? nil : PlankClass.none,
      form: nil)
    let track = try LabelTrack([
      before, LabeledSegment(start: Seconds(2), end: Seconds(12), plank: .high, form: .aligned),
    ])
    return SequenceScores(
      SequenceOutcome(
        name: "s\(index)", subject: person, times: times, truth: track.truth(at: times),
        plank: codes(answers, PlankClass.high.code, PlankClass.none.code),
        form: codes(answers, FormClass.aligned.code, FormClass.sag.code),
        frameWeight: Seconds(0.1)))
  }

  static func scores(
    _ people: [String?], _ answers: (Int) -> Answers
  ) throws -> [SequenceScores] {
    try people.enumerated().map { try Self.scores($1, $0, answers($0)) }
  }

  static func answers(_ people: [String?], _ answers: (Int) -> Answers) throws -> PersonalAnswers {
    PersonalAnswers(try scores(people, answers), people: people)
  }

  static func rival(
    _ family: String, _ strategy: String, _ people: [String?], _ answers: (Int) -> Answers
  ) throws -> Rival {
    Rival(
      candidate: .init(family: family, name: strategy, strategy: strategy),
      answers: try Self.answers(people, answers), settings: PerStream(plank: 1, form: 1))
  }

  static func flickering(_ count: Int, late: Int = 0) -> Answers {
    Answers(flickers: Array(0..<count), late: late)
  }

  static let people: [String?] = ["a", "b", "c", "d", "e", "f", "g", "h"]

  /// A smoother that removes half of the flickers and a dwell that removes nearly all.
  static var usual: SteadyContest {
    get throws { try contest(smoothed: { 5 + $0 % 2 }, debounced: { $0 / 2 % 2 }) }
  }

  /// Eight people with about a dozen flickers each, and one candidate per side; without flickers of
  /// the pair, there is no pair.
  static func contest(
    people: [String?] = people, smoothed: (Int) -> Int, debounced: (Int) -> Int,
    combined: ((Int) -> Int)? = nil, dwellIsLate frames: Int = 0, hidesStarts: Bool = false
  ) throws -> SteadyContest {
    func flickering(_ count: Int, late: Int = 0) -> Answers {
      Answers(flickers: Array(0..<count), late: late, hidesStart: hidesStarts)
    }
    let plain = try answers(people) { flickering(11 + $0 % 3) }
    return try #require(
      SteadyContest(
        .usual, plain: plain, people: people,
        smoothing: [
          try rival("ema", "ema:cutoff=2Hz@joints", people) { flickering(smoothed($0)) }
        ],
        debounce: [
          try rival("dwell", "dwell:enter=0.1s,switch=0.1s,exit=0.1s", people) {
            flickering(debounced($0), late: frames)
          }
        ],
        combined: try combined.map { combined in
          [
            try rival("ema + dwell", "--smoothing ema:cutoff=2Hz --debounce dwell", people) {
              flickering(combined($0))
            }
          ]
        } ?? []))
  }
}

@Suite("Contest of smoothers, debounce rules and pairs of both") struct SteadyContestTests {
  @Test(
    "Recommended is what makes fewest wrong changes, and the simpler side of equals",
    arguments: [
      ((5, 6), (0, 1), nil, SteadyContest.Answers.debounced),
      ((0, 1), (5, 6), nil, .smoothed),
      ((5, 6), (4, 3), (0, 1), .combined),
      ((5, 6), (0, 1), (0, 1), .debounced),
      ((12, 13), (13, 12), (0, 1), .combined),
      ((20, 22), (21, 23), (22, 24), nil),
    ] as [((Int, Int), (Int, Int), (Int, Int)?, SteadyContest.Answers?)])
  func recommended(
    smoothed: (Int, Int), debounced: (Int, Int), combined: (Int, Int)?,
    side: SteadyContest.Answers?
  ) throws {
    let contest = try StagedContest.contest(
      smoothed: { $0 % 2 == 0 ? smoothed.0 : smoothed.1 },
      debounced: { $0 % 2 == 0 ? debounced.0 : debounced.1 },
      combined: combined.map { combined in { $0 % 2 == 0 ? combined.0 : combined.1 } })
    #expect(contest.recommended == side, "\(contest.streamSentences)")
    #expect(contest.rounds == SteadyContest.mostRounds && contest.people == 8)
  }

  @Test("One person is judged, too, and the numbers are said to be in sample")
  func onePerson() throws {
    for people in [["a"], [nil]] as [[String?]] {
      let contest = try StagedContest.contest(
        people: people, smoothed: { _ in 6 }, debounced: { _ in 0 })
      #expect(contest.recommended == .debounced && !contest.isHeldOut)
      #expect(contest.method.hasPrefix("In sample:"))
      let advice = try #require(contest.debounce.advice.plank)
      #expect(advice.people == 1 && advice.named == (people[0] != nil) && !advice.step.isProven)
    }
  }

  @Test("Nobody with a label gives no contest")
  func nobody() throws {
    let plain = try StagedContest.answers([]) { _ in .init() }
    #expect(
      SteadyContest(
        .usual, plain: plain, people: [], smoothing: [], debounce: [], combined: []) == nil)
  }

  @Test("What is later than allowed is not recommended, however steady")
  func latency() throws {
    let late = try StagedContest.contest(
      smoothed: { 5 + $0 % 2 }, debounced: { $0 % 2 }, dwellIsLate: 3)
    #expect(late.debounce.choice != nil && late.debounce.sameChoices == late.rounds)
    #expect(late.recommended == .smoothed)
  }

  @Test("Of several candidates, one that is later than allowed is not chosen")
  func lateCandidate() throws {
    let people = StagedContest.people
    let plain = try StagedContest.answers(people) { _ in StagedContest.flickering(8) }
    let rivals = try [4, 0].map { late in
      try StagedContest.rival("dwell", "late \(late)", people) { person in
        StagedContest.flickering(late == 0 ? 2 + person % 2 : 0, late: late)
      }
    }
    let contest = try #require(
      SteadyContest(
        .usual, plain: plain, people: people, smoothing: [], debounce: rivals, combined: []))
    #expect(contest.debounce.choice?.name == "late 0")
  }

  @Test("What only one person's own answers favor is chosen for others, not for that person")
  func heldOut() throws {
    // Each candidate is perfect for one group and bad for all others: in sample, any of them beats
    // the answers as they are; held out, none does.
    let people = StagedContest.people
    let plain = try StagedContest.answers(people) { _ in StagedContest.flickering(8) }
    let rivals = try (0..<5).map { lucky in
      try StagedContest.rival("dwell", "rule \(lucky)", people) { person in
        StagedContest.flickering(person % 5 == lucky ? 0 : 9)
      }
    }
    let contest = try #require(
      SteadyContest(
        .usual, plain: plain, people: people, smoothing: [], debounce: rivals, combined: []))
    #expect(contest.debounce.choice != nil)
    #expect(try #require(contest.debounce.falseTransitionsAdvice.plank).gain < 0)
    #expect(contest.recommended == nil && contest.smoothing.advice.plank?.step == .same)
    #expect(contest.leading == .debounced)
  }

  @Test(
    "Where a choice among many is not advised, the usual candidate is judged, if it is among them")
  func usualCandidate() throws {
    // In sample, a rule that is perfect for one group beats the usual one, which helps everybody a bit.
    let people = StagedContest.people
    let plain = try StagedContest.answers(people) { _ in StagedContest.flickering(8) }
    let lucky = try (0..<5).map { lucky in
      try StagedContest.rival("dwell", "rule \(lucky)", people) { person in
        StagedContest.flickering(person % 5 == lucky ? 0 : 9)
      }
    }
    func debounce(usual count: Int) throws -> SteadyContest.Side {
      let usual = try StagedContest.rival("dwell", SteadyContest.usual[1], people) { _ in
        StagedContest.flickering(count)
      }
      let contest = try #require(
        SteadyContest(
          .usual, plain: plain, people: people, smoothing: [], debounce: lucky + [usual],
          combined: []))
      #expect((contest.recommended == .debounced) == (contest.debounce.isUsual ?? false))
      return contest.debounce
    }
    let taken = try debounce(usual: 7)
    #expect(taken.isUsual == true && taken.choice?.strategy == SteadyContest.usual[1])
    #expect(taken.count == 6)
    let kept = try debounce(usual: 10)
    #expect(kept.isUsual == nil && kept.choice?.name.hasPrefix("rule") ?? false)
  }
}

@Suite("Grid of debounce rules") struct DebounceGridTests {
  @Test(
    "Every kind of rule competes, bands among them, and each text is what it is",
    arguments: ["gravity", "coach", "profile"])
  func complete(name: String) throws {
    let definition = try #require(DetectorDefinition.builtIn(named: name))
    var parameters = definition.defaults
    try parameters.set("plank_frames=5")
    let rules = try DebounceGrid(
      detector: try BatchDetector(definition, parameters: parameters)
    ).rules()
    #expect(
      Set(rules.map(\.candidate.family)) == [
        "dwell", "consecutive", "vote", "bands", "bands + dwell",
        "dwell of planks, bands of form",
      ])
    #expect(Set(rules.map(\.candidate.strategy)).count == rules.count)
    for rule in rules {
      #expect(
        rule.detector.parameters[.plankFrames] == (rule.candidate.family == "bands" ? 5 : 1))
      let read = try DebounceStrategy(
        text: rule.candidate.strategy, parameters: definition.parameters)
      #expect(read == rule.detector.debounce)
      let replaced = rule.candidate.family == "bands" ? [] : ["plank_frames=1"]
      #expect(rule.candidate.settings == replaced)
    }
  }

  @Test("Bands around angles are as wide as their name says, and the sag of `gravity` follows")
  func widths() throws {
    func halfWidths(_ definition: DetectorDefinition, _ name: String) throws -> [String: Double] {
      let rules = try DebounceGrid(detector: try BatchDetector(definition)).rules()
      let rule = try #require(rules.first { $0.candidate.name == name })
      return Dictionary(
        uniqueKeysWithValues: rule.detector.debounce.bands.map {
          ($0.parameter.rawValue, $0.halfWidth)
        })
    }
    let angles = try halfWidths(.profile, "bands of 4 deg")
    #expect(angles["profile_sag_angle"] == 4 && angles["profile_leg_angle"] == 4)
    #expect(angles["profile_confidence"] == 0.04)
    let lengths = try halfWidths(.gravity, "bands of 4 deg")
    #expect(lengths["sag"] == 0.02 && lengths["elbow_split"] == 4)
    #expect(try halfWidths(.scaled, "bands of 4 deg")["sag_fraction"] == 0.012)
    let form = try halfWidths(.coach, "a dwell of 0.3 s for planks, bands of 5 deg for form")
    #expect(form == ["coach_sag_angle": 5, "coach_pike_angle": 5])
  }

  @Test("A pair's strategy is the two options of `evaluate` that run it")
  func pairs() throws {
    let smoother = try SmoothingChoice(text: "ema:cutoff=1.06Hz@joints")
    let grid = DebounceGrid(detector: try BatchDetector(.coach))
    let pairs = try grid.pairs(behind: smoother)
    #expect(pairs.rules.count == 12 && pairs.smoother == smoother)
    for rule in pairs.rules {
      let words = rule.candidate.strategy.split(separator: " ").map(String.init)
      #expect(words.count == 4 && words[0] == "--smoothing" && words[2] == "--debounce")
      #expect(try SmoothingChoice(text: words[1]) == smoother)
      // Bands are a set: their order is that of the rules or that of the catalogue.
      let typed = try DebounceStrategy(text: words[3]).text.split(separator: ",")
      #expect(Set(typed) == Set(rule.detector.debounce.text.split(separator: ",")))
      #expect(rule.candidate.family.hasPrefix("ema + "))
    }
  }
}
