public import PoseModel

/// Turns the raw labels of one stream into a debounced answer (`docs/contract.md`, From raw labels
/// to the debounced answer).
///
/// An undetermined frame changes nothing: the answer stays for `holdSeconds` after the last
/// determined frame and is empty after that. A longer gap between determined frames clears the
/// answer, the candidate and the votes. The time of a run is the sum of the intervals between
/// consecutive determined frames; intervals that contain a dropout do not count.
package struct Debouncer: Hashable, Sendable {
  /// The raw label of an undetermined frame.
  public static let undetermined: UInt8 = 255
  /// The tolerance for time limits in seconds, because frame times such as k/30 are not exact.
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

  /// Starts a sequence with a rule that needs N equal labels in a row.
  ///
  /// - Parameters:
  ///   - framesNeeded: N, 1...1000; with 1, the answer changes at once.
  ///   - holdSeconds: how long a dropout may last, 0...10 s, inclusive.
  ///   - startsMid: whether the recording starts inside a hold, so that the first determined frame
  ///     sets the answer at once.
  public init(framesNeeded: Int, holdSeconds: Seconds, startsMid: Bool = false) {
    precondition(framesNeeded >= 1, "a run is at least one frame long")
    self.init(.frames(framesNeeded), holdSeconds: holdSeconds, startsMid: startsMid)
  }

  /// Starts a sequence with any debounce rule.
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

  /// The candidate's code and how many equal labels in a row it has; nil if there is no candidate.
  public var pending: (code: UInt8, run: Int)? {
    candidate == Self.undetermined ? nil : (code: candidate, run: run)
  }

  /// How long the candidate has lasted without a dropout; 0 after one frame.
  public var pendingSeconds: Seconds { Seconds(candidate == Self.undetermined ? 0 : elapsed) }

  /// Takes the raw label of the frame at `time`, in seconds, and returns the code of the debounced
  /// answer.
  ///
  /// The code of the empty answer is 0.
  public mutating func update(_ raw: UInt8, at time: Double) -> UInt8 {
    let isWithinHold = time - lastDetermined <= holdSeconds + Self.tolerance
    guard raw != Self.undetermined else {
      isHolding = isWithinHold
      followsDropout = true
      return isWithinHold ? state : 0
    }
    isHolding = false
    if !isWithinHold {
      state = 0
      candidate = Self.undetermined
      votes?.removeAll()
    }
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
}

enum DebounceNeed: Hashable, Sendable {
  case frames(enter: Int, switchOver: Int, exit: Int)
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

/// How raw labels are debounced in each stream, and which thresholds have hysteresis.
///
/// A stream without a rule is debounced by its detector's parameters, `plank_frames` or
/// `form_frames`. Dropouts have the same effect under every rule: see `Debouncer`.
public struct DebounceStrategy: Hashable, Sendable {
  /// The rule of the plank stream; nil means that `plank_frames` applies.
  public var plank: StrategySettings<DebounceKind>?
  /// The rule of the form stream; nil means that `form_frames` applies.
  public var form: StrategySettings<DebounceKind>?
  /// Hysteresis around thresholds, at most one band per parameter.
  public let bands: [SchmittBand]

  /// Combines rules for the streams with Schmitt bands.
  ///
  /// - Throws: `StrategyError.repeatedBand` for two bands of one parameter.
  public init(
    plank: StrategySettings<DebounceKind>? = nil, form: StrategySettings<DebounceKind>? = nil,
    bands: [SchmittBand] = []
  ) throws(StrategyError) {
    for (index, band) in bands.enumerated()
    where bands[..<index].contains(where: { $0.parameter == band.parameter }) {
      throw .repeatedBand(band.parameter)
    }
    self.plank = plank
    self.form = form
    self.bands = bands
  }

  /// The strategy that leaves debounce to the detector's own parameters.
  public static let parameters = DebounceStrategy()

  private init() {
    plank = nil
    form = nil
    bands = []
  }

  /// The rule of a stream, or nil if the detector's parameters apply.
  public subscript(stream: AnswerStream) -> StrategySettings<DebounceKind>? {
    stream == .plank ? plank : form
  }
}

/// Hysteresis around one threshold of a detector.
///
/// A comparison with a parameter becomes true once the measurement is beyond the parameter by the
/// half width, and false once the measurement is on the other side by the half width. In between,
/// the result stays the same. At the start of a sequence, and after a gap longer than
/// `hold_seconds`, the result is that of the comparison without hysteresis.
public struct SchmittBand: Hashable, Sendable {
  /// The parameter at the center of the band.
  public let parameter: ParameterKey
  /// Half the width of the band, in the parameter's unit; positive.
  public let halfWidth: Double

  /// Creates a band after checking its half width.
  ///
  /// - Throws: `StrategyError.invalidBand` unless the half width is finite and positive.
  public init(_ parameter: ParameterKey, halfWidth: Double) throws(StrategyError) {
    guard halfWidth.isFinite, halfWidth > 0 else { throw .invalidBand(parameter, halfWidth) }
    self.parameter = parameter
    self.halfWidth = halfWidth
  }
}

extension [SchmittBand] {
  package func band(of key: ParameterKey) -> SchmittBand? {
    first { $0.parameter == key } ?? first { $0.parameter.calibrated == key }
  }
}

#if !hasFeature(Embedded)
  extension DebounceStrategy: Codable {
    /// Decodes a strategy and checks it as the initializer does.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let plank = try container.decodeIfPresent(StrategySettings<DebounceKind>.self, forKey: .plank)
      let form = try container.decodeIfPresent(StrategySettings<DebounceKind>.self, forKey: .form)
      let bands = try container.decode([SchmittBand].self, forKey: .bands)
      self = try container.checked(.bands) {
        try DebounceStrategy(plank: plank, form: form, bands: bands)
      }
    }
  }

  extension SchmittBand: Codable {
    /// Decodes a band and checks its half width.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let key = ParameterKey(try container.decode(String.self, forKey: .parameter))
      let halfWidth = try container.decode(Double.self, forKey: .halfWidth)
      self = try container.checked(.halfWidth) { try SchmittBand(key, halfWidth: halfWidth) }
    }
  }
