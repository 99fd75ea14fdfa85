/// Where an import writes and how it describes what it writes.
package struct ImportOutput: Sendable {
  /// The folder to make.
  package var folder: String
  /// The dataset's name; the folder's unless given.
  package var name: String?
  /// What the dataset is.
  package var description: String?
  /// The license of the data.
  package var license: String?

  /// Makes an output.
  package init(
    folder: String, name: String? = nil, description: String? = nil, license: String? = nil
  ) {
    self.folder = folder
    self.name = name
    self.description = description
    self.license = license
  }
}
