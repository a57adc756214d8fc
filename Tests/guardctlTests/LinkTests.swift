import TestPrograms
import Testing

@Suite("The libraries of guardctl") struct LinkTests {
  @Test("are no server's") func libraries() async throws {
    let path = "\(try RunningProgram.folder())/guardctl"
    let listed = try await ChildProgram(["readelf", "--dynamic", "--wide", path]).output()
    let needed = listed.split(separator: "\n").filter { $0.contains("(NEEDED)") }
    #expect(needed.contains { $0.contains("libpq") }, "\(listed)")
    #expect(!needed.contains { $0.contains("libevent") }, "\(needed)")
  }
}
