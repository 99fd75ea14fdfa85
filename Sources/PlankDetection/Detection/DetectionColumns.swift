public import PoseModel

/// The answers of a detector over a recording.
public struct DetectionColumns: Hashable, Sendable {
  /// The plank stream.
  public internal(set) var plank: StreamColumns
  /// The form stream.
  public internal(set) var form: StreamColumns

  /// Makes columns of undetermined frames with empty answers.
  init(frameCount: Int) {
    plank = StreamColumns(frameCount: frameCount)
    form = StreamColumns(frameCount: frameCount)
  }

  /// The columns of a stream.
  public subscript(stream: AnswerStream) -> StreamColumns { stream == .plank ? plank : form }
}
