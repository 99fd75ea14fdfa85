import PoseDatasets
import TestSupport
import Testing

// The vectors were computed with Python's hashlib, after the words of the contract.
@Suite("Dataset hashes") struct DatasetHashesTests {
  @Test("Poses, labels, manifest and all have the hashes of the contract")
  func vectors() throws {
    let folder = try SampleDataset.make()
    let hashes = try DatasetHashes(of: DatasetReader(path: folder.path))
    #expect(
      hashes.poses.description
        == "188213de380591376061a23b3f3e34de477d782f0536253a3a92d0d4334bd992")
    #expect(
      hashes.labels.description
        == "1c68dfa6dca7ae4925f9857ce6bd4435ac2938ea0effd49edf6324aeb35d1535")
    #expect(
      hashes.manifest.description
        == "d84503288f1e47fea1b0db45845846c53cbe74794cf14280ae182ff5d779af14")
    #expect(
      hashes.hash.description == "7114b9216e88edfd31dab5d6ab271e429370bcafdcd75594d3e4c4ea35a667b0")
  }

  @Test("The root over no file is the hash of its one prefix byte")
  func empty() throws {
    #expect(
      try DatasetHashes.root(of: [], folder: "").description
        == "4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a")
  }

  @Test("Leaves are sorted by the bytes of their paths and count once")
  func order() throws {
    let folder = try TemporaryFolder()
    let names = ["b", "a-c", "Z", "é", "a"]
    for name in names { try folder.write(name + name + name, to: name) }
    let expected = "d341d568059e33bdcea1d644336aed2fc8d3a344b78151aca08e4cfe205cddde"
    for paths in [names, names.reversed(), names + names] {
      #expect(try DatasetHashes.root(of: paths, folder: folder.path).description == expected)
    }
  }

  @Test("Changed labels change the labels' root and the whole, and nothing else")
  func labelsOnly() throws {
    let folder = try SampleDataset.make()
    let before = try DatasetHashes(of: DatasetReader(path: folder.path))
    try folder.write(SampleDataset.labels + "3,4,none,\n", to: "a.labels.csv")
    let after = try DatasetHashes(of: DatasetReader(path: folder.path))
    #expect(before.poses == after.poses && before.manifest == after.manifest)
    #expect(before.labels != after.labels && before.hash != after.hash)
  }

  @Test("A missing file is reported")
  func missing() throws {
    let folder = try TemporaryFolder()
    #expect(throws: DatasetError.missingFile(path: folder.path + "/x")) {
      try DatasetHashes.root(of: ["x"], folder: folder.path)
    }
  }
}

@Suite("SHA-256") struct SHA256DigestTests {
  @Test(
    "Digests are those of the standard",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        String(repeating: "a", count: 1000),
        "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"
      ),
    ])
  func standard(message: String, digest: String) throws {
    #expect(try SHA256Digest(of: Array(message.utf8)).description == digest)
    let folder = try TemporaryFolder()
    try folder.write(message, to: "file")
    #expect(try SHA256Digest(ofFileAt: folder.path + "/file").description == digest)
  }
}
