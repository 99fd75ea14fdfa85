import PoseModel
import PoseRecording

extension TableExamination {
  /// Says how the documents under ids are ordered, or blocks them if nothing orders them.
  mutating func concludeDocuments(_ documents: KeyedDocuments) {
    if documents.left > 0 {
      diagnosis.conclude(
        "members", "\(CountText.of(documents.left, "member")) without a pose left out", .sure,
        "they share no field with the poses")
    }
    guard let field = documents.field else {
      let (found, remedy) = documents.disorder
      return diagnosis.block(found, remedy)
    }
    diagnosis.conclude(
      "order", "by `\(field.text)`, as keys are neither times nor numbers", .sure,
      "no two members have the same time or number")
  }
}
