import Testing

@Suite("Sites, by command") struct SiteCommandTests {
  @Test("are listed, added, changed and removed")
  func life() async throws {
    try await withWorld { world in
      #expect(try await world.guardctl("site", "list", "1").output.isEmpty)
      let add = ["site", "add", "1", "--name", "Depot", "--center", "45.3000, 13.7000"]
      let made = try await guardctl(add + ["--radius", "200"], database: world.url)
      #expect(made.status == 0 && made.output == "1\n", "\(made)")
      for (radius, status): (String, Int32) in [("200", 65), ("49", 64), ("5001", 64), ("x", 64)] {
        let run = try await guardctl(add + ["--radius", radius], database: world.url)
        #expect(run.status == status, "\(radius): \(run)")
      }
      #expect(
        try await world.guardctl("site", "list", "1").output
          == "site\tname\tcenter\tradius\n1\tDepot\t45.3, 13.7\t200\n")
      let south = try await world.guardctl(
        "site", "edit", "1", "1", "--center=-33.87, 151.21", "--name", "Yard", "--json")
      #expect(south.object["latitude"] as? Double == -33.87, "\(south)")
      for center in ["45", "91, 0", "x, y"] {
        let run = try await world.guardctl("site", "edit", "1", "1", "--center", center)
        #expect(run.status == 64, "\(center): \(run)")
      }
      #expect(try await world.guardctl("site", "edit", "1", "1").status == 64)
      let none = try await world.guardctl("site", "edit", "1", "9", "--name", "x")
      #expect(none.status == 3 && none.errors.contains("see `guardctl site list 1`"), "\(none)")
      #expect(try await world.guardctl("site", "remove", "1", "1").status == 0)
      #expect(try await world.guardctl("site", "remove", "1", "1").status == 3)
      #expect(try await world.guardctl("site", "list", "9").status == 3)
    }
  }
}
