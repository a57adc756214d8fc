import Foundation
import HTTPServing
import JSONText
import Postgres
import ReadModels
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

/// The records of a CSV file, by RFC 4180: fields in quotes may have line breaks.
private func records(of text: String) -> [[String]] {
  var (records, fields, field, isQuoted): ([[String]], [String], String, Bool) = ([], [], "", false)
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"":
      // The second of two quotes stands for one.
      if !isQuoted, !field.isEmpty { field.unicodeScalars.append(scalar) }
      isQuoted.toggle()
    case ",", "\n":
      guard !isQuoted else {
        field.unicodeScalars.append(scalar)
        continue
      }
      fields.append(field)
      field = ""
      if scalar == "\n" {
        records.append(fields)
        fields = []
      }
    case "\r" where !isQuoted: continue
    default: field.unicodeScalars.append(scalar)
    }
  }
  return records
}

@Suite("The files of a time sheet") struct TimeSheetFileTests {
  private let period = "/v1/time-sheets?from=2026-11-01&to=2026-11-30"

  private func ask(_ world: ManagerWorld, _ method: HTTPMethod, _ path: String, _ body: String = "")
    async throws -> APIAnswer
  {
    try await world.router.answer(method, path, Array(body.utf8), as: world.access)
  }

  private func setColumns(
    _ world: ManagerWorld, _ columns: [TimeSheetColumn], _ format: HoursFormat
  )
    async throws
  {
    let names = columns.map { "\"\($0.code)\"" }.joined(separator: ",")
    let settings = """
      {"period":"month","startsOn":"2026-11-01","hoursFormat":"\(format.code)","columns":[\(names)]}
      """
    let saved = try await ask(world, .put, "/v1/payroll-settings", settings)
    try #require(saved.status == 200, "\(saved.text)")
  }

  /// A shift of employee 7 on each day, which lasts for these seconds, with such a break.
  private func plant(_ world: ManagerWorld, _ shifts: [(seconds: Int64, pause: Int64)]) async throws
  {
    let first = ManagerWorld.start - .hours(24 * Int64(shifts.count))
    for (place, (seconds, pause)) in shifts.enumerated() {
      let start = first + .hours(24 * Int64(place)) - .seconds(Int64(place) * 17)
      let number = Int32(place + 1)
      try await world.plantShift(number: number, from: start, to: start + .seconds(seconds))
      try await world.write(
        """
        INSERT INTO shift_break (employee_id, shift_no, break_no, started_at, ended_at)
        VALUES (7, \(number), 1, \(start + .seconds(1)), \(start + .seconds(1 + pause)))
        """)
    }
  }

  private func seconds(_ text: String) -> Int64? {
    let parts = text.split(separator: ":").compactMap { Int64($0) }
    return parts.count == 3 ? parts[0] * 3_600 + parts[1] * 60 + parts[2] : nil
  }

  // R: W23
  @Test(
    "sum up to the totals, to the second, before and after the approval",
    arguments: [4, 5] as [UInt64])
  func sums(seed: UInt64) async throws {
    try await ManagerWorld.run { world in
      var dice = SeededRandom(seed: seed)
      try await plant(
        world,
        (0..<15).map { _ in
          let pause = 1 + dice.below(3_600)
          return (pause + 2 + dice.below(36_000), pause)
        })
      #expect(try await ask(world, .patch, "/v1/teams/1", #"{"payRounding":"up_5"}"#).status == 200)
      try await setColumns(world, [.start, .end, .duration, .breaks, .worked, .paid], .seconds)
      let sheet = try await ask(world, .get, period)
      let open = try await ask(world, .get, period + "&format=csv")
      try check(open.text, against: sheet)
      let seen = (0..<15).compactMap { place -> String? in
        guard
          case .string(let revision)? = sheet["employees", 0, "shifts", .index(place), "revision"],
          case .integer(let number)? = sheet[
            "employees", 0, "shifts", .index(place), "shift", "number"]
        else { return nil }
        return #"{"employee":7,"shift":\#(number),"revision":"\#(revision)"}"#
      }
      #expect(seen.count == 15)
      let approved = try await ask(
        world, .post, "/v1/time-sheets/approvals", #"{"shifts":[\#(seen.joined(separator: ","))]}"#)
      #expect(approved.status == 200)
      #expect(try await ask(world, .patch, "/v1/teams/1", #"{"payRounding":"none"}"#).status == 200)
      let payroll = try await ask(world, .get, period + "&format=csv&state=approved")
      #expect(payroll.text == open.text)
    }
  }

  private func check(_ text: String, against sheet: APIAnswer) throws {
    let rows = records(of: text).dropFirst()
    #expect(rows.count == 15)
    var sums: [Int64] = [0, 0, 0, 0]
    for row in rows {
      let figures = try row.map { try #require(seconds($0), "\($0)") }
      for place in 0..<4 { sums[place] += figures[place + 2] }
      #expect(figures[2] == (figures[1] - figures[0] + 86_400) % 86_400)
      #expect(figures[4] == figures[2] - figures[3])
    }
    for (name, sum) in [("break", sums[1]), ("worked", sums[2]), ("paid", sums[3])] {
      #expect(sheet["totals", .name("\(name)Milliseconds")] == .integer(sum * 1_000), "\(name)")
      #expect(sheet["totals", .name("\(name)Minutes")] == .integer((sum + 30) / 60), "\(name)")
    }
  }

  @Test("hold formulas, quotes and line breaks in every field as text, on one record for a shift")
  func hostile() async throws {
    let texts = [
      "=cmd|'/c calc'!A1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "a\r\n=1,\"b\";c",
      "\u{FF1D}1",
    ]
    try await ManagerWorld.run { world in
      try await plant(world, [(3_600, 60), (7_200, 90)])
      try await setColumns(world, TimeSheetColumn.allCases, .seconds)
      for text in texts {
        try await world.write([
          "UPDATE employee SET name = \(text)", "UPDATE team SET name = \(text)",
          """
          UPDATE shift SET approved_by = \(text), approved_at = ended_at,
            approved_start = started_at, approved_end = ended_at
          """,
        ])
        for query in ["", "&state=approved"] {
          let file = try await ask(world, .get, period + "&format=csv" + query)
          let rows = records(of: file.text)
          try #require(
            rows.count == 3 && rows.allSatisfy { $0.count == TimeSheetColumn.allCases.count },
            "\(file.text)")
          for field in rows.joined() {
            let sign = field.unicodeScalars.first
            #expect(sign.map { !"=+-@\t\r\n\u{FF1D}".unicodeScalars.contains($0) } ?? true)
          }
          for column in [TimeSheetColumn.name, .team, .approvedBy] {
            let place = try #require(TimeSheetColumn.allCases.firstIndex(of: column))
            let isFormula = !text.hasPrefix("a")
            #expect(rows[1][place] == (isFormula ? "'" : "") + text, "\(column): \(file.text)")
          }
        }
      }
    }
  }
}
