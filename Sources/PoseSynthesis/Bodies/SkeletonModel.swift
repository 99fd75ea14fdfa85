import PoseModel

/// Whose bone lengths a recording shows.
package enum SkeletonModel: String, CaseIterable, Hashable, Sendable {
  /// The subject's own.
  case anatomical
  /// The rigid template of Vision: directions are the subject's, lengths are everyone's.
  case template

  /// The body that is written to a recording.
  ///
  /// With the reference height everyone is 1.8 m tall; proportions stay. A measured height
  /// scales all bones.
  func recordedBody(of subject: Body, height: Meters) -> Body {
    switch self {
    case .anatomical: Body(scaling: subject, to: height)
    case .template: Body(height: height, proportions: .template)
    }
  }
}

extension Body {
  /// Another body's proportions at a height of its own.
  init(scaling body: Body, to height: Meters) {
    let factor = height.value / body.height.value
    self.init(height: height, lengths: body.lengths.map { $0 * factor })
  }

  private init(height: Meters, lengths: [Double]) {
    self.height = height
    self.lengths = lengths
  }
}
