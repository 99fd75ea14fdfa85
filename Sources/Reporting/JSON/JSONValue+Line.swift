extension JSONValue {
  /// The value as strict JSON on one line, without a line break: sorted names, no spaces.
  package var line: String {
    switch self {
    case .array(let items): "[" + items.map(\.line).joined(separator: ",") + "]"
    case .object(let members):
      "{"
        + members.sorted { $0.key < $1.key }
        .map { JSONValue.string($0.key).line + ":" + $0.value.line }
        .joined(separator: ",") + "}"
    default: String(text.dropLast())
    }
  }
}
