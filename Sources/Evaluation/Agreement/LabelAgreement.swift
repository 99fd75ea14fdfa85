package import PoseModel

/// How far two people agree who labeled the same recordings: the ceiling of every score.
///
/// A detector cannot be shown to be better than the people whose labels are its truth agree with
/// each other. Compared on the frames of the recording, by exact times; `ignore` and gaps are no
/// class. Symmetric but for names and signs: swapping the two people transposes the matrices.
package struct LabelAgreement: Hashable, Sendable {
  /// The plank stream.
  package private(set) var plank: StreamAgreement
  /// The form stream, where both gave a form.
  package private(set) var form: StreamAgreement

  /// Compares the labels of one recording.
  ///
  /// - Parameters:
  ///   - times: the recording's timestamps in seconds, strictly increasing.
  ///   - frameWeight: the seconds that a frame stands for: the recording's `frameWeight`.
  ///   - window: how far apart boundaries may lie and still be the same one; positive.
  /// - Complexity: O(frames + segments), and pairs of boundaries within the window.
  package init(
    first: LabelTrack, second: LabelTrack, times: [Double], frameWeight: Seconds,
    window: Seconds = BoundaryAgreement.defaultWindow
  ) {
    precondition(frameWeight.value > 0 && window.value > 0, "frames and windows take some time")
    func stream(_ stream: AnswerStream) -> StreamAgreement {
      StreamAgreement(
        stream, first: first, second: second, times: times, frameWeight: frameWeight,
        window: window)
    }
    plank = stream(.plank)
    form = stream(.form)
  }

  /// Compares labels without a recording, on evenly spaced times from the first start to the
  /// last end.
  ///
  /// - Parameter rate: how many times a second are compared; positive.
  package init(
    first: LabelTrack, second: LabelTrack, rate: Hertz,
    window: Seconds = BoundaryAgreement.defaultWindow
  ) {
    precondition(rate.value > 0, "a rate is positive")
    let segments = first.segments + second.segments
    let start = segments.map(\.start).min()?.value ?? 0
    let end = segments.map(\.end).max()?.value ?? start
    let count = Int(((end - start) * rate.value).rounded(.up))
    self.init(
      first: first, second: second,
      times: (0..<count).map { start + Double($0) / rate.value },
      frameWeight: Seconds(1 / rate.value), window: window)
  }

  /// The agreement on a stream.
  package subscript(stream: AnswerStream) -> StreamAgreement { stream == .plank ? plank : form }

  /// Every number of both streams, as reports list them.
  package var rows: [AgreementRow] { plank.rows + form.rows }

  /// Adds another recording that the same two people labeled.
  package static func += (left: inout LabelAgreement, right: LabelAgreement) {
    left.plank += right.plank
    left.form += right.form
  }
}
