internal import Synchronization

/// Runs a command's tasks on its own threads, without waiting for threads that the system refuses.
///
/// Swift's own thread pool waits for a refused thread, possibly forever. In this pool, the thread
/// that starts the command also runs tasks, so at least one thread always works. When the work is
/// done, all other threads have ended. Otherwise, the process could abort at its very end, because
/// libcrypto frees twice what it keeps for a thread.
package final class WorkerThreads: TaskExecutor {
  /// Starts a thread, which the pool joins when the work is done; nil if the system refuses it.
  package typealias Starter = @Sendable (_ body: @escaping @Sendable () -> Void) -> pthread_t?

  private let most: Int
  private let start: Starter

  // The lock guards all properties below.
  private nonisolated(unsafe) let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private nonisolated(unsafe) let change = UnsafeMutablePointer<pthread_cond_t>.allocate(
    capacity: 1)
  private nonisolated(unsafe) var jobs: [UnownedJob] = []
  private nonisolated(unsafe) var taken = 0
  private nonisolated(unsafe) var idle = 0
  private nonisolated(unsafe) var threads: [pthread_t] = []
  private nonisolated(unsafe) var isOver = false

  private init(most: Int, start: @escaping Starter) {
    self.most = most
    self.start = start
    pthread_mutex_init(lock, nil)
    pthread_cond_init(change, nil)
  }

  deinit {
    pthread_cond_destroy(change)
    pthread_mutex_destroy(lock)
    change.deallocate()
    lock.deallocate()
  }

  /// Runs the work and its tasks on at most `most` threads, including the calling thread.
  ///
  /// It returns when the work is done and all other threads have ended.
  package static func run(
    most: Int, start: @escaping Starter = WorkerThreads.start,
    _ work: @escaping @Sendable () async -> Void
  ) {
    let workers = WorkerThreads(most: most, start: start)
    Task(executorPreference: workers) {
      await work()
      workers.end()
    }
    workers.work()
    workers.join()
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    pthread_mutex_lock(lock)
    jobs.append(job)
    if idle < jobs.count - taken, threads.count + 1 < most, !isOver,
      let thread = start({ self.work() })
    {
      threads.append(thread)
    }
    pthread_cond_signal(change)
    pthread_mutex_unlock(lock)
  }

  private func work() {
    pthread_mutex_lock(lock)
    while true {
      while taken == jobs.count, !isOver {
        idle += 1
        pthread_cond_wait(change, lock)
        idle -= 1
      }
      if isOver { break }
      let job = jobs[taken]
      taken += 1
      if taken == jobs.count {
        jobs.removeAll(keepingCapacity: true)
        taken = 0
      }
      pthread_mutex_unlock(lock)
      job.runSynchronously(on: asUnownedTaskExecutor())
      pthread_mutex_lock(lock)
    }
    pthread_mutex_unlock(lock)
  }

  private func end() {
    pthread_mutex_lock(lock)
    isOver = true
    pthread_cond_broadcast(change)
    pthread_mutex_unlock(lock)
  }

  private func join() {
    pthread_mutex_lock(lock)
    let threads = threads
    pthread_mutex_unlock(lock)
    for thread in threads { pthread_join(thread, nil) }
  }

  /// Starts a thread that ends when `body` returns; the caller must join or detach it.
  ///
  /// The result is nil if the system refuses the thread.
  package static func start(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
    let box = Unmanaged.passRetained(ThreadBody(body))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    guard pthread_create(&thread, nil, { ThreadBody.run($0) }, box.toOpaque()) == 0 else {
      box.release()
      return nil
    }
    return thread
  }
}

private final class ThreadBody {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  static func run(_ address: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let address { Unmanaged<ThreadBody>.fromOpaque(address).takeRetainedValue().body() }
    return nil
  }
}

