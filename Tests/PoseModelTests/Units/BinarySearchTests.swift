import Testing

@testable import PoseModel

@Suite("Binary search")
struct BinarySearchTests {
  @Test("the first element that fulfills the condition is found, wherever it lies")
  func first() {
    for count in 0...9 {
      for place in 0...count {
        let elements = (0..<count).map { $0 >= place }
        #expect(elements.partitioningIndex { $0 } == place)
      }
    }
  }

  @Test("in a slice, the index is one of the slice")
  func slice() {
    let numbers = [9, 9, 1, 2, 3, 0][2..<5]
    #expect(numbers.partitioningIndex { $0 >= 2 } == 3)
    #expect(numbers.partitioningIndex { $0 > 3 } == 5)
  }

  @Test("few elements are looked at")
  func effort() {
    var looked = 0
    let index = (0..<1_000_000).partitioningIndex {
      looked += 1
      return $0 >= 777_777
    }
    #expect(index == 777_777)
    #expect(looked <= 21)
  }
}
