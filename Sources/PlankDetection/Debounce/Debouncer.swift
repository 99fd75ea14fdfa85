public import PoseModel

/// Turns the raw labels of one stream into a steady answer: N equal labels in a row.
///
/// The contract, section 6.3. On a determined frame the raw label joins the candidate's run or
/// starts a new one; a run of N makes it the answer. On an undetermined frame nothing changes:
/// the answer holds for `holdSeconds` after the last determined frame and is empty after that. A
/// longer gap clears answer and candidate. A dropout so neither lengthens nor ends a run.
public struct Debouncer: Hashable, Sendable {
  /// The raw label of an undetermined frame.
  public static let undetermined: UInt8 = 255
  /// Slack on the bound of the hold, because frame times like k/30 are not exact.
  public static let tolerance = 1e-9

  private let framesNeeded: Int
  private let holdSeconds: Double
  private var startsMid: Bool
  private var state: UInt8 = 0
  private var candidate: UInt8 = Self.undetermined
  private var run = 0
  private var lastDetermined = -Double.infinity

  /// Whether the last frame was undetermined and shows an answer held from before.
  public private(set) var isHolding = false

  /// Makes a debouncer at the start of a sequence.
  ///
  /// - Parameters:
  ///   - framesNeeded: N, 1...1000; 1 answers at once.
  ///   - holdSeconds: how long a dropout may last, 0...10 s, bound included.
  ///   - startsMid: whether the recording begins inside a hold, so that the first determined
  ///     frame sets the answer at once.
  public init(framesNeeded: Int, holdSeconds: Seconds, startsMid: Bool = false) {
    precondition(framesNeeded >= 1, "a run is at least one frame long")
    self.framesNeeded = framesNeeded
    self.holdSeconds = holdSeconds.value
    self.startsMid = startsMid
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
      return isWithinHold ? state : 0
    }
    isHolding = false
    if !isWithinHold {
      state = 0
      candidate = Self.undetermined
      run = 0
    }
    run = raw == candidate ? run + 1 : 1
    candidate = raw
    if run >= framesNeeded || startsMid { state = raw }
    startsMid = false
    lastDetermined = time
    return state
  }
}
