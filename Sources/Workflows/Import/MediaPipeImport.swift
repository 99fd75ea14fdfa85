internal import PoseModel
internal import PoseSources

/// What `import mediapipe` is asked for; texts are read as the command line gives them.
package struct MediaPipeImport: Sendable {
  /// The tables' paths.
  package var tables: [String]
  /// Assignments such as `L=forearm/sag`.
  package var labels: [String]
  /// The column of the labels; found by name unless given.
  package var labelColumn: String?
  /// Width over height of the images, such as `16:9`.
  package var aspect: String
  /// Whether the numbers are proportional already, so that no aspect applies.
  package var isProportional: Bool
  /// The rate of the rows in hertz.
  package var rate: Double
  /// The step at which a clip ends.
  package var clipBreak: Double
  /// Whether every row is a still of its own.
  package var isStills: Bool
  /// Whether the images were mirrored before detection.
  package var isMirrored: Bool
  /// Who is shown.
  package var subject: String?
  /// Where to write.
  package var output: ImportOutput

  /// Makes a request with the defaults of the command line.
  package init(
    tables: [String], labels: [String] = [], labelColumn: String? = nil, aspect: String = "16:9",
    isProportional: Bool = false, rate: Double = 30, clipBreak: Double = 0.02,
    isStills: Bool = false, isMirrored: Bool = false, subject: String? = nil, output: ImportOutput
  ) {
    self.tables = tables
    self.labels = labels
    self.labelColumn = labelColumn
    self.aspect = aspect
    self.isProportional = isProportional
    self.rate = rate
    self.clipBreak = clipBreak
    self.isStills = isStills
    self.isMirrored = isMirrored
    self.subject = subject
    self.output = output
  }

  /// The source with these options.
  func source() throws(PoseSourceError) -> MediaPipeSource {
    MediaPipeSource(
      options: try MediaPipeOptions(
        labels: LabelMap(labels), labelColumn: labelColumn,
        coordinates: isProportional ? .proportional : .image(AspectRatio(aspect)),
        division: isStills ? .stills : .clips(stepAbove: clipBreak), frameRate: Hertz(rate),
        isMirrored: isMirrored, subject: subject))
  }
}
