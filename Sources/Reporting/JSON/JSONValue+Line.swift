extension JSONValue {
  /// The value as strict JSON on one line, without a line break: sorted names, no spaces.
  package var line: String {
    var text = ""
    write(lineTo: &text)
    return text
  }

  private func write(lineTo text: inout String) {
    switch self {
    case .array(let items):
      text += "["
      for (index, item) in items.enumerated() {
        if index > 0 { text += "," }
        item.write(lineTo: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { text += "," }
        JSONValue.string(member.key).write(to: &text, indent: 0)
        text += ":"
        member.value.write(lineTo: &text)
      }
      text += "}"
    default: write(to: &text, indent: 0)
    }
  }
}
