package import PoseModel
internal import PoseSources

/// What `import vision3d` is asked for; texts are read as the command line gives them.
package struct VisionImport: Sendable {
  /// The dumps' paths.
  package var dumps: [String]
  /// How the device was held; the dump's header says so unless given.
  package var orientation: DeviceOrientation?
  /// Which camera recorded.
  package var cameraPosition: CameraPosition?
  /// What Vision was given.
  package var buffer: ImageBuffer?
  /// Whether the image was flipped before detection; nil believes the dump's header.
  package var isMirrored: Bool?
  /// Whether times stay on the dump's own clock.
  package var keepsClock: Bool
  /// Whether the standard matrix convention is assumed whatever logged image points show.
  package var assumesMatrices: Bool
  /// Who is shown.
  package var subject: String?
  /// Where to write.
  package var output: ImportOutput

  /// Makes a request.
  package init(
    dumps: [String], orientation: DeviceOrientation? = nil, cameraPosition: CameraPosition? = nil,
    buffer: ImageBuffer? = nil, isMirrored: Bool? = nil, keepsClock: Bool = false,
    assumesMatrices: Bool = false, subject: String? = nil, output: ImportOutput
  ) {
    self.dumps = dumps
    self.orientation = orientation
    self.cameraPosition = cameraPosition
    self.buffer = buffer
    self.isMirrored = isMirrored
    self.keepsClock = keepsClock
    self.assumesMatrices = assumesMatrices
    self.subject = subject
    self.output = output
  }

  /// The source with these options.
  var source: VisionSource {
    VisionSource(
      options: VisionOptions(
        orientation: orientation, cameraPosition: cameraPosition, buffer: buffer,
        isMirrored: isMirrored, subject: subject, keepsClock: keepsClock,
        matrices: assumesMatrices ? .assumed : .checked))
  }
}
