import PoseModel

/// Access to the members of a header line by key; null is as if absent.
struct HeaderFields {
  /// The members by key.
  let members: [String: JSONValue]

  /// A member that must be there.
  func required(_ key: String) throws(RecordingProblem) -> JSONValue {
    guard let value = optional(key) else { throw .missingField(key) }
    return value
  }

  /// One of the words of an enumeration.
  func word<Value: RawRepresentable & CaseIterable>(
    _ key: String, as type: Value.Type
  ) throws(RecordingProblem) -> Value? where Value.RawValue == String {
    let words = type.allCases.map(\.rawValue)
    guard let value = optional(key) else { return nil }
    guard case .text(let word) = value else {
      throw wrongType(key, value, allowed: words.joined(separator: ", "))
    }
    guard let result = Value(rawValue: word) else {
      throw .unknownWord(field: key, found: word, allowed: words)
    }
    return result
  }

  /// A truth value.
  func boolean(_ key: String) throws(RecordingProblem) -> Bool? {
    guard let value = optional(key) else { return nil }
    guard case .boolean(let result) = value else {
      throw wrongType(key, value, allowed: "true or false")
    }
    return result
  }

  /// A text that is not empty; an empty one is as if absent.
  func text(_ key: String) throws(RecordingProblem) -> String? {
    guard let value = optional(key) else { return nil }
    guard case .text(let result) = value else { throw wrongType(key, value, allowed: "text") }
    return result.isEmpty ? nil : result
  }

  /// A number above 0.
  func positive(_ key: String) throws(RecordingProblem) -> Double? {
    guard let value = optional(key) else { return nil }
    guard case .number(let number) = value else {
      throw wrongType(key, value, allowed: "a number above 0")
    }
    guard number > 0 else {
      throw .outOfRange(field: key, found: number, allowed: "a number above 0")
    }
    return number
  }

  /// A rate above 0 whose interval is a number too.
  func rate(_ key: String) throws(RecordingProblem) -> Hertz? {
    guard let rate = try positive(key).map(Hertz.init) else { return nil }
    guard rate.hasInterval else {
      throw .outOfRange(
        field: key, found: rate.value, allowed: "frames a second, of which one takes a finite time")
    }
    return rate
  }

  /// A whole number above 0.
  func pixels(_ key: String) throws(RecordingProblem) -> Int? {
    guard let number = try positive(key) else { return nil }
    guard let pixels = Int(exactly: number) else {
      throw .outOfRange(field: key, found: number, allowed: "a whole number of pixels")
    }
    return pixels
  }

  /// An up vector, normalized.
  func up(_ key: String) throws(RecordingProblem) -> Vector3? {
    guard let value = optional(key) else { return nil }
    let allowed = "3 numbers, or null"
    guard case .list(let elements) = value else { throw wrongType(key, value, allowed: allowed) }
    guard elements.count == 3 else {
      throw .wrongCount(field: key, found: elements.count, allowed: allowed)
    }
    var numbers: [Double] = []
    for (index, element) in elements.enumerated() {
      guard case .number(let number) = element else {
        throw .wrongType(field: key, element: index, found: element.summary, allowed: "a number")
      }
      numbers.append(number)
    }
    return try RecordingAssembler.unit(Vector3(numbers[0], numbers[1], numbers[2]))
  }

  private func optional(_ key: String) -> JSONValue? {
    guard let value = members[key], value != .null else { return nil }
    return value
  }

  private func wrongType(_ key: String, _ value: JSONValue, allowed: String) -> RecordingProblem {
    .wrongType(field: key, element: nil, found: value.summary, allowed: allowed)
  }
}
