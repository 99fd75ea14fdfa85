package struct ExaminedRecording: Sendable {
  package let diagnosis: PoseDiagnosis
  package let paths: [String]
  package let folder: String?
  package let used: [ImportedSequence]?

  package init(
    diagnosis: PoseDiagnosis, paths: [String], folder: String?, used: [ImportedSequence]? = nil
  ) {
    self.diagnosis = diagnosis
    self.paths = paths
    self.folder = folder
    self.used = used
  }

  package static func withPoses(_ all: [Self]) -> (recordings: [Self], others: [Self]) {
    func isOther(_ one: Self) -> Bool { one.folder != nil && !one.diagnosis.holdsPoses }
    let others = all.filter(isOther)
    return others.count < all.count ? (all.filter { !isOther($0) }, others) : (all, [])
  }
}
