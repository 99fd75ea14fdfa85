import Synchronization
import Testing

@testable import Platform

/// Pieces that are made concurrently and used in order.
@Suite("Work in order")
struct ConcurrentMapTests {
  private struct Refusal: Error, Equatable {
    let piece: Int
  }

  @Test("Pieces are used in order, whatever the number of threads", arguments: [1, 2, 7])
  func order(jobs: Int) async throws {
    var used: [Int] = []
    try await ConcurrentMap.inOrder(50, jobs: jobs) { piece in
      // Every third piece takes longer than those behind it.
      for _ in 0..<(piece % 3 == 0 ? 200 : 1) { await Task.yield() }
      return piece
    } use: {
      used.append($0)
    }
    #expect(used == Array(0..<50))
  }

  @Test("Pieces wait for one that takes longer, and no more are made meanwhile")
  func bound() async throws {
    let made = Mutex(0)
    var used = 0
    try await ConcurrentMap.inOrder(40, jobs: 3) { piece in
      if piece == 0 { for _ in 0..<2000 { await Task.yield() } }
      made.withLock { $0 += 1 }
      return piece
    } use: { _ in
      used += 1
      #expect(made.withLock { $0 } <= used - 1 + 2 * 3)
    }
    #expect(used == 40)
  }

  @Test("The first failure in order ends the work, and what is before it was used")
  func failure() async {
    var used: [Int] = []
    await #expect(throws: Refusal(piece: 5)) {
      try await ConcurrentMap.inOrder(20, jobs: 4) { (piece) throws -> Int in
        if piece == 5 { for _ in 0..<100 { await Task.yield() } }
        if [5, 6].contains(piece) { throw Refusal(piece: piece) }
        return piece
      } use: {
        used.append($0)
      }
    }
    #expect(used == [0, 1, 2, 3, 4])
  }

  @Test("A failure of its use ends the work")
  func failedUse() async {
    await #expect(throws: Refusal(piece: 3)) {
      try await ConcurrentMap.inOrder(20, jobs: 2) {
        $0
      } use: { piece in
        if piece == 3 { throw Refusal(piece: piece) }
      }
    }
  }
}
