import Foundation
import PoseModel
import TestSupport
import Testing

@testable import PoseDatasets

/// The decoder against an encoder that was written apart from it.
@Suite("The decoder of PoseNet") struct PoseNetDecoderTests {
  private func tensors(_ encoder: PoseNetEncoder) -> PoseNetTensors {
    PoseNetTensors(
      rows: encoder.rows, columns: encoder.columns, stride: encoder.stride,
      scores: encoder.heatmaps, offsets: encoder.offsets, forward: encoder.forward,
      backward: encoder.backward)
  }

  private func people(
    _ encoder: PoseNetEncoder, _ decoding: PoseNetDecoding = PoseNetDecoding()
  ) -> [DecodedPerson] {
    PoseNetDecoder(decoding).people(in: tensors(encoder))
  }

  /// The largest distance of a joint from where the encoder put it, in pixels; infinite where a
  /// joint is missing.
  private func error(_ person: DecodedPerson, _ truth: [PoseNetEncoder.Point]) -> Double {
    zip(person.points, truth).map { point, joint in
      guard let position = point?.position else { return .infinity }
      let difference = PoseNetEncoder.Point(position.x, position.y) - joint
      return (difference * difference).sum().squareRoot()
    }.max() ?? .infinity
  }

  private func errors(_ found: [DecodedPerson], _ encoder: PoseNetEncoder) -> [Double] {
    encoder.people.map { truth in found.map { error($0, truth) }.min() ?? .infinity }
  }

  private static let readings = PoseNetDecoding.Reading.allCases

  @Test("One person is recovered to 0 px by the single and by both other readings")
  func onePerson() {
    let encoder = PoseNetEncoder(people: [PoseNetEncoder.first])
    var single = PoseNetDecoding()
    single.isSingle = true
    for decoding in [single] + Self.readings.map({ PoseNetDecoding($0) }) {
      let found = people(encoder, decoding)
      #expect(found.count == 1)
      #expect(errors(found, encoder) == [0])
    }
  }

  @Test("Two people are recovered to 0 px", arguments: readings)
  func twoPeople(reading: PoseNetDecoding.Reading) {
    let found = people(.couple, PoseNetDecoding(reading))
    #expect(found.count == 2)
    #expect(errors(found, .couple) == [0, 0])
  }

  @Test("Every stride and odd sizes of the grid are recovered", arguments: [8, 16, 32])
  func strides(stride: Int) {
    let scale = Double(stride) / 16
    var encoder = PoseNetEncoder(people: [PoseNetEncoder.first.map { $0 * scale }])
    encoder.stride = stride
    encoder.rows = 25
    encoder.columns = 19
    encoder.spread = Double(stride)
    #expect(errors(people(encoder), encoder) == [0])
  }

  @Test("Comparing diagonals only makes 73 candidates out of 47, and finds the same people")
  func diagonals() {
    var decoding = PoseNetDecoding(.sample)
    let tensors = tensors(.couple)
    // 34 joints, 13 of which tie between two cells.
    #expect(PoseNetDecoder(decoding).candidates(in: tensors).count == 47)
    let people = PoseNetDecoder(decoding).people(in: tensors)
    decoding.comparesDiagonalsOnly = true
    // The nearest neighbor on the cross passes too, or the tie; both neighbors of 5 joints.
    #expect(PoseNetDecoder(decoding).candidates(in: tensors).count == 73)
    #expect(PoseNetDecoder(decoding).people(in: tensors).map(\.points) == people.map(\.points))
  }

  @Test(
    "Corrections by offsets take the noise of displacements away",
    arguments: 1...5 as ClosedRange<UInt64>)
  func refinements(seed: UInt64) {
    var encoder = PoseNetEncoder.couple
    encoder.displacementNoise = 6
    encoder.seed = seed
    var decoding = PoseNetDecoding()
    decoding.refinements = 0
    let raw = people(encoder, decoding)
    #expect(errors(raw, encoder).allSatisfy { $0 > 10 })
    decoding.refinements = 1
    let corrected = people(encoder, decoding)
    #expect(corrected.count == 2)
    #expect(errors(corrected, encoder) == [0, 0])
  }

