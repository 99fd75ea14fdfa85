import PoseModel
import TestSupport
import Testing

@Suite("Label tracks") struct LabelTrackTests {
  private static let faults: [(LabeledSegment, LabelTrackError.Problem)] = [
    (LabeledSegment(2, 2, .high), .endsBeforeItStarts),
    (LabeledSegment(3, 2, .high), .endsBeforeItStarts),
    (LabeledSegment(.nan, 2, .high), .notFinite), (LabeledSegment(2, .infinity, .high), .notFinite),
    (LabeledSegment(0.5, 0.75, .high), .outOfOrder), (LabeledSegment(1.5, 3, .high), .overlaps),
    (LabeledSegment(1, 3, .high), .overlaps),
    (LabeledSegment(2, 3, PlankClass.none, .sag), .formWithoutPlank),
    (LabeledSegment(2, 3, nil, .aligned), .formWithoutPlank),
  ]

  @Test("The first segment that breaks a rule is reported with the rule", arguments: faults)
  func firstFault(segment: LabeledSegment, problem: LabelTrackError.Problem) throws {
    let error = try #require(throws: LabelTrackError.self) {
      try LabelTrack([LabeledSegment(1, 2, .high), segment])
    }
    #expect(error.segment == 1)
    #expect(error.problem == problem)
    #expect(error.description == problem.rawValue)
  }

  @Test("A frame at a segment's start belongs to it, one at its end does not")
  func halfOpen() throws {
    let track = try LabelTrack([LabeledSegment(1, 2, .high, .pike), LabeledSegment(2, 3, .reverse)])
    let truth = track.truth(at: [0.5, 1, 1.5, 2, 3, 4])
    let unlabeled = FrameTruth.unlabeled
    #expect(truth.plank == [unlabeled, 2, 2, 5, unlabeled, unlabeled])
    #expect(truth.form == [unlabeled, 2, 2, FrameTruth.unjudged, unlabeled, unlabeled])
  }

  @Test("Ignored and unlabeled frames are not scored; the truth of no plank has no form")
  func codes() throws {
    let track = try LabelTrack([LabeledSegment(0, 1, nil), LabeledSegment(1, 2, PlankClass.none)])
    let truth = track.truth(at: [0, 1, 2])
    #expect(truth.plank == [FrameTruth.ignored, 0, FrameTruth.unlabeled])
    #expect(truth.form == [FrameTruth.ignored, FrameTruth.unjudged, FrameTruth.unlabeled])
    #expect(truth.codes(.plank).map(FrameTruth.isScored) == [false, true, false])
    #expect(truth.codes(.form).map(FrameTruth.isScored) == [false, false, false])
  }
}

@Suite("Label onsets") struct LabelOnsetTests {
  /// none to 1 s, ignored to 2 s, a straight forearm plank to 4 s, unjudged to 5 s, a sag to 6 s,
  /// unlabeled to 7 s, a high plank to 8 s.
  private let track: LabelTrack

  init() throws {
    track = try LabelTrack([
      LabeledSegment(0, 1, PlankClass.none), LabeledSegment(1, 2, nil),
      LabeledSegment(2, 4, .forearm, .aligned), LabeledSegment(4, 5, .forearm),
      LabeledSegment(5, 6, .forearm, .sag), LabeledSegment(7, 8, .high),
    ])
  }

  private static func onset(
    _ time: Double, _ plank: PlankClass? = nil, _ form: FormClass? = nil
  ) -> LabelOnset {
    LabelOnset(time: Seconds(time), plank: plank, form: form)
  }

