import CSweepKernels

/// The working memory of `SwiftSweepKernel`: what one block of words needs.
struct SweepScratch {
  typealias Lanes = SwiftSweepKernel.Lanes

  /// Where the answers of one debounce length and its search for events stand between blocks.
  struct Progress {
    var carry0 = Lanes()
    var carry1 = Lanes()
    var carry2 = Lanes()
    var event = 0
    var pending = UInt32.max
  }

  /// Words of the past that a level looks back to.
  static var history: Int { 16 }
  /// Doublings that reach the longest debounce.
  static var levels: Int { 10 }
  /// Words of a level.
  static var levelStride: Int { history + Int(SWEEP_BLOCK_WORDS) }

  private static var blockWords: Int { Int(SWEEP_BLOCK_WORDS) }
  private let memory: UnsafeMutablePointer<Lanes>
  /// One element a debounce length.
  let progress: UnsafeMutablePointer<Progress>

  /// Raw labels of a block, a plane after another.
  func raw(_ plane: Int) -> UnsafeMutablePointer<Lanes> { memory + plane * Self.blockWords }
  /// Steady answers of a block.
  func state(_ plane: Int) -> UnsafeMutablePointer<Lanes> {
    memory + (3 + plane) * Self.blockWords
  }
  /// Where the runs of equal labels are so long; the block's first word.
  func level(_ level: Int) -> UnsafeMutablePointer<Lanes> {
    memory + 6 * Self.blockWords + level * Self.levelStride + Self.history
  }
  /// The last raw label of a plane.
  var last: UnsafeMutablePointer<Lanes> {
    memory + 6 * Self.blockWords + Self.levels * Self.levelStride
  }

  private static var size: Int { 6 * blockWords + levels * levelStride + 3 }

  /// Takes memory for so many debounce lengths.
  init(lengths: Int) {
    memory = .allocate(capacity: Self.size)
    progress = .allocate(capacity: lengths)
    memory.initialize(repeating: Lanes(), count: Self.size)
    progress.initialize(repeating: Progress(), count: lengths)
  }

  /// Forgets what earlier calls left.
  func clear(lengths: Int) {
    memory.update(repeating: Lanes(), count: Self.size)
    progress.update(repeating: Progress(), count: lengths)
  }

  /// Gives the memory back.
  func deallocate() {
    memory.deallocate()
    progress.deallocate()
  }
}
