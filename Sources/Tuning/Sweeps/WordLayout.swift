internal import CSweepKernels
internal import PlankDetection
internal import PoseModel

/// One stream of one sequence as words of 64 determined frames; every piece starts in a new word.
///
/// A piece starts at the first determined frame, and at every frame more than `hold_seconds` after
/// the previous determined frame. Undetermined frames within the hold time count with the last
/// determined frame; later ones have the empty answer, whatever the configuration. If every
/// determined frame sets the answer, a piece continues unless a frame with the empty answer lies in
/// between. Without this, a hold time shorter than a frame would take a word for every frame.
struct WordLayout: Sendable {
  var flags: [UInt8] = []
  var valid: [UInt64] = []
  var transitions: [UInt64] = []
  var runs: [sweep_run] = []
  var masked: [sweep_masked] = []
  var events: [sweep_event] = []
  var searches: [OnsetSearch] = []
  var frames: [UInt32] = []
  var starts: [UInt32] = []
  var rows: [Row] = []
  var rowTotals: [Int] = []
  var alwaysEmpty: [Int] = []
  /// Whether a piece continues where a new one would begin if not every frame set the answer.
  var hasJoinedPieces = false
  var wordCount: Int { flags.count }

  /// A row of the sequence or, if recordings with different frame weights are joined, of one
  /// recording.
  struct Row: Hashable {
    let row: Int
    let ticks: UInt64
  }

  func frame(at position: Int) -> Int { Int(frames[Int(starts[position / 64]) + position % 64]) }

  /// The numbers of a column, 64 per word; NaN for bits without a frame.
  func gather(_ column: [Float], _ words: Range<Int>) -> [Float] {
    column.withUnsafeBufferPointer { column in
      frames.withUnsafeBufferPointer { frames in
        Array(unsafeUninitializedCapacity: 64 * words.count) { numbers, count in
          count = 64 * words.count
          for (place, word) in words.enumerated() {
            let start = Int(starts[word])
            let held = valid[word].nonzeroBitCount
            for bit in 0..<held { numbers[64 * place + bit] = column[Int(frames[start + bit])] }
            for bit in held..<64 { numbers[64 * place + bit] = .nan }
          }
        }
      }
    }
  }

  func withKernelSequence<Result>(_ body: (UnsafePointer<sweep_sequence>) -> Result) -> Result {
    flags.withUnsafeBufferPointer { flags in
      valid.withUnsafeBufferPointer { valid in
        transitions.withUnsafeBufferPointer { transitions in
          runs.withUnsafeBufferPointer { runs in
            masked.withUnsafeBufferPointer { masked in
              events.withUnsafeBufferPointer { events in
                var sequence = sweep_sequence(
                  flags: flags.baseAddress, valid: valid.baseAddress,
                  transitions: transitions.baseAddress, runs: runs.baseAddress,
                  masked: masked.baseAddress, events: events.baseAddress,
                  word_count: UInt32(flags.count), row_count: UInt32(rowTotals.count),
                  run_count: UInt32(runs.count), masked_count: UInt32(masked.count),
                  event_count: UInt32(events.count))
                return body(&sequence)
              }
            }
          }
        }
      }
    }
  }
}

extension WordLayout {
  init(
    _ sequence: MeasuredSequence, _ stream: AnswerStream, determined: [Bool],
    holdSeconds: Double, setsAtOnce: Bool, facts: StreamFacts.SequenceFacts
  ) {
    let truth = sequence.truth.codes(stream)
    let placement = FramePlacement(
      sequence, truth: truth, determined: determined, holdSeconds: holdSeconds,
      setsAtOnce: setsAtOnce)
    self = placement.layout
    rows = facts.rows.indices.map { Row(row: $0, ticks: 0) }
    var rowOfTruth = Array(repeating: -1, count: 256)
    for (row, value) in facts.rows.enumerated() { rowOfTruth[Int(value.truth)] = row }
    countRows(
      placement,
      facts.hasTicks ? ownRows(sequence, truth, rowOfTruth) : truth.map { rowOfTruth[Int($0)] })
    addEvents(placement.places, facts.onsets, truth)
  }

  /// Held frames count with the determined frame whose answer they repeat.
  private mutating func countRows(_ placement: FramePlacement, _ rowOfFrame: [Int]) {
    rowTotals = Array(repeating: 0, count: rows.count)
    alwaysEmpty = rowTotals
    var held: [HeldBit: Int] = [:]
    for frame in placement.others {
      let row = rowOfFrame[frame]
      guard row >= 0 else { continue }
      if case .held(let position) = placement.places[frame] {
        held[HeldBit(position: position, row: row), default: 0] += 1
        rowTotals[row] += 1
      } else {
        alwaysEmpty[row] += 1
      }
    }
    addTasks(rowOfFrame, held)
  }

