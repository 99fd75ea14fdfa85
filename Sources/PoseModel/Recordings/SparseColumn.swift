/// A column of optional values that takes no memory until the first value comes.
struct SparseColumn<Value: Sendable>: Sendable {
  private var values: [Value?] = []

  /// Whether no frame has a value.
  var isEmpty: Bool { values.isEmpty }

  /// Adds the value of frame `frame`; frames must come in order.
  mutating func append(_ value: Value?, frame: Int) {
    if value == nil, values.isEmpty { return }
    if values.isEmpty { values = Array(repeating: nil, count: frame) }
    values.append(value)
  }

  /// The value of a frame, or nil where it has none.
  subscript(frame: Int) -> Value? { values.isEmpty ? nil : values[frame] }

  /// The column with every value replaced.
  func map(_ transform: (Value) -> Value) -> SparseColumn {
    var result = self
    result.values = values.map { $0.map(transform) }
    return result
  }
}
