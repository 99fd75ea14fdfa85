package import PoseModel

/// How much the cells of a stream take, from the lengths of the axes alone: nothing is evaluated.
package struct SweepSize: Hashable, Sendable {
  /// The stream.
  package let stream: AnswerStream
  /// How many cells there are, degenerate ones included; a `Double`, so that nothing overflows.
  package let cells: Double
  /// How many numbers a cell has.
  package let numbers: Int

  /// States a size.
  package init(_ stream: AnswerStream, cells: Double, numbers: Int) {
    self.stream = stream
    self.cells = cells
    self.numbers = numbers
  }

  /// The cells of a range of a grid over some data.
  ///
  /// - Complexity: O(frames).
  package init(_ grid: StreamGrid, _ data: MeasuredData, range: Range<Int>? = nil) {
    let layout = StatisticsLayout(
      StreamFacts(grid.stream, data.sequences), keepsDetermined: false)
    self.init(
      grid.stream, cells: Double(range?.count ?? grid.cellCount), numbers: layout.stride)
  }

  /// About how many bytes a cell takes in a store: nine tenths of a byte a number, and its row.
  ///
  /// Measured (docs/store.md): 887 bytes for 898 numbers, 84 for 59; less where there are many
  /// numbers, most of which are zeros then.
  package var storedBytesPerCell: Double { 0.9 * Double(numbers) + 40 }

  /// About how many bytes a cell takes while it is chosen from: its numbers, the sums of every
  /// subject, and what sorting and choosing note of it.
  ///
  /// - Parameters:
  ///   - subjects: how many people there are.
  ///   - jobs: how many choices are made at the same time.
  package func chosenBytesPerCell(subjects: Int, jobs: Int) -> Double {
    4 * Double(numbers) + 200 * Double(subjects) + 500 + 100 * Double(jobs)
  }
}
