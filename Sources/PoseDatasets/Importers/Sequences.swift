extension Sequence {
  /// Transforms all elements; nil if the result for one of them is nil.
  func mapAll<Result>(_ transform: (Element) throws -> Result?) rethrows -> [Result]? {
    var results: [Result] = []
    for element in self {
      guard let result = try transform(element) else { return nil }
      results.append(result)
    }
    return results
  }

  package func grouped<Key: Hashable>(
    by key: (Element) throws -> Key
  ) rethrows -> [(key: Key, elements: [Element])] {
    var places: [Key: Int] = [:]
    var groups: [(key: Key, elements: [Element])] = []
    for element in self {
      let key = try key(element)
      if let place = places[key] {
        groups[place].elements.append(element)
      } else {
        places[key] = groups.count
        groups.append((key, [element]))
      }
    }
    return groups
  }
}

extension Collection where Element == Double {
  /// The median of numbers without NaN, in O(n log n); nil if there are none.
  var median: Double? {
    guard !isEmpty else { return nil }
    let sorted = self.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2)
      ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }
}

extension Collection where Element: Numeric {
  /// The differences between neighbors, such as the steps between times.
  var steps: [Element] { zip(dropFirst(), self).map { $0 - $1 } }
}

extension Array {
  subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

extension BidirectionalCollection {
  /// Leaves out elements at both ends.
  func trimmed(while isLeftOut: (Element) -> Bool) -> SubSequence {
    var rest = drop(while: isLeftOut)
    while let last = rest.last, isLeftOut(last) { rest.removeLast() }
    return rest
  }
}

extension Double {
  /// The number as people write it, without a point if it is whole.
  var plain: String { Int(exactly: self).map(String.init) ?? "\(self)" }
}

extension StringProtocol {
  /// The text without white space at its ends.
  var trimmed: String { String(trimmed(while: \.isWhitespace)) }

  /// How many ASCII digits the text ends with.
  var trailingDigits: Int { reversed().prefix(while: \.isDigit).count }

  /// What follows the last slash, which names a file in its folder.
  var lastComponent: String { String(split(separator: "/").last ?? "") }
}

extension Character {
  /// Whether this is one of 0 to 9.
  var isDigit: Bool { isASCII && isNumber }
}
