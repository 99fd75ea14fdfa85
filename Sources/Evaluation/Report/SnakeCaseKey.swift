/// Keys whose names in JSON are those of the cases in snake case (`leftOut` becomes `left_out`),
/// unless a case has its own raw value.
package protocol SnakeCaseKey: CodingKey, CaseIterable, RawRepresentable<String> {}

extension SnakeCaseKey {
  package var stringValue: String {
    let isCapital: (UInt8) -> Bool = { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    guard rawValue.utf8.contains(where: isCapital) else { return rawValue }
    var name: [UInt8] = []
    name.reserveCapacity(rawValue.utf8.count + 4)
    for letter in rawValue.utf8 {
      if isCapital(letter) { name.append(UInt8(ascii: "_")) }
      name.append(isCapital(letter) ? letter | 0x20 : letter)
    }
    return String(decoding: name, as: UTF8.self)
  }

  package init?(stringValue: String) {
    let key = Self.allCases.first { $0.stringValue == stringValue }
    guard let key else { return nil }
    self = key
  }
}
