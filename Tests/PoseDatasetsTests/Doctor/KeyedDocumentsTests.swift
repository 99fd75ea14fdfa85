import Testing

@testable import PoseDatasets

@Suite("Documents under ids") struct KeyedDocumentsTests {
  /// Forty documents under ids without an order, each with a pose and other fields.
  private func text(_ fields: (Int) -> String) -> String {
    let documents = (0..<40).map { place in
      let index = place * 17 % 40
      let id =
        "\(["q", "B", "z7", "K", "m3x"][place % 5])\(["aT", "9", "w"][place % 3])\(place * 7)e"
      return "\"\(id)\":{\(fields(index))\"pose\":\(SwayingLimbs.json(index))}"
    }
    return "{\(documents.joined(separator: ","))}"
  }

  private func expectInOrder(_ text: String) throws {
    let diagnosis = SwayingLimbs.diagnose(text, "documents.json")
    #expect(diagnosis.frames == 40 && diagnosis.isImportable)
    let times = try SwayingLimbs.times(text, diagnosis)
    #expect(times.count == 40)
    #expect(
      times.enumerated().allSatisfy { ($1 - Double($0) / SwayingLimbs.rate).magnitude < 0.002 })
  }

  @Test("Their times put them in order: milliseconds, seconds with nanoseconds, or dates")
  func times() throws {
    func milliseconds(_ index: Int) -> Int {
      Int((Double(index) * 1000 / SwayingLimbs.rate).rounded())
    }
    try expectInOrder(text { "\"timestamp\":\(1_777_600_000_000 + milliseconds($0))," })
    try expectInOrder(
      text { index in
        let (second, rest) = milliseconds(index).quotientAndRemainder(dividingBy: 1000)
        return
          "\"createdAt\":{\"_seconds\":\(1_777_600_000 + second),\"_nanoseconds\":\(rest * 1_000_000)},"
      })
    try expectInOrder(
      text { index in
        let (second, rest) = milliseconds(index).quotientAndRemainder(dividingBy: 1000)
        return "\"createdAt\":\"2026-05-01T10:00:0\(second).\(String(1000 + rest).dropFirst())Z\","
      })
    try expectInOrder("{\"poses\":\(text { "\"ms\":\(milliseconds($0))," })}")
  }

  @Test("Without a time in each, they are refused")
  func noTimes() {
    let diagnosis = SwayingLimbs.diagnose(text { _ in "\"app\":\"1.2\"," }, "documents.json")
    #expect(!diagnosis.isImportable && diagnosis.blocked.contains("40 poses are under keys"))
    let same = SwayingLimbs.diagnose(text { _ in "\"timestamp\":5," }, "documents.json")
    #expect(!same.isImportable)
    let file = NamedBytes(
      name: "documents.json", bytes: Array(text { _ in "\"app\":\"1.2\"," }.utf8))
    let map = SwayingLimbs.diagnose("[\(SwayingLimbs.json(0)),\(SwayingLimbs.json(1))]").map
    #expect(throws: PoseSourceError.self) {
      try TableSource(options: TableOptions(map: map ?? TableMap())).sequences(from: [file])
    }
  }

  @Test("Members without a pose are left out with a note")
  func others() {
    let documents = text { "\"timestamp\":\($0 * 33)," }
    let diagnosis = SwayingLimbs.diagnose(
      "{\"settings\":{\"app\":\"1.2\"},\(documents.dropFirst())", "documents.json")
    #expect(diagnosis.conclusions.contains { $0.finding == "1 member without a pose left out" })
  }
}
