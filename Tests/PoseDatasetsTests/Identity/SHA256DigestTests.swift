import PoseDatasets
import Testing

@Suite("SHA-256")
struct SHA256DigestTests {
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