#endif

/// The ways to debounce raw labels, with their names in text form.
public enum DebounceKind: String, StrategyKind {
  /// Every raw label becomes the answer at once.
  case none
  /// A label must occur in a given number of frames in a row.
  case consecutive
  /// A label must last for a given time.
  case dwell
  /// A label must get a given number of votes from the last frames.
  case vote

  /// The name of the family in messages.
  public static var family: String { "debounce" }

  /// What the kind does, in one line.
  public var summary: String {
    switch self {
    case .none: "the raw label at once"
    case .consecutive: "a label needs some frames in a row: to enter, to switch, to exit"
    case .dwell: "a label must last for some time: to enter, to switch, to exit"
    case .vote: "a label needs most of the last votes"
    }
  }

  /// The parameters in the order used in documentation and output.
  public var parameters: [ParameterDefinition] {
    switch self {
    case .none: []
    case .consecutive: Self.changes(.frames, 5, 1...1000, "frames in a row")
    case .dwell: Self.changes(.seconds, 0.3, 0...10, "time")
    case .vote:
      [
        .init(checked: .votes, .frames, 4, 1...1000, "votes for a label that make it the answer"),
        .init(checked: .ballots, .frames, 5, 1...1000, "determined frames that vote"),
      ]
    }
  }

  /// Returns why the number of votes is invalid; nil if it is valid.
  ///
  /// The number must not exceed the number of frames, and no two labels may have enough votes at
  /// once.
  public func contradiction(in values: [ParameterKey: Double]) -> String? {
    guard let votes = values[.votes], let ballots = values[.ballots],
      votes > ballots || 2 * votes <= ballots
    else { return nil }
    return "\(Int(votes)) votes of \(Int(ballots)) can tie or never decide; give more than half "
      + "of the frames and at most all, for example votes=\(Int(ballots) / 2 + 1)"
  }

  private static func changes(
    _ unit: MeasurementUnit, _ value: Double, _ range: ClosedRange<Double>, _ what: String
  ) -> [ParameterDefinition] {
    [
      .init(checked: .enter, unit, value, range, what + " to leave the empty answer"),
      .init(checked: .switchOver, unit, value, range, what + " to go from one class to another"),
      .init(checked: .exit, unit, value, range, what + " to go back to the empty answer"),
    ]
  }
}

extension ParameterKey {
  /// What a label needs to replace the empty answer.
  public static let enter = ParameterKey("enter")
  /// What a label needs to replace another class.
  public static let switchOver = ParameterKey("switch")
  /// What the empty answer needs to replace a class.
  public static let exit = ParameterKey("exit")
  /// How many votes make a label the answer.
  public static let votes = ParameterKey("votes")
  /// How many of the last determined frames vote.
  public static let ballots = ParameterKey("frames")
}
