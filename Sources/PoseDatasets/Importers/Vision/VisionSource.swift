package import PoseModel

/// Reads dumps of Apple Vision's 3D body pose observations in the form of docs/recording.md.
///
/// Recordings are in pelvis axes, with matrices in the standard convention, and without labels.
package struct VisionSource: PoseSource {
  package static let name = "vision3d"
  package static let readsFilesApart = true

  package let options: VisionOptions

  package init(options: VisionOptions = VisionOptions()) { self.options = options }

  package func sequences(from files: [NamedText]) throws -> [ImportedSequence] {
    let sequences = try files.map { file in
      try VisionClip(VisionDump(file), options: options).sequence(name: file.stem)
    }
    try ImportedSequence.requireUniqueNames(sequences)
    return sequences
  }
}

package enum MatrixReading: String, CaseIterable, Hashable, Sendable {
  /// Finds the convention from logged image points; without points, assumes the standard, with a
  /// note.
  case checked
  /// Assumes the standard convention, whatever the image points show.
  case assumed
}

package struct VisionOptions: Hashable, Sendable {
  package var orientation: DeviceOrientation?
  package var cameraPosition: CameraPosition?
  package var buffer: ImageBuffer?
  package var isMirrored: Bool?
  package var subject: String?
  package var keepsClock: Bool
  package var matrices: MatrixReading

  package init(
    orientation: DeviceOrientation? = nil, cameraPosition: CameraPosition? = nil,
    buffer: ImageBuffer? = nil, isMirrored: Bool? = nil, subject: String? = nil,
    keepsClock: Bool = false, matrices: MatrixReading = .checked
  ) {
    self.orientation = orientation
    self.cameraPosition = cameraPosition
    self.buffer = buffer
    self.isMirrored = isMirrored
    self.subject = subject
    self.keepsClock = keepsClock
    self.matrices = matrices
  }
}

struct VisionClip {
  let file: String
  let header: DumpHeader
  let frames: [VisionFrame]
  let options: VisionOptions
  private let times: [Double]
  private let clockNote: String?

  init(_ dump: VisionDump<Vision3DFrame>, options: VisionOptions) throws {
    file = dump.file
    header = dump.header
    self.options = options
    frames = try dump.frames.map { try VisionFrame($0.frame, at: $0.place) }
    times = try dump.times(keepsClock: options.keepsClock)
    clockNote = dump.clockNote(keepsClock: options.keepsClock)
  }

  func sequence(name: String) throws -> ImportedSequence {
    let poses = frames.filter { !$0.positions.isEmpty }
    let turned = poses.count { $0.matrix != nil }
    guard poses.isEmpty || turned > 0 else {
      throw PoseSourceError.unexpectedValue(
        file: file, path: "cameraOriginMatrix", found: "missing in every frame",
        allowed: "Vision's matrix with every pose, because positions alone do not show the body's "
          + "orientation")
    }
    let (convention, conventionNote) = try convention()
    let recording = try recording(convention: convention)
    var notes = [
      "\(CountText.of(frames.count, "frame")) of \(file), \(CountText.of(poses.count)) with a pose",
      conventionNote,
    ]
    if turned < poses.count {
      notes.append("\(CountText.of(poses.count - turned, "pose")) missing: no camera matrix")
    }
    if !poses.isEmpty, !recording.looksFixedToPelvis {
      notes.append(
        "the hips do not stay on the x axis, so positions may not be in pelvis axes; log "
          + "pointInImage to find out")
    }
    if let clockNote { notes.append(clockNote) }
    var sequence = ImportedSequence(name: name, unlabeled: recording, notes: notes)
    try sequence.unmirror(file: file)
    return sequence
  }

  private func recording(convention: CameraConvention) throws -> Recording {
    let header = try header.recordingHeader(.observations, options: options, file: file)
    var recording = Recording(header: header)
    recording.reserveCapacity(frames.count)
    for (frame, time) in zip(frames, times) {
      if !frame.positions.isEmpty, frame.matrix != nil, frame.up == nil,
        header.upDirection == .perFrameOnly
      {
        throw frame.place.unexpected("up", "missing", UpDirection.remedy)
      }
      recording.append(
        time: Seconds(time),
        pose: frame.positions.isEmpty ? nil : frame.positions.numbers(in: header.joints),
        extras: FrameExtras(
          up: frame.up, camera: frame.matrix.map(convention.standardized),
          bodyHeight: frame.bodyHeight, heightEstimation: frame.heightEstimation))
    }
    return recording
  }

