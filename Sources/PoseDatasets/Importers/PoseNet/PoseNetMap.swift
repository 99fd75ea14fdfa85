import PoseModel

/// The key `posenet` of a map.
package struct PoseNetMap: Hashable, Sendable {
  package var decoding: PoseNetDecoding
  /// The pixels of the network's input per cell: 8, 16 or 32.
  package var stride = 16
  /// How images were made to fit the network's input.
  package var fit = InputFit.stretch

  package init(_ reading: PoseNetDecoding.Reading = .published) {
    decoding = PoseNetDecoding(reading)
  }

  private static let keys = [
    "reading", "stride", "fit", "single", "root_score", "window_radius", "matching_distance",
    "refinements", "people", "person_score", "diagonal_maxima",
  ]

  init(_ node: YAMLNode) throws {
    let map = try node.map()
    try map.rejectUnknownKeys(known: Self.keys)
    self.init(
      try map.optional("reading")?.choice(
        PoseNetDecoding.Reading.allCases.map { ($0.rawValue, $0) })
        ?? .published)
    if let node = map.optional("stride") {
      stride = try node.integer()
      guard [8, 16, 32].contains(stride) else {
        throw node.error(allowed: "8, 16 or 32", remedy: "write the output stride of the network")
      }
    }
    fit = try map.optional("fit")?.choice(InputFit.allCases.map { ($0.rawValue, $0) }) ?? fit
    decoding.isSingle = try map.optional("single")?.bool() ?? false
    decoding.comparesDiagonalsOnly = try map.optional("diagonal_maxima")?.bool() ?? false
    decoding.rootScore = try map.optional("root_score")?.double() ?? decoding.rootScore
    decoding.windowRadius = try map.optional("window_radius")?.integer() ?? decoding.windowRadius
    decoding.matchingDistance =
      try map.optional("matching_distance")?.double() ?? decoding.matchingDistance
    decoding.refinements = try map.optional("refinements")?.integer() ?? decoding.refinements
    decoding.maximumPeople = try map.optional("people")?.integer() ?? decoding.maximumPeople
    decoding.minimumPersonScore =
      try map.optional("person_score")?.double() ?? decoding.minimumPersonScore
    do { try decoding.check() } catch { throw node.error(error) }
  }

  var yaml: [String] {
    [
      "posenet:", "  reading: \(decoding.reading.rawValue)", "  stride: \(stride)",
      "  fit: \(fit.rawValue)", "  single: \(decoding.isSingle)",
      "  root_score: \(decoding.rootScore)", "  window_radius: \(decoding.windowRadius)",
      "  matching_distance: \(decoding.matchingDistance)",
      "  refinements: \(decoding.refinements)", "  people: \(decoding.maximumPeople)",
      "  person_score: \(decoding.minimumPersonScore)",
      "  diagonal_maxima: \(decoding.comparesDiagonalsOnly)",
    ]
  }
}