  private mutating func ownRows(
    _ sequence: MeasuredSequence, _ truth: [UInt8], _ rowOfTruth: [Int]
  ) -> [Int] {
    rows = []
    var rowOfFrame = Array(repeating: -1, count: truth.count)
    for recording in sequence.recordings {
      let ticks = FrameTicks.of(recording.frameWeight)
      var known: [Int: Int] = [:]
      for frame in recording.frames where rowOfTruth[Int(truth[frame])] >= 0 {
        let row = rowOfTruth[Int(truth[frame])]
        if known[row] == nil {
          known[row] = rows.count
          rows.append(Row(row: row, ticks: ticks))
        }
        rowOfFrame[frame] = known[row] ?? -1
      }
    }
    return rowOfFrame
  }

  private struct HeldBit: Hashable {
    let position: Int
    let row: Int
  }

  private mutating func addTasks(_ rowOfFrame: [Int], _ held: [HeldBit: Int]) {
    var heldByWord = Array(repeating: [sweep_masked](), count: held.isEmpty ? 0 : wordCount)
    for (bit, count) in held {
      for shift in 0..<(Int.bitWidth - count.leadingZeroBitCount) where count >> shift & 1 == 1 {
        add(
          sweep_masked(
            mask: 1 << UInt64(bit.position % 64), word: UInt32(bit.position / 64),
            row: UInt32(bit.row), shift: UInt32(shift)), to: &heldByWord[bit.position / 64])
      }
    }
    var kept = Array(repeating: UInt64(0), count: rows.count)
    for word in 0..<wordCount {
      let start = Int(starts[word])
      for bit in 0..<valid[word].nonzeroBitCount {
        let row = rowOfFrame[Int(frames[start + bit])]
        if row >= 0 { kept[row] |= 1 << UInt64(bit) }
      }
      for row in rows.indices where kept[row] != 0 {
        let bits = kept[row]
        kept[row] = 0
        rowTotals[row] += bits.nonzeroBitCount
        if bits == .max {
          addWord(word, row: row)
        } else {
          masked.append(sweep_masked(mask: bits, word: UInt32(word), row: UInt32(row), shift: 0))
        }
      }
      if !held.isEmpty { masked += heldByWord[word] }
    }
  }

  private func add(_ new: sweep_masked, to list: inout [sweep_masked]) {
    if let index = list.firstIndex(where: { $0.row == new.row && $0.shift == new.shift }) {
      list[index].mask |= new.mask
    } else {
      list.append(new)
    }
  }

  private mutating func addWord(_ word: Int, row: Int) {
    if let last = runs.last, Int(last.row) == row, Int(last.first_word + last.word_count) == word,
      !word.isMultiple(of: Int(SWEEP_BLOCK_WORDS))
    {
      runs[runs.count - 1].word_count += 1
    } else {
      runs.append(sweep_run(first_word: UInt32(word), word_count: 1, row: UInt32(row)))
    }
  }

  /// The kernel takes events in order, neither overlapping nor nested, so scored and other frames
  /// are searched separately.
  private mutating func addEvents(
    _ places: [FramePlacement.Place], _ all: [StreamFacts.Onset], _ truth: [UInt8]
  ) {
    for (index, onset) in all.enumerated() {
      var start = onset.frames.lowerBound
      while start < onset.frames.upperBound {
        let isScored = FrameTruth.isScored(truth[start])
        var end = start + 1
        while end < onset.frames.upperBound, FrameTruth.isScored(truth[end]) == isScored {
          end += 1
        }
        if let event = event(of: start..<end, places, onset.label) {
          events.append(event)
          searches.append(OnsetSearch(onset: index, isScored: isScored))
        }
        start = end
      }
    }
  }

  private func event(
    of frames: Range<Int>, _ places: [FramePlacement.Place], _ label: UInt8
  ) -> sweep_event? {
    var first: Int?
    var last: Int?
    for frame in frames {
      let position: Int
      switch places[frame] {
      case .kept(let own): position = own
      case .held(let before): position = before
      case .empty: continue
      }
      first = first ?? position
      last = position
    }
    guard let first, let last else { return nil }
    return sweep_event(
      first_mask: .max << UInt64(first % 64), last_mask: .max >> UInt64(63 - last % 64),
      first_word: UInt32(first / 64), last_word: UInt32(last / 64), label: UInt32(label))
  }
}

struct OnsetSearch: Hashable, Sendable {
  let onset: Int
  /// An answer must include a scored frame, but the first answer on any of the event's frames gives
  /// the time.
  let isScored: Bool
}

