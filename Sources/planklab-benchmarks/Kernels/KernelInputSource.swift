import CSweepKernels
import PlankDetection
import PoseModel

/// Makes inputs for kernels: holds of 5 to 38 s at 30 Hz with noise around every threshold, two
/// frames in a hundred lost, and now and then a gap that begins a new piece.
struct KernelInputSource {
  private let list: DecisionList
  private let noise: Double
  private var random: SplitMix64
  private var input = KernelInput()
  private var nextBit = 64
  private var held: [UInt64] = []
  private var kept: [UInt64] = []

  /// Starts a stream of inputs for the gravity detector's rules.
  ///
  /// - Parameter noise: the standard deviation of what stands one unit off its threshold.
  init(_ stream: AnswerStream, noise: Double, seed: UInt64) {
    list = DetectorDefinition.gravity.list(stream)
    self.noise = noise
    random = SplitMix64(seed: seed)
  }

  /// The next input of about so many frames.
  mutating func next(frames: Int) -> KernelInput {
    input = KernelInput()
    nextBit = 64
    describeRules()
    var frame = 0
    while frame < frames {
      let length = min(frames - frame, 150 + Int(random.next() % 1000))
      hold(length, truth: list.rules[Int(random.next() % UInt64(list.rules.count))].label)
      frame += length
    }
    return input
  }

  private mutating func describeRules() {
    input.planes = list.stream.labels.count > 4 ? 3 : 2
    input.rowCount = 2 * list.stream.labels.count
    for rule in list.rules {
      input.labels.append(rule.label)
      for predicate in rule.predicates {
        let varies = [.elbowSplit, .sideRise, .sag].contains(predicate.parameter)
        input.isShared.append(varies ? 0 : 1)
      }
      input.ends.append(UInt32(input.isShared.count))
    }
    input.rows = Array(repeating: [], count: input.isShared.count * Int(SWEEP_LANES))
  }

  /// Adds frames of one true class and what is counted in them.
  private mutating func hold(_ length: Int, truth: UInt8) {
    if input.wordCount == 0 || random.next() % 4 == 0 { beginPiece() }
    let firstWord = input.wordCount - 1
    var first: Int?
    kept = Array(repeating: 0, count: length / 64 + 2)
    held = kept
    for _ in 0..<length {
      guard random.uniform() >= 0.02 || first == nil else {
        held[input.wordCount - 1 - firstWord] |= 1 << UInt64(nextBit - 1)
        continue
      }
      let position = keep(truth)
      kept[position / 64 - firstWord] |= 1 << UInt64(position % 64)
      first = first ?? position
    }
    countRow(truth, firstWord: firstWord)
    if let first { addEvent(from: first, truth) }
  }

  /// Looks for a hold's class, now and then for another, which may come only after its end.
  private mutating func addEvent(from first: Int, _ truth: UInt8) {
    let last = input.wordCount * 64 - 65 + nextBit
    let isOther = random.next() % 8 == 0
    let label = isOther ? UInt32(random.next() % UInt64(list.rules.count)) : UInt32(truth)
    input.events.append(
      sweep_event(
        first_mask: .max << UInt64(first % 64), last_mask: .max >> UInt64(63 - last % 64),
        first_word: UInt32(first / 64), last_word: UInt32(last / 64), label: label))
  }

  private mutating func beginPiece() {
    var flags = SWEEP_BEGINS_PIECE
    switch random.next() % 4 {
    case 0: flags |= SWEEP_CONTINUES
    case 1: flags |= SWEEP_STARTS_MID
    case 2 where input.wordCount > 0: input.flags[input.wordCount - 1] |= UInt8(SWEEP_DROPS)
    default: break
    }
    beginWord(UInt8(flags))
  }

  private mutating func beginWord(_ flags: UInt8) {
    input.flags.append(flags)
    input.valid.append(0)
    input.transitions.append(0)
    for row in input.rows.indices { input.rows[row].append(0) }
    nextBit = 0
  }

  /// Adds a frame; returns the position of its bit.
  private mutating func keep(_ truth: UInt8) -> Int {
    if nextBit == 64 { beginWord(0) }
    let word = input.wordCount - 1
    let bit: UInt64 = 1 << UInt64(nextBit)
    input.valid[word] |= bit
    if word > 0 || nextBit > 0 { input.transitions[word] |= bit }
    var predicate = 0
    for rule in list.rules {
      for _ in rule.predicates {
        let value = (rule.label == truth ? 1 : -1) + noise * random.normal()
        for lane in 0..<Int(SWEEP_LANES) {
          let threshold = input.isShared[predicate] == 1 ? 0 : 0.1 * Double(lane) - 0.35
          if value > threshold { input.rows[predicate * Int(SWEEP_LANES) + lane][word] |= bit }
        }
        predicate += 1
      }
    }
    nextBit += 1
    return word * 64 + nextBit - 1
  }

  /// Counts a hold's frames for its class: whole words as runs, parts as masks, lost frames with
  /// the frame that they repeat.
  private mutating func countRow(_ truth: UInt8, firstWord: Int) {
    let heldRow = UInt32(truth) + UInt32(list.stream.labels.count)
    for word in firstWord..<input.wordCount {
      let mask = kept[word - firstWord]
      if mask == .max {
        addWord(word, row: UInt32(truth))
      } else if mask != 0 {
        addMask(mask, word, row: UInt32(truth), shift: 0)
      }
      let lost = held[word - firstWord]
      if lost != 0 { addMask(lost, word, row: heldRow, shift: UInt32(random.next() % 2)) }
    }
  }

  private mutating func addMask(_ mask: UInt64, _ word: Int, row: UInt32, shift: UInt32) {
    input.masked.append(sweep_masked(mask: mask, word: UInt32(word), row: row, shift: shift))
  }

  private mutating func addWord(_ word: Int, row: UInt32) {
    if let last = input.runs.last, last.row == row, Int(last.first_word + last.word_count) == word,
      !word.isMultiple(of: Int(SWEEP_BLOCK_WORDS))
    {
      input.runs[input.runs.count - 1].word_count += 1
    } else {
      input.runs.append(sweep_run(first_word: UInt32(word), word_count: 1, row: row))
    }
  }
}
