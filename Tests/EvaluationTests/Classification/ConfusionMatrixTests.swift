import Evaluation
import Foundation
import Testing

@Suite("Confusion matrix")
struct ConfusionMatrixTests {
  private let matrix = ConfusionMatrix(
    labels: ["aligned", "sag", "pike"], rows: [[5, 2, 0], [1, 7, 0], [0, 3, 9]])

  @Test("Rows are truth and columns answers")
  func orientation() {
    #expect(matrix[0, 1] == 2)
    #expect(matrix.truthTotal(2) == 12)
    #expect(matrix.rows.reduce(0) { $0 + $1[1] } == 12)
    #expect(matrix.total == 27)
    #expect(matrix.right == 21)
    #expect(matrix.rows == [[5, 2, 0], [1, 7, 0], [0, 3, 9]])
  }

  @Test("Weighing counts every frame as a duration")
  func weighing() {
    #expect(matrix.weighted(by: 0.25).rows[0] == [1.25, 0.5, 0])
  }

  @Test("Matrices add up cell by cell")
  func sum() {
    var sum = ConfusionMatrix<Int>(labels: matrix.labels)
    #expect(sum.total == 0)
    sum += matrix
    sum += matrix
    #expect(sum.rows == [[10, 4, 0], [2, 14, 0], [0, 6, 18]])
  }

  @Test(
    "A saved matrix that is not square, is negative or overflows is refused",
    arguments: [
      "[[1, 2], [3]]", "[[1, 2]]", "[[1, 2], [3, 4], [5, 6]]", "[[1, -2], [3, 4]]",
      "[[9000000000000000000, 9000000000000000000], [1, 1]]", "[]",
    ])
  func refusals(rows: String) {
    let text = "{\"labels\": [\"aligned\", \"sag\"], \"rows\": \(rows)}"
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(ConfusionMatrix<Int>.self, from: Data(text.utf8))
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.debugDescription.contains("a row and a column per label"))
  }

  @Test("A saved matrix is read as it was written")
  func saved() throws {
    let data = try JSONEncoder().encode(matrix)
    #expect(try JSONDecoder().decode(ConfusionMatrix<Int>.self, from: data) == matrix)
  }
}
