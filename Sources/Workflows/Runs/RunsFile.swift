/// Where runs are kept unless a store is named.
package enum RunsFile {
  /// The file, in the current folder.
  package static let standard = "planklab-runs.sqlite"
}