  @Test("A cell with exactly the root score begins a person, one below it does not")
  func rootScore() {
    var encoder = PoseNetEncoder(people: [PoseNetEncoder.first.map { $0 * 0 + 64 }])
    encoder.spread = 8
    var decoding = PoseNetDecoding()
    decoding.rootScore = 1
    #expect(people(encoder, decoding).count == 1)
    let tensors = tensors(encoder)
    decoding.rootScore = 1.0.nextUp
    #expect(PoseNetDecoder(decoding).candidates(in: tensors).isEmpty)
  }

  @Test("Equal scores go by row, then by column, then by part")
  func ties() {
    var encoder = PoseNetEncoder(people: [])
    encoder.people = [PoseNetEncoder.first.map { $0 * 0 + PoseNetEncoder.Point(72, 72) }]
    let candidates = PoseNetDecoder(PoseNetDecoding()).candidates(in: tensors(encoder))
    // Every part ties between the four cells around it.
    #expect(candidates.count == 4 * 17)
    #expect(
      candidates
        == [(4, 4), (4, 5), (5, 4), (5, 5)].flatMap { row, column in
          (0..<17).map { PoseNetDecoder.Candidate(cell: Cell(row: row, column: column), part: $0) }
        })
    #expect(people(encoder).count == 1)
  }

  @Test(
    "A person whose root lies at the border is found", arguments: readings,
    [PoseNetEncoder.Point(-115, -24), PoseNetEncoder.Point(345, 190), PoseNetEncoder.Point(0, -24)])
  func borders(reading: PoseNetDecoding.Reading, shift: PoseNetEncoder.Point) {
    let low = PoseNetEncoder.Point()
    let high = PoseNetEncoder.Point(512, 512)
    let moved = PoseNetEncoder.first.map { pointwiseMax(low, pointwiseMin(high, $0 + shift)) }
    let encoder = PoseNetEncoder(people: [moved])
    #expect(errors(people(encoder, PoseNetDecoding(reading)), encoder) == [0])
  }

  @Test(
    "A joint beyond the border goes to the nearest cell, or ends its branch in the sample's reading"
  ) func beyondTheBorder() throws {
    var person = PoseNetEncoder.first
    person[9] = PoseNetEncoder.Point(600, 165)  // the left wrist
    let encoder = PoseNetEncoder(people: [person])
    let published = try #require(people(encoder).first?.points[9])
    #expect(published.cell == Cell(row: 10, column: 32))
    #expect(try #require(people(encoder, PoseNetDecoding(.sample)).first).points[9] == nil)
  }

  @Test("A person within the matching distance of another is the same one; exactly at it too")
  func suppression() {
    for (distance, count) in [(40.0, 1), (41.0, 2)] {
      let shifted = PoseNetEncoder.first.map { $0 + PoseNetEncoder.Point(distance, 0) }
      var encoder = PoseNetEncoder(people: [PoseNetEncoder.first, shifted])
      encoder.spread = 6
      encoder.reach = 1
      var decoding = PoseNetDecoding()
      decoding.matchingDistance = 40
      #expect(people(encoder, decoding).count == count, "\(distance) px apart")
    }
  }

  @Test("The score of a person is the mean over the joints that nobody else has")
  func scores() throws {
    let lattice = PoseNetEncoder.first.map {
      PoseNetEncoder.Point(($0.x / 16).rounded() * 16, ($0.y / 16).rounded() * 16)
    }
    var other = lattice.map { $0 + PoseNetEncoder.Point(240, 0) }
    other[16] = lattice[16]
    let found = people(PoseNetEncoder(people: [lattice, other]))
    try #require(found.count == 2)
    #expect(found[0].score == 1)
    #expect(abs(found[1].score - 16.0 / 17) < 1e-12)
  }

  @Test("Nobody is found where all scores are 0")
  func nobody() {
    let encoder = PoseNetEncoder(people: [])
    var single = PoseNetDecoding()
    single.isSingle = true
    for decoding in [single] + Self.readings.map({ PoseNetDecoding($0) }) {
      #expect(people(encoder, decoding).isEmpty)
    }
  }
}

