import CSweepKernels

/// One call's worth of work for a sweep kernel: a sequence in words, a decision list, and the
/// predicate words of eight cells.
struct KernelInput {
  /// A word's flags.
  var flags: [UInt8] = []
  /// A word's bits that stand for frames.
  var valid: [UInt64] = []
  /// A word's bits whose change counts.
  var transitions: [UInt64] = []
  /// Words that count for a row in full.
  var runs: [sweep_run] = []
  /// Parts of words that count for a row.
  var masked: [sweep_masked] = []
  /// Where first answers are looked for.
  var events: [sweep_event] = []
  /// True classes, once for determined and once for held frames.
  var rowCount = 0
  /// The label of every rule.
  var labels: [UInt8] = []
  /// Where every rule's predicates end.
  var ends: [UInt32] = []
  /// Bits of a label.
  var planes = 3
  /// A predicate's words: eight rows each, of which a shared one has only the first.
  var rows: [[UInt64]] = []
  /// Whether all cells have the predicate's first row.
  var isShared: [UInt8] = []

  /// How many words there are.
  var wordCount: Int { flags.count }
  /// How many frames have a bit.
  var frameCount: Int { valid.reduce(0) { $0 + $1.nonzeroBitCount } }
  /// Numbers that a debounce length counts, a lane.
  var sumCount: Int { rowCount * Int(sweep_sum_count(UInt32(planes))) + 1 }
}
