import Foundation
import ShiftDomain
import TestKit
import TestPrograms
import Testing

@testable import guardctl

// R: W11
@Suite("What is kept of people, at the command line") struct PrivacyCommandTests {
  private func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }

  @Test("is copied into an archive that tar reads, and erased when one means it")
  func exportAndErase() async throws {
    try await withWorld { world in
      try await withFolder { folder in
        let phone = try await world.enrol()
        try await world.report(.always, from: phone)
        try await world.clockIn(phone)
        let path = folder.appending(path: "7.tar").path
        let copied = try await world.guardctl("employee", "export", "7", "--to", path)
        #expect(copied.status == 0, "\(copied.errors)")
        #expect(try await world.guardctl("employee", "export", "7", "--to", path).status == 65)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        let listed = try await ChildProgram(["tar", "-tf", path]).output()
        for file in ["README.txt", "track.gpx", "tables/shift.jsonl", "tables/device.jsonl"] {
          #expect(listed.contains(file), "\(listed)")
        }
        let employee = try await ChildProgram(["tar", "-xOf", path, "tables/employee.jsonl"])
          .output()
        #expect(employee.contains(#""name": "Anna Kowalska""#), "\(employee)")
        let asked = try await world.guardctl("employee", "erase", "7")
        #expect(asked.status == 64 && asked.errors.contains("--yes"))
        let refused = try await world.guardctl("employee", "erase", "7", "--yes")
        #expect(refused.status == 65 && refused.errors.contains("7/1"))
        let erased = try await world.guardctl("employee", "erase", "7", "--yes", "--end-shift")
        #expect(erased.status == 0, "\(erased.errors)")
        #expect(try await world.guardctl("employee", "show", "7").status == 3)
        let another = ["employee", "add", "--name", "Eva", "--team", "1", "--employee", "7"]
        let used = try await world.guardctl(another)
        #expect(used.status == 65 && used.errors.contains("add `--reuse-number`"), "\(used.errors)")
        #expect(try await world.guardctl(another + ["--reuse-number"]).status == 0)
      }
    }
  }

  @Test("is reported to a works council from what is set, in its language")
  func report() async throws {
    try await withWorld { world in
      _ = try await world.guardctl("retention", "set", "fixes", "21", "--yes")
      _ = try await world.guardctl("policy", "set", "--team", "1", "--preset", "strict")
      for (language, parts) in [
        ("en", ["Positions", "Kept for – 21 days", "Location must be allowed always.", "North"]),
        ("de", ["Gespeichert für – 21 Tage", "Der Standort muss immer erlaubt sein."]),
        ("fr", ["Conservation – 21 jours"]), ("pl", ["Okres przechowywania – 21 dni"]),
      ] {
        let run = try await world.guardctl("privacy", "report", "--language", language)
        #expect(run.status == 0, "\(run)")
        for part in parts { #expect(run.output.contains(part), "\(part) in \(run.output)") }
      }
      #expect(try await world.guardctl("privacy", "report", "--language", "xx").status == 64)
    }
  }

  @Test("ends with the team, which is removed once nobody is in it")
  func team() async throws {
    try await withWorld { world in
      let kept = try await world.guardctl("team", "remove", "1")
      #expect(kept.status == 65 && kept.errors.contains("move or erase them first"), "\(kept)")
      _ = try await world.guardctl("employee", "erase", "7", "--yes")
      #expect(try await world.guardctl("team", "remove", "1").status == 0)
      #expect(try await world.guardctl("team", "remove", "1").status == 3)
      #expect(try await world.guardctl("team", "add", "--name", "South").output == "2\n")
    }
  }

  @Test("is kept for as long as is set, and described in a notice with versions")
  func retentionAndPrivacyNotice() async throws {
    try await withWorld { world in
      try await withFolder { folder in
        #expect(try await world.guardctl("retention", "show").output.contains("60d"))
        let asked = try await world.guardctl("retention", "set", "fixes", "30")
        #expect(asked.status == 64 && asked.errors.contains("of 0 shifts is deleted"), "\(asked)")
        #expect(try await world.guardctl("retention", "show").output.contains("60d"))
        let set = try await world.guardctl("retention", "set", "fixes", "30", "--yes")
        #expect(set.status == 0 && set.output.contains("30d"))
        #expect(try await world.guardctl("retention", "set", "fixes", "400").status == 64)
        #expect(try await world.guardctl("privacy-notice", "show").status == 3)
        let file = folder.appending(path: "privacy-notice.txt")
        try Data("We keep where you were.\n".utf8).write(to: file)
        let told = try await world.guardctl("privacy-notice", "set", file.path)
        #expect(told.status == 0 && told.output.contains("Version 1"))
        #expect(
          try await world.guardctl("privacy-notice", "show").output.contains("where you were"))
      }
    }
  }

  @Test("reads a file of employees, or says line by line what is wrong with it")
  func imported() async throws {
    try await withWorld { world in
      try await withFolder { folder in
        let file = folder.appending(path: "staff.csv")
        try Data("employee,name,team\n7,Anna Kowalska,North\n8,Bo,1\n".utf8).write(to: file)
        let trial = try await world.guardctl("employee", "import", file.path, "--dry-run")
        #expect(trial.output == "Would import 2 employees: 1 added, 0 changed, 1 unchanged.\n")
        #expect(try await world.guardctl("employee", "show", "8").status == 3)
        #expect(try await world.guardctl("employee", "import", file.path).status == 0)
        #expect(try await world.guardctl("employee", "show", "8").status == 0)
        try Data("employee,name,team\n9,,1\n".utf8).write(to: file)
        let faulty = try await world.guardctl("employee", "import", file.path)
        #expect(faulty.status == 65)
        #expect(faulty.output == "line 2: `name` must have 1 to 100 characters\n")
        #expect(try await world.guardctl("employee", "import", "/nowhere").status == 64)
      }
    }
  }
}
