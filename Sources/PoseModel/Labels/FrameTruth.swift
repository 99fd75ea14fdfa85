/// The truth of every frame of a recording, as codes.
public struct FrameTruth: Hashable, Sendable {
  /// The code of a frame that is not scored because no segment covers it.
  public static let unlabeled: UInt8 = 255
  /// The code of a frame that is not scored because its segment says `ignore`.
  public static let ignored: UInt8 = 254
  /// The code of a frame whose plank is labeled and whose form is not.
  public static let unjudged: UInt8 = 253

  /// A plank class code, `ignored` or `unlabeled`, a frame.
  public private(set) var plank: [UInt8]
  /// A form class code, `unjudged`, `ignored` or `unlabeled`, a frame.
  public private(set) var form: [UInt8]

  /// Makes the truth of frames that no segment covers.
  public init(count: Int) {
    plank = Array(repeating: Self.unlabeled, count: count)
    form = plank
  }

  /// The codes of one stream.
  public func codes(_ stream: AnswerStream) -> [UInt8] { stream == .plank ? plank : form }

  /// Whether a code names a class, so that a frame is scored.
  @inlinable public static func isScored(_ code: UInt8) -> Bool { code < unjudged }

  /// Takes over the label of a segment for one frame.
  mutating func set(_ segment: LabeledSegment, at frame: Int) {
    plank[frame] = segment.plank?.rawValue ?? Self.ignored
    form[frame] = segment.form?.rawValue ?? (segment.plank == nil ? Self.ignored : Self.unjudged)
  }
}
