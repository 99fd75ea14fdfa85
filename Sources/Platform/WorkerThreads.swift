/// The pool of the language waits for as long as the system refuses it a thread, even if that is
/// forever.
///
/// Here a refused thread is done without: the thread that starts the command works, too, so that
/// everything is done by at least one. When the work is done, all other threads have ended. A
/// thread that ends cleans up what libraries keep for it; libcrypto frees the same memory when the
/// process ends, and if both happened at once, the process could abort after everything had been
/// written.
package final class WorkerThreads: TaskExecutor {
  /// Starts a thread, which is joined when the work is done; nil if the system refuses.
  package typealias Starter = @Sendable (_ body: @escaping @Sendable () -> Void) -> pthread_t?

  private let most: Int
  private let start: Starter

  // The lock guards everything below.
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

  /// Returns when the work is done and every other thread has ended; all of its tasks run on these
  /// threads, at most `most` with this one.
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

  /// Waits until every other thread has ended; none starts once the work is over.
  private func join() {
    pthread_mutex_lock(lock)
    let threads = threads
    pthread_mutex_unlock(lock)
    for thread in threads { pthread_join(thread, nil) }
  }

  /// Ends with its work; somebody has to join or detach it.
  ///
  /// Nil if the system refuses, which it does where a user or a container has too many.
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
