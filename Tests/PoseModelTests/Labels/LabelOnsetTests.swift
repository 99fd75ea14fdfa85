import PoseModel
import Testing

@Suite("Label onsets")
struct LabelOnsetTests {
  /// none to 1 s, ignored to 2 s, a straight forearm plank to 4 s, unjudged to 5 s, a sag to 6 s,
  /// unlabeled to 7 s, a high plank to 8 s.
  private let track: LabelTrack

  init() throws {
    track = try LabelTrack([
      Self.segment(0, 1, PlankClass.none), Self.segment(1, 2, nil),
      Self.segment(2, 4, .forearm, .aligned), Self.segment(4, 5, .forearm),
      Self.segment(5, 6, .forearm, .sag), Self.segment(7, 8, .high),
    ])
  }

  private static func segment(
    _ start: Double, _ end: Double, _ plank: PlankClass?, _ form: FormClass? = nil
  ) -> LabeledSegment {
    LabeledSegment(start: Seconds(start), end: Seconds(end), plank: plank, form: form)
  }

  private static func onset(
    _ time: Double, _ plank: PlankClass? = nil, _ form: FormClass? = nil
  ) -> LabelOnset {
    LabelOnset(time: Seconds(time), plank: plank, form: form)
  }

  @Test("Frames between labels have the class before the onset, and from it the class after")
  func filled() throws {
    let onsets = [
      Self.onset(1.5, .forearm), Self.onset(4.75, nil, .sag), Self.onset(6.5, .high),
    ]
    let times = (0..<16).map { Double($0) / 2 }
    let truth = try track.adding(onsets).truth(at: times)
    let (none, forearm, high) = (UInt8(0), UInt8(1), UInt8(2))
    #expect(
      truth.codesWithOnsets(.plank)
        == [none, none, none] + Array(repeating: forearm, count: 10) + [high, high, high])
    #expect(truth.codesWithOnsets(.form)[4..<12] == [0, 0, 0, 0, 0, 0, 1, 1])
  }

  @Test("Frames are scored by the labels alone")
  func scoring() throws {
    let times = (0..<16).map { Double($0) / 2 }
    let truth = try track.adding([Self.onset(1.5, .forearm)]).truth(at: times)
    let plain = track.truth(at: times)
    #expect(truth.plank == plain.plank && truth.form == plain.form)
    #expect(plain.codesWithOnsets(.plank) == plain.plank)
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
      ([onset(1.5, .forearm), onset(1.5, nil, .sag)], 1, .outOfOrder),
      ([onset(1.5)], 0, .empty),
      ([onset(3, .high)], 0, .labeled),
      ([onset(0.5, .forearm)], 0, .labeled),
      ([onset(7.5, .high)], 0, .labeled),
      ([onset(-1, PlankClass.none)], 0, .notBetweenLabels),
      ([onset(9, .high)], 0, .notBetweenLabels),
      ([onset(1.5, nil, .aligned)], 0, .notBetweenLabels),
      ([onset(1.5, .high)], 0, .otherClass),
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
    let track = try LabelTrack([Self.segment(0, 1, .high), Self.segment(2, 3, .high)])
    let error = #expect(throws: LabelOnsetError.self) {
      try track.adding([Self.onset(1.5, .high)])
    }
    #expect(error?.problem == .noChange)
  }
}
