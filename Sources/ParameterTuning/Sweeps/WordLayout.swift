internal import CSweepKernels

/// One stream of one sequence as words of 64 determined frames: what no threshold changes.
///
/// Undetermined frames are taken out. Every piece begins in a fresh word: the sequence's first
/// determined frame begins one, and every frame that comes more than `hold_seconds` after the
/// determined frame before it. Undetermined frames within the hold show the answer after the last
/// frame kept, so they count with it; later ones show the empty answer whatever the cell.
struct WordLayout: Sendable {
  /// A word's flags, see the kernel.
  var flags: [UInt8] = []
  /// A word's bits that stand for frames.
  var valid: [UInt64] = []
  /// A word's bits whose change from the frame before counts.
  var transitions: [UInt64] = []
  /// Words that count for one row in full.
  var runs: [sweep_run] = []
  /// Parts of words that count for a row; rows of held frames follow those of determined ones.
  var masked: [sweep_masked] = []
  /// Where the kernel looks for a first answer.
  var events: [sweep_event] = []
  /// The onset of every event of the kernel.
  var onsets: [Int] = []
  /// The frame of every bit; 0 where none.
  var frames: [UInt32] = []
  /// The frames of every row of the kernel.
  var rowTotals: [Int] = []
  /// By true class: scored frames that show the empty answer whatever the cell.
  var alwaysEmpty: [Int] = []
  /// How many words there are.
  var wordCount: Int { flags.count }

  /// Hands the layout to the kernel.
  func withKernelSequence<Result>(
    _ body: (UnsafePointer<sweep_sequence>) -> Result
  ) -> Result {
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
