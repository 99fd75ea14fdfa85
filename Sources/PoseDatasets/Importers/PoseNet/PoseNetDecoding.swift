/// How people are found in PoseNet's tensors.
///
/// | | published | sample |
/// | --- | --- | --- |
/// | least score of a root | 0.5 | 0.1 |
/// | radius of the window of a local maximum, in cells | 1 | 3 |
/// | distance within which two parts are one, in pixels | 20 | 40 |
/// | corrections by offsets | 2 | 3 |
/// | most people | 5 | 15 |
/// | least score of a person | 0 | 0.5 |
/// | least score of a joint | none: all 17 are kept | 0.1 |
/// | a position outside the grid | goes to the nearest cell | ends its branch |
package struct PoseNetDecoding: Hashable, Sendable {
  package enum Reading: String, CaseIterable, Hashable, Sendable {
    case published
    case sample
  }

  package let reading: Reading
  /// Whether only one person is made, of the best cell for every part.
  package var isSingle = false
  package var rootScore: Double
  /// The number of cells to each side with which a candidate is compared.
  package var windowRadius: Int
  /// The distance in pixels of the network's input, bound included, within which two joints of one
  /// part are the same joint.
  package var matchingDistance: Double
  package var refinements: Int
  package var maximumPeople: Int
  package var minimumPersonScore: Double
  /// Whether to reproduce a mistake of Apple's sample, which means to leave out only the
  /// candidate's own cell but leaves out its whole row and column.
  ///
  /// The people that are found are mostly the same.
  package var comparesDiagonalsOnly = false

  let jointScore = 0.1

  var followsValidJoints: Bool { reading == .sample }

  package init(_ reading: Reading = .published) {
    self.reading = reading
    let isSample = reading == .sample
    rootScore = isSample ? 0.1 : 0.5
    windowRadius = isSample ? 3 : 1
    matchingDistance = isSample ? 40 : 20
    refinements = isSample ? 3 : 2
    maximumPeople = isSample ? 15 : 5
    minimumPersonScore = isSample ? 0.5 : 0
  }

  package func check() throws {
    try Self.check("the root score", rootScore, 0...1)
    try Self.check("the radius of the window", Double(windowRadius), 1...100)
    try Self.check("the matching distance", matchingDistance, 0...10_000)
    try Self.check("the number of corrections", Double(refinements), 0...100)
    try Self.check("the number of people", Double(maximumPeople), 1...1000)
    try Self.check("the score of a person", minimumPersonScore, 0...1)
  }

  private static func check(_ name: String, _ value: Double, _ range: ClosedRange<Double>) throws {
    guard range.contains(value) else {
      throw PoseSourceError.invalidOption(
        name, found: text(value),
        allowed: "\(text(range.lowerBound)) to \(text(range.upperBound))")
    }
  }

  private static func text(_ value: Double) -> String {
    Int(exactly: value).map(String.init) ?? "\(value)"
  }
}
