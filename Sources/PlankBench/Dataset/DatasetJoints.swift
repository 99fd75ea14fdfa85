internal import PoseDatasets
internal import PoseModel
internal import Reports

extension DatasetShow {
  func listJoints() throws -> Outcome {
    guard let name = sequence, at.count == 1, let time = at.first?.seconds else {
      throw WorkflowFailure(
        .usage, "--joints needs --sequence with the recording, and --at with one moment")
    }
    let reader = try DatasetAccess.open(dataset)
    let entry = try Self.entry(named: name, of: reader)
    let recording = try reader.load(entry).recording
    let frame = try Self.frame(at: time, of: recording)
    if recording.layout.dimension == 2 { return try list(recording, frame: frame, of: entry.name) }
    let camera = try intrinsics(of: recording.header)
    let observation = try require(
      Self.observing(entry.name) { try recording.observation(at: frame) }, .badData,
      "\(entry.name): no pose at \(NumberText.shortest(time)) s; try another moment")
    let listing = try Self.observing(entry.name) {
      try JointListing(
        name: entry.name, time: recording.times[frame], observation: observation,
        intrinsics: camera)
    }
    let remark = try draw(listing, of: recording.header, camera)
    return try result.outcome(
      remarks: [remark].compactMap(\.self), content: listing, document: listing.document)
  }

  private func list(_ recording: Recording, frame: Int, of name: String) throws -> Outcome {
    try require(
      focalLength == nil, .usage,
      "--focal-length is for 3D recordings; \(name) already has image positions")
    let listing = ImageListing(
      name: name, recording: recording, frame: frame, size: imageSize ?? recording.header.imageSize)
    try require(
      recording.hasPose(at: frame), .badData, "\(name): no pose at \(at[0]) s; try another moment")
    var remarks: [String] = []
    if let picture {
      let figure = WireframeFigure(title: listing.title, [recording], frame: frame, size: imageSize)
      try OutputFile.writeReport(figure.svg(), to: picture)
      remarks.append("wrote \(picture)")
    }
    return try result.outcome(remarks: remarks, content: listing, document: listing.document)
  }

  private func draw(
    _ listing: JointListing, of header: RecordingHeader, _ camera: CameraIntrinsics?
  ) throws -> String? {
    guard let picture else { return nil }
    let camera = try require(
      camera, .usage, "--picture with --joints needs --focal-length; give it in pixels")
    let aspect = Double(camera.imageWidthPixels) / Double(camera.imageHeightPixels)
    try OutputFile.writeReport(listing.figure(of: header, aspect: aspect).svg(), to: picture)
    return "wrote \(picture)"
  }

  private static func observing<Value>(_ name: String, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch { throw WorkflowFailure(.badData, "\(name): \(error)") }
  }

  private func intrinsics(of header: RecordingHeader) throws -> CameraIntrinsics? {
    guard let focalLength else { return nil }
    try require(
      focalLength.isFinite && focalLength > 0, .usage,
      "--focal-length must be above 0; give it in pixels")
    let size = try require(
      imageSize ?? header.imageSize, .usage,
      "--focal-length needs the size of the image; give --image-size 1080x1920")
    return CameraIntrinsics(
      focalLengthPixels: focalLength, imageWidthPixels: size.width, imageHeightPixels: size.height)
  }
}
