/// The sufficient statistics of some cells: every metric of theirs comes from here.
package struct CellTable: Sendable {
  /// Where the numbers of a cell stand.
  package let layout: StatisticsLayout
  /// The cells' ids, ascending.
  package private(set) var ids: [Int]
  /// The numbers, cell after cell: `ids.count * layout.stride`.
  package private(set) var storage: [UInt32]

  /// Makes a table from its numbers.
  ///
  /// - Precondition: `layout.stride` numbers a cell.
  package init(layout: StatisticsLayout, ids: [Int], storage: [UInt32]) {
    precondition(storage.count == ids.count * layout.stride, "one row of numbers a cell")
    self.layout = layout
    self.ids = ids
    self.storage = storage
  }

  /// Adds cells of the same layout with larger ids.
  package mutating func append(_ other: CellTable) {
    precondition(other.layout.stride == layout.stride, "tables of one layout")
    precondition((ids.last ?? -1) < (other.ids.first ?? .max), "ids go up")
    guard !ids.isEmpty else {
      self = other
      return
    }
    ids += other.ids
    storage += other.storage
  }

  /// Where a cell stands in the table, or nil where it is not in it.
  ///
  /// - Complexity: O(log cells).
  package func position(of id: Int) -> Int? {
    var (low, high) = (0, ids.count)
    while low < high {
      let middle = (low + high) / 2
      if ids[middle] < id { low = middle + 1 } else { high = middle }
    }
    return low < ids.count && ids[low] == id ? low : nil
  }

  /// All numbers of the cell at a position.
  package func numbers(at position: Int) -> ArraySlice<UInt32> {
    storage[position * layout.stride..<(position + 1) * layout.stride]
  }

  /// Frames of a sequence by truth and answer, row after row over all classes.
  ///
  /// - Parameter determined: only frames that the rules labeled; the layout must keep them.
  package func confusion(at position: Int, sequence: Int, determined: Bool = false) -> [Int] {
    let labels = layout.labelCount
    var cells = Array(repeating: 0, count: labels * labels)
    for (index, row) in layout.facts.sequences[sequence].rows.enumerated() {
      let place = layout.row(index, of: sequence)
      guard let start = determined ? place.determined : place.all else { continue }
      for answer in 0..<labels {
        cells[Int(row.truth) * labels + answer] =
          Int(storage[position * layout.stride + start + answer])
      }
    }
    return cells
  }

  /// Changes of the answer between consecutive scored frames of a sequence.
  package func transitions(at position: Int, sequence: Int) -> Int {
    Int(storage[position * layout.stride + layout.transitions(of: sequence)])
  }

  /// The frames from an onset to the first answer of its class, or nil where there was none.
  package func latency(at position: Int, sequence: Int, onset: Int) -> Int? {
    let number = storage[position * layout.stride + layout.latency(onset, of: sequence)]
    return number == StatisticsLayout.never ? nil : Int(number)
  }
}
