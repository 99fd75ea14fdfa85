import TestSupport
import Testing

@testable import PoseDatasets

@Suite("Decimal numbers")
struct DecimalOracleTests {
  @Test(
    "Short numbers are those of the standard library to the last bit",
    arguments: Draws.seeds(20 as UInt64))
  func short(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      let number = random.next()
      let fraction = String("\(random.next())".prefix(Int(number % 17) + 1))
      let text = (number.isMultiple(of: 2) ? "-" : "") + "\(number >> 51).\(fraction)"
      #expect(Double(decimal: text)?.bitPattern == Double(text)?.bitPattern, "\(text)")
    }
  }

  @Test(
    "What is no decimal number is none",
    arguments: ["", "-", ".", "1.2.3", "0x10", "nan", "inf", "1,5", "--1", " 1", "1e"])
  func refused(text: String) { #expect(Double(decimal: text) == nil) }

  @Test("What the fast way leaves out is read all the same")
  func slow() {
    for text in ["007", "5.", ".5", "+1", "1e3", "123456789012345678901", "0.1234567890123456789"] {
      #expect(Double(decimal: text) == Double(text), "\(text)")
    }
  }
}
