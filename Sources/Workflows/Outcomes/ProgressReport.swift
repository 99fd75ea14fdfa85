/// How far a long job is; called from any thread, in order.
package typealias ProgressReport = @Sendable (_ done: Int, _ total: Int, _ what: String) -> Void
