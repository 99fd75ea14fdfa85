import PoseModel
import Testing

@Suite("Label tracks")
struct LabelTrackTests {
  private static func segment(
    _ start: Double, _ end: Double, _ plank: PlankClass? = .high, _ form: FormClass? = nil
  ) -> LabeledSegment {
    LabeledSegment(start: Seconds(start), end: Seconds(end), plank: plank, form: form)
  }

  private static let faults: [(LabeledSegment, LabelTrackError.Problem)] = [
    (segment(2, 2), .endsBeforeItStarts), (segment(3, 2), .endsBeforeItStarts),
    (segment(.nan, 2), .notFinite), (segment(2, .infinity), .notFinite),
    (segment(0.5, 0.75), .outOfOrder), (segment(1.5, 3), .overlaps), (segment(1, 3), .overlaps),
    (segment(2, 3, PlankClass.none, .sag), .formWithoutPlank),
    (segment(2, 3, nil, .aligned), .formWithoutPlank),
  ]

  @Test("The first segment that breaks a rule is reported with the rule", arguments: faults)
  func firstFault(segment: LabeledSegment, problem: LabelTrackError.Problem) throws {
    let error = try #require(throws: LabelTrackError.self) {
      try LabelTrack([Self.segment(1, 2), segment])
    }
    #expect(error.segment == 1)
    #expect(error.problem == problem)
    #expect(error.description == problem.rawValue)
  }

  @Test("Touching segments, gaps and no segments at all are legal")
  func legal() throws {
    let segments = [
      Self.segment(0, 1, .forearm, .sag), Self.segment(1, 2, nil), Self.segment(5, 6),
    ]
    #expect(try LabelTrack(segments).segments == segments)
    #expect(try LabelTrack([]).segments.isEmpty)
  }

  @Test("A frame at a segment's start belongs to it, one at its end does not")
  func halfOpen() throws {
    let track = try LabelTrack([Self.segment(1, 2, .high, .pike), Self.segment(2, 3, .reverse)])
    let truth = track.truth(at: [0.5, 1, 1.5, 2, 3, 4])
    let unlabeled = FrameTruth.unlabeled
    #expect(truth.plank == [unlabeled, 2, 2, 5, unlabeled, unlabeled])
    #expect(truth.form == [unlabeled, 2, 2, FrameTruth.unjudged, unlabeled, unlabeled])
  }

  @Test("Times are compared without tolerance")
  func noTolerance() throws {
    let track = try LabelTrack([Self.segment(1, 2)])
    let truth = track.truth(at: [(1.0).nextDown, 1, (2.0).nextDown, 2])
    #expect(truth.plank == [FrameTruth.unlabeled, 2, 2, FrameTruth.unlabeled])
  }

  @Test("Ignored and unlabeled frames are not scored; the truth of no plank has no form")
  func codes() throws {
    let track = try LabelTrack([Self.segment(0, 1, nil), Self.segment(1, 2, PlankClass.none)])
    let truth = track.truth(at: [0, 1, 2])
    #expect(truth.plank == [FrameTruth.ignored, 0, FrameTruth.unlabeled])
    #expect(truth.form == [FrameTruth.ignored, FrameTruth.unjudged, FrameTruth.unlabeled])
    #expect(truth.codes(.plank).map(FrameTruth.isScored) == [false, true, false])
    #expect(truth.codes(.form).map(FrameTruth.isScored) == [false, false, false])
  }

  @Test("Segments between two frames label none of them")
  func skippedSegments() throws {
    let segments = stride(from: 0.0, to: 1, by: 0.125).map { Self.segment($0, $0 + 0.125) }
    let truth = try LabelTrack(segments + [Self.segment(1, 2, .reverse)]).truth(at: [0.5, 1.5])
    #expect(truth.plank == [2, 5])
  }
}