struct FramePlacement {
  enum Place: Hashable {
    case kept(Int)
    case held(Int)
    case empty
  }

  private(set) var places: [Place] = []
  private(set) var others: [Int] = []
  private(set) var layout = WordLayout()
  private let times: [Double]
  private let truth: [UInt8]
  private var word: (valid: UInt64, transitions: UInt64) = (0, 0)
  private var nextBit = 64
  private var lastPosition: Int?
  private var hasDropped = false

  private var firstFrame = 0

  init(
    _ sequence: MeasuredSequence, truth: [UInt8], determined: [Bool], holdSeconds: Double,
    setsAtOnce: Bool
  ) {
    times = sequence.times
    self.truth = truth
    places.reserveCapacity(times.count)
    layout.frames.reserveCapacity(times.count)
    for recording in sequence.recordings {
      place(
        recording.frames, startsMid: sequence.startsMid, determined: determined,
        bridged: holdSeconds + Debouncer.tolerance, setsAtOnce: setsAtOnce)
    }
    endWord()
  }

  private mutating func place(
    _ recording: Range<Int>, startsMid: Bool, determined: [Bool], bridged: Double, setsAtOnce: Bool
  ) {
    firstFrame = recording.lowerBound
    lastPosition = nil
    hasDropped = false
    var lastDetermined = -Double.infinity
    var frame = recording.lowerBound
    while frame < recording.upperBound {
      let isWithinHold = times[frame] - lastDetermined <= bridged
      guard determined[frame] else {
        others.append(frame)
        if isWithinHold, let lastPosition {
          places.append(.held(lastPosition))
        } else {
          drop(frame)
        }
        frame += 1
        continue
      }
      if !isWithinHold {
        if setsAtOnce, lastPosition != nil, !hasDropped {
          layout.hasJoinedPieces = true
        } else {
          beginPiece(isFirstMid: startsMid && lastPosition == nil)
        }
      }
      let start = frame
      frame += 1
      while frame < recording.upperBound, determined[frame] {
        if times[frame] - times[frame - 1] > bridged {
          guard setsAtOnce else { break }
          layout.hasJoinedPieces = true
        }
        frame += 1
      }
      keep(start..<frame)
      lastDetermined = times[frame - 1]
    }
  }

  private func countsAsTransition(_ frame: Int) -> Bool {
    frame > firstFrame && FrameTruth.isScored(truth[frame]) && FrameTruth.isScored(truth[frame - 1])
  }

  private mutating func beginPiece(isFirstMid: Bool) {
    var flags = SWEEP_BEGINS_PIECE
    if lastPosition != nil, !hasDropped { flags |= SWEEP_CONTINUES }
    if isFirstMid { flags |= SWEEP_STARTS_MID }
    beginWord(UInt8(flags))
    hasDropped = false
  }

  private mutating func beginWord(_ flags: UInt8) {
    endWord()
    layout.flags.append(flags)
    layout.starts.append(UInt32(layout.frames.count))
    nextBit = 0
  }

  private mutating func endWord() {
    guard layout.wordCount > layout.valid.count else { return }
    layout.valid.append(word.valid)
    layout.transitions.append(word.transitions)
    word = (0, 0)
  }

  private mutating func keep(_ run: Range<Int>) {
    var first = run.lowerBound
    while first < run.upperBound {
      if nextBit == 64 { beginWord(0) }
      let part = first..<min(first + 64 - nextBit, run.upperBound)
      let position = (layout.wordCount - 1) * 64 + nextBit
      word.valid |= (.max >> UInt64(64 - part.count)) << UInt64(nextBit)
      word.transitions |= transitions(part) << UInt64(nextBit)
      for place in position..<position + part.count { places.append(.kept(place)) }
      layout.frames.append(contentsOf: UInt32(part.lowerBound)..<UInt32(part.upperBound))
      nextBit += part.count
      first = part.upperBound
    }
    lastPosition = (layout.wordCount - 1) * 64 + nextBit - 1
  }

  private func transitions(_ frames: Range<Int>) -> UInt64 {
    var bits: UInt64 = 0
    var isPreviousScored =
      frames.lowerBound > firstFrame && FrameTruth.isScored(truth[frames.lowerBound - 1])
    for (bit, frame) in frames.enumerated() {
      let isScored = FrameTruth.isScored(truth[frame])
      if isScored, isPreviousScored { bits |= 1 << UInt64(bit) }
      isPreviousScored = isScored
    }
    return bits
  }

  private mutating func drop(_ frame: Int) {
    places.append(.empty)
    guard lastPosition != nil, !hasDropped else { return }
    hasDropped = true
    if countsAsTransition(frame) { layout.flags[layout.wordCount - 1] |= UInt8(SWEEP_DROPS) }
  }
}