@Suite("Recordings from PoseNet's tensors") struct PoseNetSourceTests {
  private func sequences(
    _ arrays: [(name: String, bytes: [UInt8])], fit: InputFit = .stretch, size: ImageSize? = nil,
    isEveryone: Bool = false
  ) throws -> [ImportedSequence] {
    let file = NamedBytes(name: "clips/walk.npz", bytes: NumpyFile.npz(arrays))
    return try Self.source(fit: fit, size: size, isEveryone: isEveryone).sequences(from: [file])
  }

  private static func source(
    fit: InputFit = .stretch, size: ImageSize? = nil, isEveryone: Bool = false
  ) -> TableSource {
    var map = TableMap()
    map.poseNet = PoseNetMap()
    map.poseNet?.fit = fit
    map.imageSize = size
    return TableSource(options: TableOptions(map: map, isEveryone: isEveryone))
  }

  private func error(_ arrays: [(name: String, bytes: [UInt8])]) throws -> String {
    "\(try #require(throws: PoseSourceError.self) { try sequences(arrays) })"
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
    let sequence = try #require(try sequences(NumpyFile.arrays(Self.walk)).first)
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
    #expect(sequence.notes[0].hasPrefix("2 people seen; the most prominent one covers 52 %"))
  }

  @Test("Everyone becomes a recording of their own, followed from image to image")
  func everyone() throws {
    let sequences = try sequences(NumpyFile.arrays(Self.walk), isEveryone: true)
    #expect(sequences.map(\.name) == ["walk-1", "walk-2"])
    #expect(sequences.map { $0.recording.position(of: .nose, at: 3)?.x } == [115 + 9, 390 + 9])
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
      try Self.source().sequences(from: files).first)
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
        try sequences(arrays, fit: fit, size: size).first?.recording)
      #expect(recording.position(of: .nose, at: 0) == Vector3(x, y, 0))
      #expect(recording.header.imageHeight == 2052)
    }
  }

  @Test("Given times replace the rate")
  func times() throws {
    let times = NumpyFile.npy(doubles: [1, 1.5, 1.625, 2], shape: [4])
    let recording = try #require(
      try sequences(NumpyFile.arrays(Self.walk) + [("times", times)])
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
      try sequences(NumpyFile.arrays(images)).first?.recording)
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
    arrays[0].bytes.replaceSubrange(end - 4..<end, with: NumpyFile.bytes(Float(-4).bitPattern))
    #expect(try error(arrays).contains("is -4.0; scores range from 0 to 1; apply the sigmoid"))
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

  @Test("Options that say nothing of tensors are refused")
  func refusals() throws {
    let source = Self.source()
    var (cut, stills) = (source.options.map, source.options.map)
    cut.cut = TableMap.Cut(step: 1)
    stills.isStills = true
    for options in [
      TableOptions(map: source.options.map, labels: try LabelMap(["*=none"])),
      TableOptions(map: source.options.map, person: 2), TableOptions(map: cut),
      TableOptions(map: stills),
    ] {
      let file = NamedBytes(name: "a.npz", bytes: NumpyFile.npz(NumpyFile.arrays([.couple])))
      #expect(throws: PoseSourceError.self) {
        try TableSource(options: options).sequences(from: [file])
      }
    }
  }

  @Test(
    "Settings outside their range are refused with their line, other keys as well",
    arguments: [
      "stride: 7", "reading: mine", "window_radius: 0", "root_score: 2", "people: 0", "fit: best",
      "floor: 1",
    ])
  func settings(text: String) throws {
    let error = try #require(throws: FieldError.self) {
      try TableMap(yaml: "table: 1\nposenet:\n  \(text)\n", file: "m.yaml")
    }
    #expect(error.line == 3 || error.line == 2)
    #expect(throws: FieldError.self) {
      try TableMap(yaml: "table: 1\nposenet: {}\njoints: {nose: n}\n", file: "m.yaml")
    }
  }
}

/// Makes the tensors that a perfect PoseNet would put out for people whose joints are known.
///
/// Written from the published description of the tensors alone: Gaussian scores around each
/// joint, offsets that lead from a cell to the joint, displacements that lead along an edge of the
/// tree. Offsets and displacements are exact within `reach` cells of a joint and zero elsewhere.
struct PoseNetEncoder {
  typealias Point = SIMD2<Double>

