internal import CSweepKernels
internal import PlankDetection
internal import PoseModel

/// Where the frames of a sequence stand in words, and what becomes of those that have no bit.
struct FramePlacement {
  /// What a frame shows.
  enum Place: Hashable {
    /// The answer after the bit at this position, which is the frame's own.
    case kept(Int)
    /// The answer after the bit at this position: a dropout within the hold.
    case held(Int)
    /// The empty answer, whatever the cell.
    case empty
  }

  private(set) var places: [Place] = []
  private(set) var layout = WordLayout()
  private let times: [Double]
  private let truth: [UInt8]
  private var nextBit = 64
  private var lastPosition: Int?
  private var hasDropped = false

  /// Places the frames of a stream.
  init(_ sequence: MeasuredSequence, truth: [UInt8], determined: [Bool], holdSeconds: Double) {
    times = sequence.times
    self.truth = truth
    var lastDetermined = -Double.infinity
    for frame in times.indices {
      let isWithinHold = times[frame] - lastDetermined <= holdSeconds + Debouncer.tolerance
      if determined[frame] {
        if !isWithinHold { beginPiece(isFirstMid: sequence.startsMid && lastPosition == nil) }
        keep(frame)
        lastDetermined = times[frame]
      } else if isWithinHold, let lastPosition {
        places.append(.held(lastPosition))
      } else {
        drop(frame)
      }
    }
  }

  private func countsAsTransition(_ frame: Int) -> Bool {
    frame > 0 && FrameTruth.isScored(truth[frame]) && FrameTruth.isScored(truth[frame - 1])
  }

  private mutating func beginPiece(isFirstMid: Bool) {
    var flags = SWEEP_BEGINS_PIECE
    if lastPosition != nil, !hasDropped { flags |= SWEEP_CONTINUES }
    if isFirstMid { flags |= SWEEP_STARTS_MID }
    beginWord(UInt8(flags))
    hasDropped = false
  }

  private mutating func beginWord(_ flags: UInt8) {
    layout.flags.append(flags)
    layout.valid.append(0)
    layout.transitions.append(0)
    layout.frames.append(contentsOf: repeatElement(0, count: 64))
    nextBit = 0
  }

  private mutating func keep(_ frame: Int) {
    if nextBit == 64 { beginWord(0) }
    let word = layout.wordCount - 1
    let position = word * 64 + nextBit
    layout.valid[word] |= 1 << UInt64(nextBit)
    if countsAsTransition(frame) { layout.transitions[word] |= 1 << UInt64(nextBit) }
    layout.frames[position] = UInt32(frame)
    places.append(.kept(position))
    lastPosition = position
    nextBit += 1
  }

  private mutating func drop(_ frame: Int) {
    places.append(.empty)
    guard lastPosition != nil, !hasDropped else { return }
    hasDropped = true
    if countsAsTransition(frame) { layout.flags[layout.wordCount - 1] |= UInt8(SWEEP_DROPS) }
  }
}
