import Testing

@testable import PoseDatasets

/// The decoder against an encoder that was written apart from it.
@Suite("The decoder of PoseNet")
struct PoseNetDecoderTests {
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

  /// The error of the best match of everyone who was encoded.
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

  @Test("The single reading mixes two people")
  func singleOfTwo() throws {
    var single = PoseNetDecoding()
    single.isSingle = true
    let person = try #require(people(.couple, single).first)
    let fromFirst = zip(person.points, PoseNetEncoder.first).count { point, joint in
      point?.position == PixelPoint(x: joint.x, y: joint.y)
    }
    #expect((1...16).contains(fromFirst))
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
          (0..<17).map {
            PoseNetDecoder.Candidate(cell: Cell(row: row, column: column), part: $0)
          }
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
  )
  func beyondTheBorder() throws {
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
