public import PoseModel

/// Turns the raw labels of one stream into a steady answer.
///
/// The contract, section 6.3, for every rule there is. On a determined frame the raw label joins the
/// candidate's run or starts a new one; a run that is long enough (frames or time) makes it the
/// answer, or enough votes among the last frames do. How much is needed may differ by kind of
/// change: from the empty answer, between classes, back to the empty answer.
///
/// On an undetermined frame nothing changes: the answer holds for `holdSeconds` after the last
/// determined frame and is empty after that. A longer gap clears answer, candidate and votes. A
/// dropout so neither lengthens nor ends a run; a run's time counts between determined frames that
/// follow one another, without a dropout in between.
public struct Debouncer: Hashable, Sendable {
  /// The raw label of an undetermined frame.
  public static let undetermined: UInt8 = 255
  /// Slack on the bound of the hold, because frame times like k/30 are not exact.
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

  /// Whether the last frame was undetermined and shows an answer held from before.
  public private(set) var isHolding = false

  /// Makes a debouncer of N equal labels in a row, at the start of a sequence.
  ///
  /// - Parameters:
  ///   - framesNeeded: N, 1...1000; 1 answers at once.
  ///   - holdSeconds: how long a dropout may last, 0...10 s, bound included.
  ///   - startsMid: whether the recording begins inside a hold, so that the first determined
  ///     frame sets the answer at once.
  public init(framesNeeded: Int, holdSeconds: Seconds, startsMid: Bool = false) {
    precondition(framesNeeded >= 1, "a run is at least one frame long")
    self.init(.frames(framesNeeded), holdSeconds: holdSeconds, startsMid: startsMid)
  }

  /// Makes a debouncer of a rule, at the start of a sequence.
  public init(
    _ rule: StrategySettings<DebounceKind>, holdSeconds: Seconds, startsMid: Bool = false
  ) {
    self.init(DebounceNeed(rule), holdSeconds: holdSeconds, startsMid: startsMid)
  }

  /// Makes a debouncer of what a label needs, at the start of a sequence.
  init(_ need: DebounceNeed, holdSeconds: Seconds, startsMid: Bool) {
    self.need = need
    self.holdSeconds = holdSeconds.value
    self.startsMid = startsMid
    if case .votes(let needed, let size) = need { votes = VoteBox(needed: needed, of: size) }
  }

  /// How many equal labels in a row the candidate has, and its code; nil where there is none.
  public var pending: (code: UInt8, run: Int)? {
    candidate == Self.undetermined ? nil : (code: candidate, run: run)
  }

  /// Takes in the raw label of the next frame and gives the answer after it.
  ///
  /// - Parameters:
  ///   - raw: a label's code, or `undetermined`.
  ///   - time: the frame's timestamp in seconds.
  /// - Returns: the code of the steady answer; 0 is the empty one.
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
