package import PoseModel

/// Turns the raw labels of one stream into a debounced answer (`docs/contract.md`, From raw labels
/// to the debounced answer).
///
/// An undetermined frame changes nothing: the answer stays for `holdSeconds` after the last
/// determined frame and is empty after that. A longer gap clears the answer, the candidate and the
/// votes. The time of a run is the sum of the intervals between consecutive determined frames,
/// without those that contain a dropout.
package struct Debouncer: Hashable, Sendable {
  /// The raw label of an undetermined frame.
  public static let undetermined: UInt8 = 255
  /// Tolerance for the end of the hold, because frame times like k/30 are not exact.
  public static var tolerance: Double { FrameTiming.slack }

  private let need: DebounceNeed
  private let holdSeconds: Double
  private var startsMid: Bool
  private var state: UInt8 = 0
  private var candidate: UInt8 = Self.undetermined
  private var run = 0
  private var elapsed = 0.0
  private var votes: VoteBox?
  private var lastDetermined = -Double.infinity
  private var followsDropout = false

  /// Whether the last frame was undetermined and kept an earlier answer.
  public private(set) var isHolding = false

  /// Makes a debouncer that needs N equal labels in a row, at the start of a sequence.
  ///
  /// - Parameters:
  ///   - framesNeeded: N, 1...1000; 1 answers at once.
  ///   - holdSeconds: how long a dropout may last, 0...10 s, bound included.
  ///   - startsMid: whether the recording starts inside a hold, so that the first determined frame
  ///     sets the answer at once.
  public init(framesNeeded: Int, holdSeconds: Seconds, startsMid: Bool = false) {
    precondition(framesNeeded >= 1, "a run is at least one frame long")
    self.init(.frames(framesNeeded), holdSeconds: holdSeconds, startsMid: startsMid)
  }

  /// Makes a debouncer from a rule, at the start of a sequence.
  public init(
    _ rule: StrategySettings<DebounceKind>, holdSeconds: Seconds, startsMid: Bool = false
  ) {
    self.init(DebounceNeed(rule), holdSeconds: holdSeconds, startsMid: startsMid)
  }

  init(_ need: DebounceNeed, holdSeconds: Seconds, startsMid: Bool) {
    self.need = need
    self.holdSeconds = holdSeconds.value
    self.startsMid = startsMid
    if case .votes(let needed, let size) = need { votes = VoteBox(needed: needed, of: size) }
  }

  /// How many equal labels in a row the candidate has, and its code; nil if there is no candidate.
  public var pending: (code: UInt8, run: Int)? {
    candidate == Self.undetermined ? nil : (code: candidate, run: run)
  }

  /// For how many seconds the candidate has lasted without a dropout; 0 after one frame.
  public var pendingSeconds: Seconds { Seconds(candidate == Self.undetermined ? 0 : elapsed) }

  /// Takes the next raw label at a time in seconds; returns the code of the debounced answer, 0 for
  /// empty.
  public mutating func update(_ raw: UInt8, at time: Double) -> UInt8 {
    let isWithinHold = time - lastDetermined <= holdSeconds + Self.tolerance
    guard raw != Self.undetermined else {
      isHolding = isWithinHold
      followsDropout = true
      return isWithinHold ? state : 0
    }
    isHolding = false
    if !isWithinHold { clear() }
    if raw == candidate {
      run += 1
      elapsed += followsDropout ? 0 : max(0, time - lastDetermined)
    } else {
      candidate = raw
      run = 1
      elapsed = 0
    }
    let isElected = votes?.add(raw) ?? false
    if isElected || startsMid || need.isMet(from: state, to: raw, run: run, elapsed: elapsed) {
      state = raw
    }
    startsMid = false
    followsDropout = false
    lastDetermined = time
    return state
  }

  private mutating func clear() {
    state = 0
    candidate = Self.undetermined
    run = 0
    elapsed = 0
    votes?.removeAll()
  }
}

enum DebounceNeed: Hashable, Sendable {
  case frames(enter: Int, switchOver: Int, exit: Int)
  /// In seconds, between determined frames in a row.
  case time(enter: Double, switchOver: Double, exit: Double)
  case votes(Int, of: Int)

  static func frames(_ count: Int) -> DebounceNeed {
    .frames(enter: count, switchOver: count, exit: count)
  }

  init(_ rule: StrategySettings<DebounceKind>) {
    switch rule.kind {
    case .none: self = .frames(1)
    case .consecutive:
      self = .frames(
        enter: Int(rule.value(.enter)), switchOver: Int(rule.value(.switchOver)),
        exit: Int(rule.value(.exit)))
    case .dwell:
      self = .time(
        enter: rule.value(.enter), switchOver: rule.value(.switchOver), exit: rule.value(.exit))
    case .vote: self = .votes(Int(rule.value(.votes)), of: Int(rule.value(.ballots)))
    }
  }

  func isMet(from answer: UInt8, to label: UInt8, run: Int, elapsed: Double) -> Bool {
    switch self {
    case .frames(let enter, let switchOver, let exit):
      run >= (answer == 0 ? enter : label == 0 ? exit : switchOver)
    case .time(let enter, let switchOver, let exit):
      elapsed >= (answer == 0 ? enter : label == 0 ? exit : switchOver) - Debouncer.tolerance
    case .votes: false
    }
  }
}

struct VoteBox: Hashable, Sendable {
  private let needed: Int
  private var ballots: [UInt8]
  private var counts: SIMD16<Int32> = .zero
  private var next = 0
  private var used = 0

  init(needed: Int, of size: Int) {
    self.needed = needed
    ballots = Array(repeating: 0, count: size)
  }

  mutating func add(_ label: UInt8) -> Bool {
    if used == ballots.count { counts[Int(ballots[next])] -= 1 } else { used += 1 }
    ballots[next] = label
    counts[Int(label)] += 1
    next = next + 1 == ballots.count ? 0 : next + 1
    return counts[Int(label)] >= needed
  }

  mutating func removeAll() {
    counts = .zero
    next = 0
    used = 0
  }
}
