import PoseModel
import Testing

@testable import PoseDatasets

@Suite("Recordings from PoseNet's tensors")
struct PoseNetSourceTests {
  private func sequences(
    _ arrays: [(name: String, bytes: [UInt8])], _ options: PoseNetOptions
  ) throws -> [ImportedSequence] {
    let file = NamedBytes(name: "clips/walk.npz", bytes: NumpyFile.npz(arrays))
    return try PoseNetSource(options: options).sequences(from: [file])
  }

  private func error(
    _ arrays: [(name: String, bytes: [UInt8])]
  ) throws -> String {
    "\(try #require(throws: PoseSourceError.self) { try sequences(arrays, PoseNetOptions()) })"
  }

  /// Two people who walk to the right by 3 pixels per image.
  private static let walk = (0..<4).map { image in
    var encoder = PoseNetEncoder.couple
    let shift = PoseNetEncoder.Point(3 * Double(image), 0)
    encoder.people = encoder.people.map { $0.map { $0 + shift } }
    return encoder
  }

  @Test("The most prominent person becomes a recording in pixels with scores, and a note says why")
  func mostProminent() throws {
    let sequence = try #require(
      try sequences(NumpyFile.arrays(Self.walk), PoseNetOptions()).first)
    #expect(sequence.name == "walk")
    let recording = sequence.recording
    #expect(recording.header.skeleton == .coco17 && recording.header.frame == .image)
    #expect(recording.header.imageWidth == 513 && recording.header.imageHeight == 513)
    #expect(recording.times == [0, 0.033333, 0.066667, 0.1])
    // The first person's box is 104 by 298 pixels, the second's 98 by 294.
    for image in 0..<4 {
      #expect(recording.position(of: .nose, at: image) == Vector3(115 + 3 * Double(image), 36, 0))
    }
    #expect(recording.confidences.allSatisfy { $0 > 0.5 && $0 <= 1 })
    #expect(sequence.notes[0].hasPrefix("2 people seen; the most prominent one, who covers 52 %"))
  }

  @Test("Everyone becomes a recording of their own, followed from image to image")
  func everyone() throws {
    let sequences = try sequences(NumpyFile.arrays(Self.walk), PoseNetOptions(isEveryone: true))
    #expect(sequences.map(\.name) == ["walk-1", "walk-2"])
    #expect(
      sequences.map { $0.recording.position(of: .nose, at: 3)?.x } == [115 + 9, 390 + 9])
  }

  @Test("Channels may stand first, arrays may be files of their own, and need no axis of images")
  func layouts() throws {
    let encoder = PoseNetEncoder.couple
    func first(_ values: [Float], _ channels: Int) -> [UInt8] {
      let cells = encoder.rows * encoder.columns
      let turned = (0..<channels).flatMap { channel in
        (0..<cells).map { values[$0 * channels + channel] }
      }
      return NumpyFile.npy(turned, shape: [channels, encoder.rows, encoder.columns])
    }
    let files = [
      ("a/heatmap.npy", first(encoder.heatmaps, 17)), ("a/Offsets.npy", first(encoder.offsets, 34)),
      ("a/displacementFwd.npy", first(encoder.forward, 32)),
      ("a/displacementBwd.npy", first(encoder.backward, 32)),
    ].map { NamedBytes(name: $0.0, bytes: $0.1) }
    let sequence = try #require(
      try PoseNetSource(options: PoseNetOptions()).sequences(from: files).first)
    #expect(sequence.name == "heatmap")
    #expect(sequence.recording.position(of: .leftAnkle, at: 0) == Vector3(142, 322, 0))
  }

  @Test("Positions go back through how the image was made to fit")
  func transforms() throws {
    let arrays = NumpyFile.arrays([PoseNetEncoder(people: [PoseNetEncoder.first])])
    let size = ImageSize(width: 1026, height: 2052)
    for (fit, x, y) in [
      (InputFit.stretch, 230.0, 144.0),  // by 1/2 and 1/4
      (.pad, (115 - 128.25) * 4, 144),  // by 1/4, with bars of 128.25 pixels at both sides
      (.crop, 230, (36 + 256.5) * 2),  // by 1/2, with 256.5 pixels cut off above
    ] {
      let recording = try #require(
        try sequences(arrays, PoseNetOptions(imageSize: size, fit: fit)).first?.recording)
      #expect(recording.position(of: .nose, at: 0) == Vector3(x, y, 0))
      #expect(recording.header.imageHeight == 2052)
    }
  }

  @Test("Given times replace the rate")
  func times() throws {
    let times = NumpyFile.npy(doubles: [1, 1.5, 1.625, 2], shape: [4])
    let recording = try #require(
      try sequences(NumpyFile.arrays(Self.walk) + [("times", times)], PoseNetOptions())
        .first?.recording)
    #expect(recording.times == [1, 1.5, 1.625, 2])
    let still = NumpyFile.npy(doubles: [1, 1, 2, 3], shape: [4])
    #expect(
      try error(NumpyFile.arrays(Self.walk) + [("times", still)]).contains("at least a microsecond")
    )
  }

  @Test("An image without anybody is a frame without a pose")
  func emptyImage() throws {
    let images = [Self.walk[0], PoseNetEncoder(people: []), Self.walk[1]]
    let recording = try #require(
      try sequences(NumpyFile.arrays(images), PoseNetOptions()).first?.recording)
    #expect((0..<3).map(recording.hasPose) == [true, false, true])
  }

  @Test("Scores that are all 0 or not finite are refused with a remedy")
  func zerosAndNaN() throws {
    #expect(
      try error(NumpyFile.arrays([PoseNetEncoder(people: [])]))
        .contains("no cell has a score above 0 in any image; give the network's"))
    for (name, index) in [("heatmaps", 0), ("offsets", 1), ("displacements_fwd", 2)] {
      var arrays = NumpyFile.arrays([.couple])
      let end = arrays[index].bytes.count
      arrays[index].bytes.replaceSubrange(
        end - 4..<end, with: NumpyFile.bytes(Float.nan.bitPattern))
      #expect(try error(arrays).contains("array `\(name)`: value"))
      #expect(try error(arrays).contains("is nan; give finite numbers"))
    }
  }

  @Test("Scores outside of 0 to 1 are refused: the sigmoid is missing")
  func logits() throws {
    var arrays = NumpyFile.arrays([.couple])
    let end = arrays[0].bytes.count
    arrays[0].bytes.replaceSubrange(
      end - 4..<end, with: NumpyFile.bytes(Float(-4).bitPattern))
    #expect(try error(arrays).contains("is -4.0; scores range from 0 to 1: apply the sigmoid"))
  }

  @Test("Arrays that are missing, doubled or of other shapes are named")
  func shapes() throws {
    let arrays = NumpyFile.arrays([.couple])
    #expect(try error(Array(arrays.dropLast())).contains("no array called `bwd`"))
    #expect(
      try error(arrays + [("heatmap2", arrays[0].bytes)]).contains("two arrays hold heatmaps"))
    var other = arrays
    other[1].bytes = arrays[0].bytes
    #expect(
      try error(other).contains("the shapes are heatmaps (1, 33, 33, 17), offsets (1, 33, 33, 17)"))
  }

  @Test("Settings outside their range are refused", arguments: [0, 7, 64])
  func options(stride: Int) {
    #expect(throws: PoseSourceError.self) { try PoseNetOptions(stride: stride) }
    var decoding = PoseNetDecoding()
    decoding.windowRadius = 0
    #expect(throws: PoseSourceError.self) { try PoseNetOptions(decoding: decoding) }
  }
}
