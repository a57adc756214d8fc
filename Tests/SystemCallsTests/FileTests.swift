import Foundation
import SystemCalls
import Testing

@Suite("A file") struct FileTests {
  private let path = NSTemporaryDirectory() + "file-\(UUID().uuidString)"

  @Test func `keeps what is written, ends where it is cut, and can be replaced`() throws {
    let file = try File(path)
    try file.write([1, 2, 3, 4], at: 0)
    try file.write([9], at: 1)
    #expect(try file.read(at: 0, count: 10) == [1, 9, 3, 4])
    try file.truncate(to: 2)
    try file.sync()
    #expect(try file.size() == 2)
    let other = try File(path + ".new", emptied: true)
    try other.write([5], at: 0)
    try File.rename(path + ".new", to: path)
    try File.syncFolder(of: path)
    #expect(try File(path).read(at: 0, count: 1) == [5])
    try File.remove(path)
    try File.remove(path)
  }

  @Test func `is readable by its owner only`() throws {
    _ = try File(path)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    try File.remove(path)
  }

  @Test func `is locked once, until it is closed`() throws {
    do {
      let file = try File(path)
      let second = try File(path)
      let locks = (file.lock(), second.lock())
      #expect(locks == (true, false))
    }
    let third = try File(path)
    let isFree = third.lock()
    #expect(isFree)
    try File.remove(path)
  }

  @Test func `in a folder that does not exist is an error with the call's name`() {
    let error = #expect(throws: FileError.self) { _ = try File("/no-such-folder/file") }
    #expect(error?.call == "open" && error?.code == ENOENT && error?.isOutOfSpace == false)
  }

  @Test func `the calendar time is that of the system`() {
    #expect(abs(Date().timeIntervalSince1970 * 1_000 - Double(calendarMilliseconds())) < 60_000)
  }
}
