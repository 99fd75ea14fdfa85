internal import PoseModel
internal import PoseSources

/// What `import deepmimic` is asked for; texts are read as the command line gives them.
package struct DeepMimicImport: Sendable {
  /// The paths of one skeleton and one or more motions, in any order.
  package var files: [String]
  /// What every clip shows, such as `none`.
  package var label: String
  /// A turn of the camera, such as `x=30`.
  package var rotation: String?
  /// Whether the motion is reflected.
  package var isReflected: Bool
  /// Who is shown.
  package var subject: String?
  /// Where to write.
  package var output: ImportOutput

  /// Makes a request with the defaults of the command line.
  package init(
    files: [String], label: String = "none", rotation: String? = nil, isReflected: Bool = false,
    subject: String? = nil, output: ImportOutput
  ) {
    self.files = files
    self.label = label
    self.rotation = rotation
    self.isReflected = isReflected
    self.subject = subject
    self.output = output
  }

  /// The source with these options.
  func source() throws(PoseSourceError) -> DeepMimicSource {
    var turn: AxisRotation?
    if let rotation { turn = try AxisRotation(rotation) }
    return DeepMimicSource(
      options: DeepMimicOptions(
        label: try LabelTarget(label), rotation: turn, isReflected: isReflected,
        subject: subject))
  }
}
