import CommandParsing
import Foundation
import JSONText
import ManagerOperations
import PeopleOperations
import ShiftDomain

let importLeaf = Leaf(
  Command(
    "import", "add and change employees from a CSV file, all or none",
    options: [
      .flag("dry-run", "only report what would change"),
      .flag("reuse-numbers", "also numbers that employees had who were erased"),
    ],
    arguments: [.path("file", "columns employee, name, team, optionally email, phoneNumber")],
    footer: """
      Employees who are not in the file stay as they are. Importing the same file again changes \
      nothing. `team` is a number or a name. Without a column for them, e-mail addresses and phone \
      numbers stay; an empty field removes one.
      """),
  .operations(importEmployees))

private func importEmployees(
  _ call: Invocation, _ operations: ManagerOperations
) async throws -> any Answer {
  let bytes = try contents(of: call.text("file"), max: importBytesMax)
  let outcome = try await operations.people.importEmployees(
    bytes, isTrial: call.parsed.flag("dry-run"), mayReuse: call.parsed.flag("reuse-numbers"),
    by: call.principal)
  switch outcome {
  case .done(let result): return result.confirmation
  case .faulty(let faults): return FaultyFile(faults: faults)
  }
}

func contents(of path: String, max: Int) throws(Complaint) -> [UInt8] {
  guard let file = FileHandle(forReadingAtPath: path) else {
    throw .usage("`\(path.showable)` cannot be read")
  }
  defer { try? file.close() }
  guard let data = try? file.read(upToCount: max + 1) else { return [] }
  guard data.count <= max else {
    throw .usage("`\(path.showable)` is larger than \(max >> 20) MiB: split it")
  }
  return Array(data)
}

extension EmployeeImport {
  fileprivate var confirmation: Confirmation {
    let count = "\(total) employees: \(added) added, \(changed) changed, \(unchanged) unchanged"
    return Confirmation(
      text: [(isTrial ? "Would import " : "Imported ") + count + "."],
      json: [
        "dryRun": .bool(isTrial), "employees": .integer(Int64(total)),
        "added": .integer(Int64(added)), "changed": .integer(Int64(changed)),
        "moved": .integer(Int64(moved)), "unchanged": .integer(Int64(unchanged)),
      ])
  }
}

struct FaultyFile: Answer {
  var faults: LineFaults

  func lines(on surface: Surface) -> [String] {
    faults.first.map { "line \($0.line): \($0.detail)" }
  }

  func notes(on surface: Surface) -> [String] {
    let shown = faults.first.count
    let more = faults.count > shown ? "; the first \(shown) are shown" : ""
    return [
      "Nothing was imported: \(faults.count) \(faults.count == 1 ? "error" : "errors")\(more)."
    ]
  }

  var json: JSONValue {
    [
      "faults": .integer(Int64(faults.count)),
      "errors": JSONValue(faults.first) { fault in
        ["line": .integer(Int64(fault.line)), "detail": .string(fault.detail)]
      },
    ]
  }

  var exitStatus: ExitStatus { .conflict }
}
