extension NamedText {
  /// Text of labels: UTF-8, or UTF-16 as Praat and spreadsheets write it.
  package init(labels source: NamedBytes) throws {
    let bytes = source.bytes
    let isLittle = bytes.starts(with: [0xFF, 0xFE])
    guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else {
      try self.init(name: source.name, bytes: bytes)
      return
    }
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    for index in stride(from: 2, to: bytes.count - 1, by: 2) {
      let (one, other) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      units.append(isLittle ? one | other << 8 : one << 8 | other)
    }
    self.init(name: source.name, text: String(decoding: units, as: UTF16.self))
  }
}