  @Test("Frames between labels have the class before the onset, and from it the class after")
  func filled() throws {
    let onsets = [Self.onset(1.5, .forearm), Self.onset(4.75, nil, .sag), Self.onset(6.5, .high)]
    let times = (0..<16).map { Double($0) / 2 }
    let truth = try track.adding(onsets).truth(at: times)
    let (none, forearm, high) = (UInt8(0), UInt8(1), UInt8(2))
    #expect(
      truth.codesWithOnsets(.plank)
        == [none, none, none] + Array(repeating: forearm, count: 10) + [high, high, high])
    #expect(truth.codesWithOnsets(.form)[4..<12] == [0, 0, 0, 0, 0, 0, 1, 1])
  }

  @Test("An onset at the edge of a label moves the change there")
  func edges() throws {
    let times = [0, 0.5, 1, 1.5, 2, 2.5]
    let early = try track.adding([Self.onset(1, .forearm)]).truth(at: times)
    #expect(early.codesWithOnsets(.plank) == [0, 0, 1, 1, 1, 1])
    let late = try track.adding([Self.onset(2, .forearm)]).truth(at: times)
    #expect(late.codesWithOnsets(.plank) == [0, 0, 0, 0, 1, 1])
  }

  @Test("A recording without a frame of the label behind the onset learns nothing from it")
  func cutOff() throws {
    let truth = try track.adding([Self.onset(1.5, .forearm)]).truth(at: [0, 1, 1.5])
    #expect(truth.codesWithOnsets(.plank) == truth.plank)
  }

  @Test(
    "Onsets that do not fit the labels are errors",
    arguments: [
      ([onset(.nan, .forearm)], 0, LabelOnsetError.Problem.notFinite),
      ([onset(1.5, .forearm), onset(1.5, nil, .sag)], 1, .outOfOrder), ([onset(1.5)], 0, .empty),
      ([onset(3, .high)], 0, .labeled), ([onset(0.5, .forearm)], 0, .labeled),
      ([onset(7.5, .high)], 0, .labeled), ([onset(-1, PlankClass.none)], 0, .notBetweenLabels),
      ([onset(9, .high)], 0, .notBetweenLabels),
      ([onset(1.5, nil, .aligned)], 0, .notBetweenLabels), ([onset(1.5, .high)], 0, .otherClass),
      ([onset(4.5, .forearm)], 0, .labeled),
      ([onset(1.2, .forearm), onset(1.5, .forearm)], 1, .repeated),
      ([onset(1.5, .forearm), onset(4.5, nil, .pike)], 1, .otherClass),
    ])
  func errors(onsets: [LabelOnset], index: Int, problem: LabelOnsetError.Problem) {
    let error = #expect(throws: LabelOnsetError.self) { try track.adding(onsets) }
    #expect(error?.onset == index && error?.problem == problem)
  }

  @Test("Between two labels of one class nothing starts")
  func sameClass() throws {
    let track = try LabelTrack([LabeledSegment(0, 1, .high), LabeledSegment(2, 3, .high)])
    let error = #expect(throws: LabelOnsetError.self) { try track.adding([Self.onset(1.5, .high)]) }
    #expect(error?.problem == .noChange)
  }
}

@Suite("Classes") struct ClassTests {
  @Test("Plank classes are in the order of every matrix, `none` first")
  func planks() {
    #expect(
      PlankClass.allCases.map(\.name) == [
        "none", "forearm", "high", "sideLeft", "sideRight", "reverse",
      ])
    #expect(PlankClass.allCases.map(\.code) == [0, 1, 2, 3, 4, 5])
  }

  @Test("Form classes are in the order of every matrix, `aligned` first")
  func forms() {
    #expect(FormClass.allCases.map(\.name) == ["aligned", "sag", "pike"])
    #expect(FormClass.allCases.map(\.code) == [0, 1, 2])
  }
}

@Suite("Nearest names") struct NearestNamesTests {
  private let known = ["plank.f1_macro", "plank.f1_weighted", "form.f1_macro", "sag", "side_rise"]

  @Test("The nearest name comes first, equally near ones in their order")
  func order() {
    #expect(NearestNames.of("plank.f1_marco", among: known).first == "plank.f1_macro")
    #expect(NearestNames.of("f1_macro", among: known) == ["form.f1_macro", "plank.f1_macro"])
    #expect(NearestNames.of("sagox", among: ["sag", "sago"]) == ["sago", "sag"])
  }

  @Test("What is unlike every name has none", arguments: ["", "wheelbarrow", "xyz"])
  func strange(typed: String) {
    #expect(NearestNames.of(typed, among: known).isEmpty)
    #expect(NearestNames.suggestion(typed, among: known) == nil)
  }

  @Test("A question suggests at most three names")
  func suggestion() {
    #expect(NearestNames.suggestion("saag", among: known) == "did you mean `sag`?")
    #expect(
      NearestNames.suggestion("ab1", among: ["ab2", "ab3", "ab4", "ab5"])
        == "did you mean `ab2`, `ab3` or `ab4`?")
  }

  @Test(
    "The edit distance counts insertions, deletions and replacements",
    arguments: [("kitten", "sitting", 3), ("", "abc", 3), ("abc", "", 3), ("same", "same", 0)])
  func distance(one: String, other: String, expected: Int) {
    #expect(EditDistance.between(Array(one.utf8), Array(other.utf8)) == expected)
    #expect(EditDistance.between(Array(other.utf8), Array(one.utf8)) == expected)
  }

  @Test(
    "Distances are those of the whole table, also where a column has several words",
    arguments: [(0, 5), (1, 1), (63, 64), (64, 64), (65, 130), (200, 3), (129, 257)])
  func table(one: Int, other: Int) {
    for codes in [1, 2, 6] {
      // Multiples of an odd number, taken apart: no two runs repeat within these lengths.
      let left = (0..<one).map { UInt8(($0 &* 2_654_435_761) >> 16 % codes) }
      let right = (0..<other).map { UInt8((($0 + 7) &* 2_246_822_519) >> 16 % codes) }
      #expect(EditDistance.between(left, right) == Self.distance(left, right))
    }
  }

  /// By the definition: the distances of all beginnings.
  private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
    var row = Array(0...other.count)
    for (i, left) in one.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, right) in other.enumerated() {
        let replaced = diagonal + (left == right ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replaced, min(row[j], diagonal) + 1)
      }
    }
    return row[other.count]
  }
}
