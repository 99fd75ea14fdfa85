import Evaluation
import Foundation
import PlankDetection
import PoseModel
import Statistics
import Testing
import Tuning

@testable import PlankBench

/// Contests of made answers: every person holds a plank for 12 s, and the answers flicker.
enum StagedContest {
  /// How the answers of both streams go wrong for one person.
  struct Answers {
    /// Frames at which the answer is another class for one frame.
    var flickers: [Int] = []
    /// How many frames pass before the first right answer.
    var late = 0
    /// Whether the labels leave out what comes before the plank.
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

  /// The answers of every person, by position.
  static func answers(_ people: [String?], _ answers: (Int) -> Answers) throws -> PersonalAnswers {
    let found = try people.enumerated().map { try Self.scores($1, $0, answers($0)) }
    return PersonalAnswers(found, people: people)
  }

  static func rival(
    _ family: String, _ strategy: String, _ people: [String?], _ answers: (Int) -> Answers
  ) throws -> Rival {
    Rival(
      candidate: .init(family: family, name: strategy, strategy: strategy),
      answers: try Self.answers(people, answers))
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

@Suite("Contest of smoothers, debounce rules and pairs of both")
struct SteadyContestTests {
  @Test(
    "The advice is what the data shows",
    arguments: [
      ((5, 6), (0, 1), SteadyAdvice.debounce), ((0, 1), (5, 6), .smooth),
      ((3, 4), (4, 3), .either), ((12, 13), (0, 1), .debounceAlone),
      ((0, 1), (12, 13), .smoothAlone), ((12, 13), (13, 12), .keep),
    ])
  func advice(smoothed: (Int, Int), debounced: (Int, Int), advice: SteadyAdvice) throws {
    let contest = try StagedContest.contest(
      smoothed: { $0 % 2 == 0 ? smoothed.0 : smoothed.1 },
      debounced: { $0 / 2 % 2 == 0 ? debounced.0 : debounced.1 })
    let found = contest.rows.filter(\.isPrimary).map { $0[.debouncedMinusSmoothed] }
    #expect(contest.advice == advice, "\(found)")
    #expect(contest.rounds == SteadyContest.mostRounds && contest.people == 8)
  }

  @Test(
    "A pair is advised only if it does more than what is advised without it",
    arguments: [
      ((5, 6), (4, 3), (0, 1), SteadyAdvice.combine, "Smooth and debounce, with `--smoothing ema"),
      ((5, 6), (0, 1), (1, 0), .debounce, "Debounce rather than smooth"),
      ((12, 13), (13, 12), (0, 1), .combineAlone, "Smooth and debounce, with `--smoothing ema"),
      ((0, 1), (5, 6), (3, 4), .smooth, "Smooth rather than debounce"),
      ((12, 13), (13, 12), (12, 11), .keep, "Keep the answers as they are"),
    ])
  func pairs(
    smoothed: (Int, Int), debounced: (Int, Int), combined: (Int, Int), advice: SteadyAdvice,
    sentence: String
  ) throws {
    let contest = try StagedContest.contest(
      smoothed: { $0 % 2 == 0 ? smoothed.0 : smoothed.1 },
      debounced: { $0 / 2 % 2 == 0 ? debounced.0 : debounced.1 },
      combined: { $0 / 4 % 2 == 0 ? combined.0 : combined.1 })
    #expect(contest.advice == advice)
    #expect(contest.sentence.hasPrefix(sentence), "\(contest.sentence)")
    #expect(contest.method.contains("Both together: 1 family of 1."))
  }

  @Test("Every difference is of the two sides that its name says")
  func differences() throws {
    let contest = try StagedContest.contest(
      smoothed: { 5 + $0 % 2 }, debounced: { 3 + $0 / 2 % 2 }, combined: { $0 / 4 % 2 })
    let row = try #require(contest.row(SteadyContest.primary, .plank))
    for contrast in SteadyContest.Contrast.allCases {
      let (judged, other) = contrast.sides
      let values = try [judged, other].map { try #require(row[$0].value.number) }
      let difference = try #require(row[contrast].value)
      #expect(abs(difference - (values[0] - values[1])) < 1e-9, "\(contrast.name)")
    }
    #expect(row.smoothed.value != row.combined.value && row.debounced.value != row.combined.value)
  }

  @Test("Every sentence of advice begins with what to do")
  func sentences() throws {
    let usual = try StagedContest.usual
    #expect(usual.sentence.hasPrefix("Debounce rather than smooth: with `dwell:enter=0.1s"))
    #expect(
      usual.streamSentences[0].hasPrefix("plank, debounced minus smoothed: -")
        && usual.streamSentences[0].contains("wrong changes/min, debouncing is better;"))
    let keep = try StagedContest.contest(smoothed: { 12 + $0 % 2 }, debounced: { 11 + $0 % 4 })
    #expect(keep.sentence.hasPrefix("Keep the answers as they are"))
    #expect(keep.streamSentences[0].contains("minus as it is: "))
  }

  @Test("One person is too few to tell, and the numbers are said to be in sample")
  func onePerson() throws {
    for people in [["a"], [nil]] as [[String?]] {
      let contest = try StagedContest.contest(
        people: people, smoothed: { _ in 6 }, debounced: { _ in 0 })
      #expect(contest.advice == .tooFewPeople && !contest.isHeldOut)
      #expect(contest.sentence.hasPrefix("Too few people to tell"))
      #expect(contest.method.hasPrefix("In sample:"))
      #expect(contest.rows.allSatisfy { $0[.debouncedMinusSmoothed].interval.interval == nil })
    }
  }

  @Test("Differences that are alike for all people are said to be so, not only left open")
  func alike() throws {
    let same = try StagedContest.contest(smoothed: { 11 + $0 % 3 }, debounced: { 11 + $0 % 3 })
    #expect(same.advice == .keep)
    for sentence in same.streamSentences {
      #expect(sentence.contains("0.0 wrong changes/min, the same for every person"))
    }
    let fewer = try StagedContest.contest(smoothed: { 10 + $0 % 3 }, debounced: { 11 + $0 % 3 })
    for sentence in fewer.streamSentences {
      #expect(sentence.contains("wrong changes/min, alike for all 8 people, cannot tell"))
    }
  }

  @Test("A share that is perfect in everyone has the interval that so many people allow")
  func perfectShares() throws {
    let rows = try StagedContest.usual.rows.filter { $0.key.metric == .hitRate }
    let perfect = rows.flatMap { [$0.plain, $0.smoothed, $0.debounced] }
      .filter { $0.value.number == 1 }
    #expect(!perfect.isEmpty, "\(rows.map(\.plain))")
    for number in perfect {
      let interval = try #require(number.interval.interval)
      #expect(interval.method == .alike && interval.upper == 1)
      #expect(abs(interval.lower - pow(0.05, 1.0 / 8)) < 1e-9)
    }
  }

  @Test("Without an observed start, the screen says why there is no latency")
  func unknownLatency() throws {
    let usual = try StagedContest.usual
    #expect(usual.unknownLatency == nil)
    let hidden = try StagedContest.contest(
      smoothed: { 5 + $0 % 2 }, debounced: { $0 / 2 % 2 }, hidesStarts: true)
    #expect(hidden.unknownLatency?.contains("no start was observed") == true)
    #expect(!hidden.sentence.contains("added latency"), "no latency was limited")
    let kept = try StagedContest.contest(
      smoothed: { 12 + $0 % 2 }, debounced: { 11 + $0 % 4 }, hidesStarts: true)
    #expect(
      kept.sentence
        == "Keep the answers as they are: no smoother, no debounce rule and no pair of them is shown "
        + "to make wrong changes of the answer rarer.")
  }

  @Test("Nobody with a label gives no contest")
  func nobody() throws {
    let plain = try StagedContest.answers([]) { _ in .init() }
    #expect(
      SteadyContest(
        .usual, plain: plain, people: [], smoothing: [], debounce: [], combined: []) == nil)
  }