package enum ConcurrentMap {
  /// Runs `body` for 0..<`count`, at most `jobs` at a time; a failure stops further starts.
  ///
  /// `progress` gets the number of finished pieces, starting at 0. If several pieces fail, the
  /// error of the first in order is thrown.
  package static func run<Result: Sendable, Failure: Error>(
    _ count: Int, jobs: Int, progress: (Int) -> Void = { _ in },
    _ body: @escaping @Sendable (Int) async throws(Failure) -> Result
  ) async throws(Failure) -> [Result] {
    typealias Attempt = Swift.Result<Result, Failure>
    let attempts = await withTaskGroup(of: (Int, Attempt).self) { group -> [Attempt?] in
      var attempts = [Attempt?](repeating: nil, count: count)
      var next = 0
      var done = 0
      var hasFailed = false
      func start() {
        guard next < count, !hasFailed else { return }
        let index = next
        next += 1
        group.addTask { (index, await attempt(index, body)) }
      }
      progress(0)
      for _ in 0..<max(1, jobs) { start() }
      while let (index, attempt) = await group.next() {
        attempts[index] = attempt
        if case .failure = attempt { hasFailed = true }
        done += 1
        progress(done)
        start()
      }
      return attempts
    }
    var results: [Result] = []
    results.reserveCapacity(count)
    for attempt in attempts {
      if let attempt { results.append(try attempt.get()) }
    }
    return results
  }

  /// Makes pieces concurrently, at most `jobs` at a time, and uses them in order.
  ///
  /// Fewer than twice `jobs` pieces are in progress or waiting for earlier pieces. Throws the first
  /// failure, in order, of making or using a piece; later pieces are not used.
  package static func inOrder<Piece: Sendable>(
    _ count: Int, jobs: Int, _ make: @escaping @Sendable (Int) async throws -> Piece,
    use: (Piece) throws -> Void
  ) async throws {
    typealias Attempt = Swift.Result<Piece, any Error>
    let jobs = max(1, jobs)
    try await withThrowingTaskGroup(of: (Int, Attempt).self) { group in
      var (started, making, used) = (0, 0, 0)
      var waiting: [Int: Attempt] = [:]
      func start() {
        while started < count, making < jobs, started - used < 2 * jobs {
          let index = started
          started += 1
          making += 1
          group.addTask { (index, await attempt(index, make)) }
        }
      }
      start()
      while let (index, attempt) = try await group.next() {
        making -= 1
        waiting[index] = attempt
        start()
        while let attempt = waiting.removeValue(forKey: used) {
          try use(attempt.get())
          used += 1
          start()
        }
      }
    }
  }

  private static func attempt<Result, Failure: Error>(
    _ index: Int, _ body: (Int) async throws(Failure) -> Result
  ) async -> Swift.Result<Result, Failure> {
    do { return .success(try await body(index)) } catch { return .failure(error) }
  }
}

/// Reports the number of finished pieces, their total and their kind; any thread may call it.
///
/// A report of 0 finished pieces, or of another total or kind, starts a new step.
package typealias ProgressReport = @Sendable (_ done: Int, _ total: Int, _ what: String) -> Void

package final class ProgressCounter: Sendable {
  private let total: Int
  private let what: String
  private let report: ProgressReport
  private let done = Mutex(0)

  package init(total: Int, what: String, report: @escaping ProgressReport) {
    self.total = total
    self.what = what
    self.report = report
  }

  @Sendable
  package func add(_ count: Int) {
    let sum = done.withLock { sum in
      sum += count
      return sum
    }
    report(sum, total, what)
  }
}

/// A sum over concurrent pieces that adds the pieces in order.
///
/// The sum is therefore the same for any number of threads. A piece is added as soon as all earlier
/// pieces have been added, so that only a few pieces are in memory at a time.
package final class OrderedSum<Part: Sendable>: Sendable {
  private struct State {
    var sum: Part
    var next = 0
    var waiting: [Int: Part] = [:]
  }

  private let state: Mutex<State>
  private let combine: @Sendable (inout Part, Part) -> Void

  package init(_ zero: Part, _ combine: @escaping @Sendable (inout Part, Part) -> Void) {
    state = Mutex(State(sum: zero))
    self.combine = combine
  }

  package func add(_ part: Part, at index: Int) {
    state.withLock { state in
      state.waiting[index] = part
      while let part = state.waiting.removeValue(forKey: state.next) {
        combine(&state.sum, part)
        state.next += 1
      }
    }
  }

  package var sum: Part { state.withLock { $0.sum } }
}