  func conventionCheck() throws -> ConventionCheck? {
    let logged = frames.filter { !$0.points.isEmpty && $0.matrix != nil }
    guard let first = logged.first else { return nil }
    let size = try imageSize(of: first)
    var samples: [ProjectionFit.Sample] = []
    for frame in logged {
      let own = try imageSize(of: frame)
      guard own == size else {
        throw frame.place.unexpected(
          "the image size", "\(own.width) x \(own.height) after \(size.width) x \(size.height)",
          "one size per dump; write one dump per camera")
      }
      guard let matrix = frame.matrix else { continue }
      for joint in Skeleton.vision3d.joints {
        guard let point = frame.points[joint], let position = frame.positions[joint] else {
          continue
        }
        samples.append(
          ProjectionFit.Sample(
            position: position, matrix: matrix, u: point.x * Double(size.width),
            v: point.y * Double(size.height)))
      }
    }
    return ConventionCheck(
      samples: samples, imageWidthPixels: size.width, imageHeightPixels: size.height)
  }

  private func imageSize(of frame: VisionFrame) throws -> (width: Int, height: Int) {
    if let size = frame.imageSize { return size }
    guard
      let width = try VisionFrame.pixels(header.imageWidth, "`imageWidth` of the header", in: file),
      let height = try VisionFrame.pixels(
        header.imageHeight, "`imageHeight` of the header", in: file)
    else {
      throw frame.place.unexpected(
        "imageWidth or imageHeight", "missing",
        "the size in pixels in the header, because image points are shares of it")
    }
    return (width, height)
  }

  func convention() throws -> (CameraConvention, String) {
    guard options.matrices == .checked else {
      return (.standard, "camera matrices assumed to be \(CameraConvention.standard), unchecked")
    }
    guard let check = try conventionCheck() else {
      return (
        .standard,
        "camera matrices assumed to be \(CameraConvention.standard); without pointInImage, nothing "
          + "in the dump can confirm that"
      )
    }
    switch check.verdict {
    case .accepted(let convention):
      return (convention, "camera matrices found to be \(convention) (\(check.residualText))")
    case .ambiguous(let conventions) where conventions.contains(.standard):
      return (
        .standard,
        "camera matrices assumed to be \(CameraConvention.standard); the images also fit other "
          + "conventions, so show the person from more sides (\(check.residualText))"
      )
    case .ambiguous, .rejected:
      let hints = check.hints.map { "; \($0)" }.joined()
      throw PoseSourceError.unexpectedValue(
        file: file, path: "the meaning of cameraOriginMatrix",
        found: "not what \(check.pointCount) image points show (\(check.residualText)\(hints))",
        allowed: "points, positions and matrices of the same frames; or give --assume-matrices")
    }
  }
}

extension DumpHeader {
  func recordingHeader(
    _ template: RecordingHeader, options: VisionOptions, file: String
  ) throws -> RecordingHeader {
    func fault(_ field: String, _ found: String, _ allowed: String) -> PoseSourceError {
      .unexpectedValue(file: file, path: "`\(field)` of the header", found: found, allowed: allowed)
    }
    func word<Word: RawRepresentable & CaseIterable>(
      _ text: String?, _ field: String
    ) throws -> Word? where Word.RawValue == String {
      guard let text else { return nil }
      guard let word = Word(rawValue: text) else {
        let allowed = Word.allCases.map(\.rawValue).joined(separator: ", ")
        throw fault(field, "`\(text)`", "one of \(allowed)")
      }
      return word
    }
    var result = template
    result.orientation = try word(orientation, "orientation")
    result.cameraPosition = try word(cameraPosition, "cameraPosition")
    result.buffer = try word(buffer, "buffer")
    if let orientation = options.orientation { result.orientation = orientation }
    if let cameraPosition = options.cameraPosition { result.cameraPosition = cameraPosition }
    if let buffer = options.buffer { result.buffer = buffer }
    if let bufferRotation {
      guard let rotation = BufferRotation(degrees: bufferRotation) else {
        throw fault("bufferRotation", "\(bufferRotation)", "0, 90, 180 or 270 degrees, clockwise")
      }
      result.bufferRotation = rotation
    }
    result.isMirrored = options.isMirrored ?? mirrored ?? false
    result.subject = options.subject ?? subject
    if let rate = nominalRate {
      guard rate > 0, rate.isFinite else {
        throw fault("nominalRate", "\(rate)", "a number above 0")
      }
      guard Hertz(rate).hasInterval else {
        throw fault("nominalRate", "\(rate)", "frames per second that give a finite frame interval")
      }
    }
    result.nominalRate = nominalRate.map(Hertz.init)
    result.imageWidth = try VisionFrame.pixels(imageWidth, "`imageWidth` of the header", in: file)
    result.imageHeight = try VisionFrame.pixels(
      imageHeight, "`imageHeight` of the header", in: file)
    return result
  }
}

extension ImportedSequence {
  package mutating func unmirror(file: String) throws {
    guard recording.header.isMirrored else { return }
    notes.append("mirrored images: x was flipped back, and left and right were swapped back")
    do {
      try recording.unmirror()
    } catch {
      throw PoseSourceError.unexpectedValue(
        file: file, path: "mirrored", found: "true", allowed: "\(error)")
    }
  }
}
