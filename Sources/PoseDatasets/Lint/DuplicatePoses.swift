/// Finds runs of poses that occur in two files, at whatever times.
struct DuplicatePoses {
  /// The shortest run that is told: shorter ones may be chance.
  static let shortestRun = 5
  /// How far the numbers of equal poses may be apart.
  ///
  /// Rounding to 0.1 mm moves them by about 0.0001; noise of 1 cm by about 0.03.
  static let tolerance: Float = 1e-3
  /// The width of a cell of the index.
  private static let cellWidth: Float = 16 * tolerance
  /// How many places of one file are tried for one pose: still recordings repeat themselves.
  private static let placesTried = 64

  /// A run of poses that two files share.
  struct Run: Hashable {
    /// The first pose in the earlier file, as a position among its poses.
    let earlierStart: Int
    /// The first pose in the later file, as a position among its poses.
    let laterStart: Int
    /// How many poses the run has.
    let length: Int
  }

  /// The runs that two files share; files are named by their positions in `files`.
  struct Pair: Hashable {
    let earlier: Int
    let later: Int
    let runs: [Run]
  }

  private struct Cell: Hashable {
    let x: Int32
    let y: Int32
    let z: Int32
  }

  private struct Place {
    let file: Int
    let start: Int
  }

  /// The files so far.
  private(set) var files: [PoseFingerprints] = []
  /// The pairs of files that share runs, in the order of the later file.
  private(set) var pairs: [Pair] = []
  private var index: [Cell: [Place]] = [:]

  /// Compares a file with all files before it, and keeps it for those to come.
  ///
  /// - Complexity: O(poses) where few poses are alike.
  mutating func add(_ file: PoseFingerprints) {
    let later = files.count
    var runs = [[Run]](repeating: [], count: later)
    for start in 0..<file.count {
      for (earlier, run) in longestRuns(of: file, from: start, beyond: runs) {
        runs[earlier].append(run)
      }
    }
    for earlier in 0..<later where !runs[earlier].isEmpty {
      pairs.append(Pair(earlier: earlier, later: later, runs: runs[earlier]))
    }
    files.append(file)
    for start in 0..<file.count {
      let value = file.values[start]
      let cell = Cell(
        x: Self.coordinate(value[0]), y: Self.coordinate(value[1]), z: Self.coordinate(value[2]))
      index[cell, default: []].append(Place(file: later, start: start))
    }
  }

  /// For every earlier file, the longest run that begins at a pose and is not covered yet.
  private func longestRuns(
    of file: PoseFingerprints, from start: Int, beyond runs: [[Run]]
  ) -> [(earlier: Int, run: Run)] {
    var best: [Int: Run] = [:]
    var tried: [Int: Int] = [:]
    for place in places(near: file.values[start]) {
      if let last = runs[place.file].last, start < last.laterStart + last.length { continue }
      let length = runLength(files[place.file], place.start, file, start)
      guard length > 0, tried[place.file, default: 0] < Self.placesTried else { continue }
      tried[place.file, default: 0] += 1
      let isWhole = length == file.count && length == files[place.file].count
      if length >= Self.shortestRun || isWhole, length > best[place.file]?.length ?? 0 {
        best[place.file] = Run(earlierStart: place.start, laterStart: start, length: length)
      }
    }
    return best.map { (earlier: $0.key, run: $0.value) }
  }

  private func runLength(
    _ earlier: PoseFingerprints, _ earlierStart: Int, _ later: PoseFingerprints, _ laterStart: Int
  ) -> Int {
    let limit = min(earlier.count - earlierStart, later.count - laterStart)
    var length = 0
    while length < limit {
      let (a, b) = (earlierStart + length, laterStart + length)
      let distance = earlier.values[a] - later.values[b]
      guard earlier.joints[a] == later.joints[b],
        all(distance .< Self.tolerance .& distance .> -Self.tolerance)
      else { break }
      length += 1
    }
    return length
  }

  /// Where poses stand whose first three numbers are near.
  private func places(near value: SIMD8<Float>) -> [Place] {
    let low = value - Self.tolerance
    let high = value + Self.tolerance
    var result: [Place] = []
    for x in Self.coordinate(low[0])...Self.coordinate(high[0]) {
      for y in Self.coordinate(low[1])...Self.coordinate(high[1]) {
        for z in Self.coordinate(low[2])...Self.coordinate(high[2]) {
          result += index[Cell(x: x, y: y, z: z)] ?? []
        }
      }
    }
    return result
  }

  private static func coordinate(_ number: Float) -> Int32 {
    // A sum of 69 coordinates of a vector of length 1 is at most 9.
    Int32((number / cellWidth).rounded(.down))
  }
}
