/// Finds runs of poses that occur in two files, at whatever times.
struct DuplicatePoses {
  /// The shortest run that is told: shorter ones may be chance in still, rounded data.
  static let shortestRun = 5

  /// A run of poses that two files share.
  struct Run: Hashable {
    /// The first pose in the earlier file, as a position among its poses.
    let earlierStart: Int
    /// The first pose in the later file, as a position among its poses.
    let laterStart: Int
    /// How many poses the run has.
    let length: Int
  }

  /// Two files, by their positions in `files`.
  struct Pair: Hashable, Comparable {
    let earlier: Int
    let later: Int

    static func < (left: Pair, right: Pair) -> Bool {
      (left.later, left.earlier) < (right.later, right.earlier)
    }
  }

  private struct Occurrence {
    let hash: UInt64
    let file: Int
    let start: Int
  }

  let files: [PoseFingerprints]

  /// The runs that files share, for every pair of files that shares some.
  ///
  /// - Complexity: O(n log n) for n poses, plus the number of runs that several files share.
  func sharedRuns() -> [(pair: Pair, runs: [Run])] {
    candidates().sorted { $0.key < $1.key }.map { pair, starts in
      (pair: pair, runs: runs(of: pair, starts: starts))
    }
  }

  /// Where short runs of a later file also begin in an earlier one.
  private func candidates() -> [Pair: [(earlier: Int, later: Int)]] {
    var occurrences: [Occurrence] = []
    for (index, file) in files.enumerated() where file.hashes.count >= Self.shortestRun {
      for start in 0...(file.hashes.count - Self.shortestRun) {
        let hash = file.hash(ofRunAt: start, length: Self.shortestRun)
        occurrences.append(Occurrence(hash: hash, file: index, start: start))
      }
    }
    occurrences.sort { ($0.hash, $0.file, $0.start) < ($1.hash, $1.file, $1.start) }
    var result: [Pair: [(earlier: Int, later: Int)]] = [:]
    // The first place in each file of the run at hand; still recordings repeat themselves.
    var firsts: [Occurrence] = []
    for later in occurrences {
      if firsts.last?.hash != later.hash { firsts = [] }
      if firsts.last?.file != later.file { firsts.append(later) }
      for earlier in firsts where earlier.file != later.file {
        result[Pair(earlier: earlier.file, later: later.file), default: []]
          .append((earlier.start, later.start))
      }
    }
    return result
  }

  /// Joins short runs into the longest ones.
  private func runs(of pair: Pair, starts: [(earlier: Int, later: Int)]) -> [Run] {
    let earlier = files[pair.earlier].hashes
    let later = files[pair.later].hashes
    var runs: [Run] = []
    var covered = 0
    for start in starts.sorted(by: { $0.later < $1.later }) where start.later >= covered {
      let length = zip(earlier[start.earlier...], later[start.later...])
        .prefix { $0 == $1 }.count
      guard length >= Self.shortestRun else { continue }
      covered = start.later + length
      runs.append(Run(earlierStart: start.earlier, laterStart: start.later, length: length))
    }
    return runs
  }
}
