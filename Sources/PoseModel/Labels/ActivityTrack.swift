/// A person's activities in one recording, including exercises other than planks.
///
/// Segments are sorted and do not overlap; gaps between them are allowed.
package struct ActivityTrack: Hashable, Sendable {
  package let segments: [ActivitySegment]

  package init(_ segments: [ActivitySegment]) throws(LabelTrackError) {
    _ = try LabelTrack(segments.map { LabeledSegment(start: $0.start, end: $0.end, plank: nil) })
    self.segments = segments
  }

  package var names: [String] { segments.map { $0.name }.distinct }

  /// Returns the activity of each frame as an index into `names`; nil where no segment covers the
  /// frame.
  ///
  /// Times are in seconds and strictly increasing. A frame at a segment's start belongs to the
  /// segment, and a frame at its end does not.
  package func activities(at times: [Double]) -> [Int?] {
    let places = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    let own = segments.map { places[$0.name] }
    var next = 0
    return times.map { time in
      while next < segments.count, segments[next].end.value <= time { next += 1 }
      guard next < segments.count, segments[next].start.value <= time else { return nil }
      return own[next]
    }
  }
}

package struct ActivitySegment: Hashable, Sendable {
  package let start: Seconds
  package let end: Seconds
  package let name: String

  package init(start: Seconds, end: Seconds, name: String) {
    self.start = start
    self.end = end
    self.name = name
  }
}

/// One of the two questions that a detector answers for each frame.
public enum AnswerStream: String, CaseIterable, Hashable, Sendable {
  /// Which plank is held, if any.
  case plank
  /// Whether the hips sag or pike.
  case form

  /// The names of the stream's classes in the order of confusion matrices.
  ///
  /// The first class is the empty answer, which reports nothing.
  public var labels: [String] {
    switch self {
    case .plank: Self.plankLabels
    case .form: Self.formLabels
    }
  }

  private static let plankLabels = PlankClass.allCases.map { $0.name }
  private static let formLabels = FormClass.allCases.map { $0.name }

  package func code(of name: String) -> UInt8? { labels.firstIndex(of: name).map(UInt8.init) }
}

/// The kind of plank that a person holds; cases are in the order of confusion matrices.
///
/// The raw value is the name in labels, rules and reports.
public enum PlankClass: String, CaseIterable, Hashable, Sendable {
  /// No plank: the empty answer.
  case none
  /// Prone on the forearms.
  case forearm
  /// Prone on straight arms.
  case high
  /// On the side with the left shoulder up (coaches call that a right-side plank).
  case sideLeft
  /// On the side with the right shoulder up.
  case sideRight
  /// Supine on straight arms.
  case reverse

  /// The name in labels, rules and reports.
  public var name: String { rawValue }

  /// The class with this name, or nil if there is none; case matters.
  public init?(name: String) { self.init(rawValue: name) }

  package var code: UInt8 {
    switch self {
    case .none: 0
    case .forearm: 1
    case .high: 2
    case .sideLeft: 3
    case .sideRight: 4
    case .reverse: 5
    }
  }

  package init?(code: UInt8) {
    switch code {
    case 0: self = .none
    case 1: self = .forearm
    case 2: self = .high
    case 3: self = .sideLeft
    case 4: self = .sideRight
    case 5: self = .reverse
    default: return nil
    }
  }
}

/// The form of a plank; cases are in the order of confusion matrices.
///
/// The raw value is the name in labels, rules and reports.
public enum FormClass: String, CaseIterable, Hashable, Sendable {
  /// No fault at the hips: the empty answer.
  case aligned
  /// The hips hang below the line from shoulders to ankles.
  case sag
  /// The hips are above the line from shoulders to ankles.
  case pike

  /// The name in labels, rules and reports.
  public var name: String { rawValue }

  /// The class with this name, or nil if there is none; case matters.
  public init?(name: String) { self.init(rawValue: name) }

  package var code: UInt8 {
    switch self {
    case .aligned: 0
    case .sag: 1
    case .pike: 2
    }
  }

  package init?(code: UInt8) {
    switch code {
    case 0: self = .aligned
    case 1: self = .sag
    case 2: self = .pike
    default: return nil
    }
  }
}

/// One class of one stream, for code that handles both streams.
public enum AnswerLabel: Hashable, Sendable {
  /// A class of the plank stream.
  case plank(PlankClass)
  /// A class of the form stream.
  case form(FormClass)

  /// The stream that has the class.
  public var stream: AnswerStream {
    switch self {
    case .plank: .plank
    case .form: .form
    }
  }

  /// The name in labels, rules and reports.
  public var name: String {
    switch self {
    case .plank(let plank): plank.name
    case .form(let form): form.name
    }
  }

  /// The class with this name in a stream, or nil if the stream has none.
  public init?(_ stream: AnswerStream, name: String) {
    self.init(PlankClass(name: name), FormClass(name: name), in: stream)
  }

  package var code: UInt8 {
    switch self {
    case .plank(let plank): plank.code
    case .form(let form): form.code
    }
  }

  package init?(_ stream: AnswerStream, code: UInt8) {
    self.init(PlankClass(code: code), FormClass(code: code), in: stream)
  }

  private init?(_ plank: PlankClass?, _ form: FormClass?, in stream: AnswerStream) {
    switch (stream, plank, form) {
    case (.plank, let plank?, _): self = .plank(plank)
    case (.form, _, let form?): self = .form(form)
    default: return nil
    }
  }
}

#if !hasFeature(Embedded)
  extension AnswerStream: Codable {}

  extension PlankClass: Codable {}

  extension FormClass: Codable {}
#endif

/// A half-open time interval in which a person confirmed how straight the body was, for
/// calibration.
package struct ConfirmedHold: Hashable, Sendable {
  package static let durations = Seconds(1)...Seconds(10)
  package static func allows(_ duration: Seconds) -> Bool {
    duration.value >= durations.lowerBound.value - FrameTiming.slack
      && duration.value <= durations.upperBound.value + FrameTiming.slack
  }

  package static let angles = Degrees(0)...Degrees(360)

  package var start: Seconds
  package var end: Seconds
  /// The true angle at the hips, above 180 degrees if the hips are high; nil for a straight body.
  package var angle: Degrees?

  package init(start: Seconds, end: Seconds, angle: Degrees? = nil) {
    precondition(Self.allows(Seconds(end.value - start.value)), "a hold of 1 to 10 s")
    precondition(angle.map(Self.angles.contains) ?? true, "an angle of 0 to 360 deg")
    self.start = start
    self.end = end
    self.angle = angle
  }

  package func frames(at times: [Double]) -> Range<Int> {
    let first = times.firstIndex { $0 >= start.value } ?? times.count
    return first..<(times[first...].firstIndex { $0 >= end.value } ?? times.count)
  }
}
