import Synchronization
import Testing

@testable import Platform

@Suite("Worker threads") struct WorkerThreadsTests {
  /// Sums 1 to 100 in pieces, with a group inside of each.
  private static func sum() async -> Int {
    let parts = await ConcurrentMap.run(10, jobs: 4) { (piece) async -> Int in
      await ConcurrentMap.run(10, jobs: 4) { (index) async -> Int in
        await Task.yield()
        return piece * 10 + index + 1
      }.reduce(0, +)
    }
    return parts.reduce(0, +)
  }

  private static func result(
    most: Int, start: @escaping WorkerThreads.Starter = WorkerThreads.start
  ) -> Int {
    let box = Box()
    WorkerThreads.run(most: most, start: start) { box.set(await sum()) }
    return box.value.withLock { $0 }
  }

  private final class Box: Sendable {
    let value = Mutex(0)
    let starts = Mutex(0)

    func set(_ number: Int) { value.withLock { $0 = number } }
  }

  @Test("All work is done, by one thread or by several", arguments: [1, 2, 8])
  func threads(most: Int) { #expect(Self.result(most: most) == 5050) }

  @Test("A thread that the system refuses is done without", arguments: 0...3)
  func refused(granted: Int) {
    let box = Box()
    let sum = Self.result(most: 8) { body in
      let isGranted = box.starts.withLock { count in
        count += 1
        return count <= granted
      }
      return isGranted ? WorkerThreads.start(body) : nil
    }
    #expect(sum == 5050)
    #expect(box.starts.withLock { $0 } > granted)
  }

  @Test("A single thread starts no other")
  func alone() {
    let box = Box()
    let sum = Self.result(most: 1) { _ in
      box.starts.withLock { $0 += 1 }
      return nil
    }
    #expect(sum == 5050)
    #expect(box.starts.withLock { $0 } == 0)
  }

  /// Threads that kept something, and those behind which a library cleaned up.
  private static let kept = Mutex(0)
  private static let cleaned = Mutex(0)

  @Test("When the work is done, libraries have cleaned up behind every other thread")
  func joined() {
    Self.kept.withLock { $0 = 0 }
    Self.cleaned.withLock { $0 = 0 }
    var (isFirst, isKept) = (pthread_key_t(), pthread_key_t())
    #expect(pthread_key_create(&isFirst, nil) == 0)
    // The only way to see that somebody waits for the end of a thread is to delay it.
    let isMade = pthread_key_create(&isKept) { _ in
      usleep(50_000)
      Self.cleaned.withLock { $0 += 1 }
    }
    #expect(isMade == 0)
    let keys = (isFirst: isFirst, isKept: isKept)
    defer {
      pthread_key_delete(keys.isFirst)
      pthread_key_delete(keys.isKept)
    }
    pthread_setspecific(keys.isFirst, UnsafeRawPointer(bitPattern: 1))
    WorkerThreads.run(most: 4) {
      _ = await ConcurrentMap.run(8, jobs: 4) { (_) async -> Int in
        // This thread leaves work to another one, however late that comes.
        var tries = 0
        while pthread_getspecific(keys.isFirst) != nil, Self.kept.withLock({ $0 }) == 0,
          tries < 10_000
        {
          usleep(1_000)
          tries += 1
          await Task.yield()
        }
        if pthread_getspecific(keys.isFirst) == nil, pthread_getspecific(keys.isKept) == nil {
          pthread_setspecific(keys.isKept, UnsafeRawPointer(bitPattern: 1))
          Self.kept.withLock { $0 += 1 }
        }
        return 0
      }
    }
    #expect(Self.kept.withLock { $0 } > 0)
    #expect(Self.cleaned.withLock { $0 } == Self.kept.withLock { $0 })
  }
}

@Suite("Work in order") struct ConcurrentMapTests {
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
