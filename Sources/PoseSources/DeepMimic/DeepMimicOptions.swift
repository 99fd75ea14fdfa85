/// How motion capture is to be read.
package struct DeepMimicOptions: Hashable, Sendable {
  /// What the whole of every clip shows.
  package let label: LabelTarget
  /// A turn of the camera: positions and the up vector are turned together.
  package let rotation: AxisRotation?
  /// Whether the motion is reflected: x turned around and sides swapped, before any rotation.
  ///
  /// The result is the recording of a person who did everything with the other side.
  package let isReflected: Bool
  /// Who is shown, where known.
  package let subject: String?

  /// Makes options.
  package init(
    label: LabelTarget = .noPlank, rotation: AxisRotation? = nil, isReflected: Bool = false,
    subject: String? = nil
  ) {
    self.label = label
    self.rotation = rotation
    self.isReflected = isReflected
    self.subject = subject
  }

  /// What sets the names of sequences apart that were read with other options.
  var nameSuffix: String {
    (isReflected ? "-reflected" : "") + (rotation == nil ? "" : "-rotated")
  }
}
