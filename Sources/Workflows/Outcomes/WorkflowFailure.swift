internal import Reporting

/// Why a command could not do its job: a sentence with a remedy, and an exit code.
package struct WorkflowFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The exit code.
  package let status: ExitStatus
  /// What is wrong, where, and what to do.
  package let message: String

  /// Makes a failure.
  package init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }

  /// The message for a terminal: control characters of names in files are written out.
  package var printableMessage: String { PrintableText.of(message, keepsLines: true) }

  /// The message.
  package var description: String { message }
}