  static let edges: [(parent: Int, child: Int)] = [
    (0, 1), (1, 3), (0, 2), (2, 4), (0, 5), (5, 7), (7, 9), (5, 11), (11, 13), (13, 15),
    (0, 6), (6, 8), (8, 10), (6, 12), (12, 14), (14, 16),
  ]

  /// Seventeen joints per person, x and y in pixels of the network's input.
  var people: [[Point]]
  var stride = 16
  var rows = 33
  var columns = 33
  /// Pixels at which a score has fallen to exp(-1/2).
  var spread = 16.0
  /// Cells around a joint in which offsets and displacements are exact.
  var reach = 2.0
  /// The standard deviation in pixels of what is added to every displacement.
  var displacementNoise = 0.0
  var seed: UInt64 = 1

  var heatmaps: [Float] {
    cells.flatMap { cell in
      (0..<17).map { part in Float(people.map { gaussian(from: cell, to: $0[part]) }.max() ?? 0) }
    }
  }

  /// Offsets as [row, column, 34]: y of all parts, then x of all parts.
  var offsets: [Float] {
    cells.flatMap { cell in
      let vectors = (0..<17).map { part in
        nearest(part, to: cell).map { $0[part] - cell } ?? Point()
      }
      return vectors.map { Float($0.y) } + vectors.map { Float($0.x) }
    }
  }

  /// Displacements from parent to child as [row, column, 32].
  var forward: [Float] { displacements(stream: 0) { ($0.parent, $0.child) } }

  /// Displacements from child to parent as [row, column, 32].
  var backward: [Float] { displacements(stream: 1) { ($0.child, $0.parent) } }

  private var cells: [Point] {
    (0..<rows).flatMap { row in
      (0..<columns).map { Point(Double($0 * stride), Double(row * stride)) }
    }
  }

  private func gaussian(from cell: Point, to joint: Point) -> Double {
    let difference = joint - cell
    return exp(-(difference * difference).sum() / (2 * spread * spread))
  }

  /// The person whose joint is nearest to a cell, where it is within reach.
  private func nearest(_ part: Int, to cell: Point) -> [Point]? {
    func squared(_ person: [Point]) -> Double {
      let difference = person[part] - cell
      return (difference * difference).sum()
    }
    let limit = reach * Double(stride)
    return people.filter { squared($0) <= limit * limit }.min { squared($0) < squared($1) }
  }

  private func displacements(
    stream: UInt64, _ ends: ((parent: Int, child: Int)) -> (from: Int, to: Int)
  ) -> [Float] {
    var noise = SplitMix64(spread: Int(truncatingIfNeeded: seed &* 2 &+ stream))
    return cells.flatMap { cell in
      let vectors = Self.edges.map { edge in
        let (from, to) = ends(edge)
        let exact = nearest(from, to: cell).map { $0[to] - $0[from] } ?? Point()
        guard displacementNoise > 0 else { return exact }
        return exact + Point(noise.nearlyNormal(), noise.nearlyNormal()) * displacementNoise
      }
      return vectors.map { Float($0.y) } + vectors.map { Float($0.x) }
    }
  }
}

extension PoseNetEncoder {
  /// Two people side by side, about 275 pixels apart, on a grid of 33 x 33 cells of 16 pixels.
  ///
  /// Of the 34 joints, 13 have a y halfway between two cells, so that two cells tie for the highest
  /// score; 5 are as far from their nearest cell in x as in y.
  static let couple = PoseNetEncoder(people: [first, second])
  static let first: [Point] = [
    Point(115, 36), Point(121, 24), Point(109, 24), Point(127, 28), Point(103, 28),
    Point(147, 72), Point(83, 72), Point(161, 119), Point(69, 119), Point(167, 165),
    Point(63, 165), Point(139, 168), Point(91, 168), Point(141, 247), Point(89, 247),
    Point(142, 322), Point(87, 322),
  ]

  static let second: [Point] = [
    Point(390, 56), Point(396, 45), Point(384, 45), Point(402, 50), Point(378, 50),
    Point(420, 88), Point(358, 88), Point(434, 136), Point(345, 136), Point(437, 181),
    Point(339, 181), Point(414, 184), Point(366, 184), Point(418, 267), Point(363, 267),
    Point(417, 339), Point(362, 339),
  ]
}
