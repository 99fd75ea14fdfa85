import PoseModel

/// The people of the frames of a table, followed from frame to frame, the most prominent first.
struct FollowedPeople {
  enum Way {
    case place, points, shape
  }

  private(set) var tracks: [PersonTrack] = []
  /// How many frames have more than one person.
  private(set) var shared = 0
  private let numbers: [[Int]]
  private var way: Way?
  private var hasIds = false

  /// No frame has more than one person: whose number each frame has.
  init(numbers: [Int?]) { self.numbers = numbers.map { $0.map { [$0] } ?? [] } }

  init(
    _ people: [[ImagePerson]], ids: [[String?]], numbers: [[Int]], times: [Double], way: Way
  ) {
    self.numbers = numbers
    self.way = way
    shared = people.count { $0.count > 1 }
    hasIds = ids.contains { $0.contains { $0 != nil } }
    guard shared > 0 else { return }
    // Images that are far apart are as near in the order as those of a film.
    let steps = zip(times.dropFirst(), times).map { $0 - $1 }
    let step = steps.median ?? 0
    let usual = FrameTiming.longestGap / 4
    let scaled = step > usual ? times.map { $0 * usual / step } : times
    tracks = Self.joined(PersonTracker.tracks(of: people, times: scaled, ids: ids))
  }

  var count: Int { tracks.count }

  /// For each chosen person, whose number every frame has.
  func chosen(_ options: TableOptions) throws -> [[(key: Int, value: Int?)]] {
    guard !tracks.isEmpty else {
      guard options.person ?? 1 == 1 else { throw unknown(options.person) }
      return [self.numbers.enumerated().map { ($0.offset, $0.element.first) }]
    }
    func places(_ track: PersonTrack) -> [(key: Int, value: Int?)] {
      self.numbers.indices.map { image in
        (image, track.numbers[image].map { self.numbers[image][$0] })
      }
    }
    if options.isEveryone { return tracks.map(places) }
    let index = (options.person ?? 1) - 1
    guard tracks.indices.contains(index) else { throw unknown(options.person) }
    return [places(tracks[index])]
  }

  private func unknown(_ person: Int?) -> PoseSourceError {
    let count = max(1, tracks.count)
    return .invalidOption(
      "--person", found: "\(person ?? 0)",
      allowed: count == 1 ? "1: one person is seen" : "1 to \(count), the most prominent first")
  }

  func notes(_ options: TableOptions, _ index: Int) -> [String] {
    let number = options.isEveryone ? index : (options.person ?? 1) - 1
    guard tracks.indices.contains(number) else { return [] }
    let track = tracks[number]
    var notes = [
      summary + "; imported is "
        + (number == 0 ? "the most prominent one" : "person \(number + 1)")
        + ", seen in \(CountText.of(track.images.count, "frame"))"
        + (options.isEveryone ? "" : "; --person takes another one, --everyone all")
    ]
    if let image = track.jumps.first {
      notes.append(
        "the person jumps in \(CountText.of(track.jumps.count, "frame")), first in frame \(image): "
          + "it may be someone else from then on")
    }
    if let image = track.returns.first {
      notes.append(
        "the person was lost \(CountText.of(track.returns.count, "time")), first before frame "
          + "\(image), and whoever came next there is taken to be the same person")
    }
    return notes
  }

  var summary: String {
    "\(CountText.of(tracks.count, "person", plural: "people")) seen, more than one in "
      + "\(shared) of \(CountText.of(numbers.count, "frame")), followed \(wayText)"
  }

  var wayText: String {
    if hasIds { return "by the file's own numbers of people" }
    return switch way {
    case .place: "by their points in the image"
    case .shape: "by the shape of the body only, since every body has its own origin: check it"
    default: "by place"
    }
  }

  var isByShape: Bool { !hasIds && way == .shape }
}

// Whoever is lost and found again.
extension FollowedPeople {
  private static let mostNeighbors = 40

  private struct Link {
    let from: Int
    let to: Int
    let distance: Double
  }

  /// A track that begins where another one ended goes on with it, the nearest first.
  ///
  /// After that, whoever appears is the one who is missing, if there is exactly one or one is by far
  /// the most prominent.
  static func joined(_ tracks: [PersonTrack]) -> [PersonTrack] {
    let pieces = tracks.compactMap { track in track.images.keys.min().map { (first: $0, track) } }
      .sorted { ($0.first, $0.1.last) < ($1.first, $1.1.last) }
    var links: [Link] = []
    for (index, (first, track)) in pieces.enumerated() {
      var left = mostNeighbors
      for before in stride(from: index - 1, through: 0, by: -1) where left > 0 {
        left -= 1
        let other = pieces[before].1
        guard other.last < first, let distance = distance(other, track, first),
          distance <= PersonTracker.farthest
        else { continue }
        links.append(Link(from: before, to: index, distance: distance))
      }
    }
    var next: [Int: Int] = [:]
    var isFound = pieces.map { _ in false }
    for link in links.sorted(by: { ($0.distance, $0.to, $0.from) < ($1.distance, $1.to, $1.from) })
    where next[link.from] == nil && !isFound[link.to] {
      next[link.from] = link.to
      isFound[link.to] = true
    }
    var chains: [(first: Int, track: PersonTrack)] = []
    for index in pieces.indices where !isFound[index] {
      var chain = pieces[index].1
      var current = index
      while let following = next[current] {
        chain.append(pieces[following].1, from: pieces[following].first)
        current = following
      }
      chains.append((pieces[index].first, chain))
    }
    return PersonTracker.byProminence(withReturns(chains))
  }

  private static func withReturns(_ chains: [(first: Int, track: PersonTrack)]) -> [PersonTrack] {
    var whole: [PersonTrack] = []
    for (first, track) in chains {
      let missing = whole.indices.suffix(mostNeighbors).filter { whole[$0].last < first }
        .map { (index: $0, prominence: whole[$0].prominence) }
        .sorted { $0.prominence > $1.prominence }
      guard let most = missing.first,
        missing.count == 1 || most.prominence > 3 * missing[1].prominence,
        distance(whole[most.index], track, first) != nil
      else {
        whole.append(track)
        continue
      }
      whole[most.index].append(track, from: first)
    }
    return whole
  }

  private static func distance(_ one: PersonTrack, _ next: PersonTrack, _ first: Int) -> Double? {
    guard let lost = one.images[one.last], let found = next.images[first],
      lost.isOfSimilarSize(to: found)
    else { return nil }
    return lost.distance(to: found)
  }
}