  @Test("A candidate that is later than allowed is not chosen, however steady")
  func latency() throws {
    let late = try StagedContest.contest(
      smoothed: { 5 + $0 % 2 }, debounced: { $0 % 2 }, dwellIsLate: 3)
    #expect(late.debounce.choice == nil && late.debounce.sameChoices == late.rounds)
    #expect(late.advice == .smoothAlone)
    let soon = try StagedContest.contest(
      smoothed: { 5 + $0 % 2 }, debounced: { $0 % 2 }, dwellIsLate: 2)
    #expect(soon.debounce.choice != nil)
    let row = try #require(soon.row(.detectionLatencyMedian, .plank))
    #expect(abs((row[.debouncing].value ?? 0) - 0.2) < 1e-9)
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
    let row = try #require(contest.row(SteadyContest.primary, .plank))
    #expect(contest.debounce.choice != nil)
    #expect(try #require(row[.debouncing].value) > 0)
    #expect(row[.smoothing].value == 0 && contest.smoothing.count == 0)
  }

  @Test("The candidates of every family are counted")
  func families() throws {
    let contest = try StagedContest.usual
    #expect(contest.smoothing.families.map(\.name) == ["ema"] && contest.smoothing.count == 1)
    #expect(contest.method.contains("Smoothers without look-ahead: 1 family of 1."))
  }
}

@Suite("Grid of debounce rules")
struct DebounceGridTests {
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
      #expect(rule.detector.parameters[.plankFrames] == 1)
      let read = try DebounceStrategy(
        text: rule.candidate.strategy, parameters: definition.parameters)
      #expect(read == rule.detector.debounce)
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
