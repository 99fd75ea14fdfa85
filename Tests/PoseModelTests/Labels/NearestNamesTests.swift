import PoseModel
import Testing

@Suite("Nearest names")
struct NearestNamesTests {
  private let known = ["plank.f1_macro", "plank.f1_weighted", "form.f1_macro", "sag", "side_rise"]

  @Test("The nearest name comes first, equally near ones in their order")
  func order() {
    #expect(NearestNames.of("plank.f1_marco", among: known).first == "plank.f1_macro")
    #expect(NearestNames.of("f1_macro", among: known) == ["form.f1_macro", "plank.f1_macro"])
    #expect(NearestNames.of("sagox", among: ["sag", "sago"]) == ["sago", "sag"])
  }

  @Test("Letters compare without case")
  func caseIsIgnored() { #expect(NearestNames.of("SIDE_Rise", among: known) == ["side_rise"]) }

  @Test("What is unlike every name has none", arguments: ["", "wheelbarrow", "xyz"])
  func strange(typed: String) {
    #expect(NearestNames.of(typed, among: known).isEmpty)
    #expect(NearestNames.suggestion(typed, among: known) == nil)
  }

  @Test("A question suggests at most three names")
  func suggestion() {
    #expect(NearestNames.suggestion("saag", among: known) == "did you mean `sag`?")
    #expect(
      NearestNames.suggestion("ab1", among: ["ab2", "ab3", "ab4", "ab5"])
        == "did you mean `ab2`, `ab3` or `ab4`?")
  }

  @Test(
    "The edit distance counts insertions, deletions and replacements",
    arguments: [("kitten", "sitting", 3), ("", "abc", 3), ("abc", "", 3), ("same", "same", 0)])
  func distance(one: String, other: String, expected: Int) {
    #expect(EditDistance.between(Array(one.utf8), Array(other.utf8)) == expected)
    #expect(EditDistance.between(Array(other.utf8), Array(one.utf8)) == expected)
  }

  @Test(
    "Distances are those of the whole table, also where a column has several words",
    arguments: [(0, 5), (1, 1), (63, 64), (64, 64), (65, 130), (200, 3), (129, 257)])
  func table(one: Int, other: Int) {
    for codes in [1, 2, 6] {
      // Multiples of an odd number, taken apart: no two runs repeat within these lengths.
      let left = (0..<one).map { UInt8(($0 &* 2_654_435_761) >> 16 % codes) }
      let right = (0..<other).map { UInt8((($0 + 7) &* 2_246_822_519) >> 16 % codes) }
      #expect(EditDistance.between(left, right) == Self.distance(left, right))
    }
  }

  /// By the definition: the distances of all beginnings.
  private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
    var row = Array(0...other.count)
    for (i, left) in one.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, right) in other.enumerated() {
        let replaced = diagonal + (left == right ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replaced, min(row[j], diagonal) + 1)
      }
    }
    return row[other.count]
  }
}
