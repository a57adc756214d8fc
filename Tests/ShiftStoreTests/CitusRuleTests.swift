import Foundation
import TestPrograms
import Testing

/// What Citus 13 refused when every statement was tried there. `deploy/test --citus` runs the
/// statements; this reads their texts, on every run and without Citus.
@Suite("Statements keep to what Citus takes") struct CitusRuleTests {
  struct Rule: Sendable {
    var reason: String
    /// Whether a statement breaks it. Times and keys have the names of columns here.
    var isBroken: @Sendable (String) -> Bool
  }

  /// Whether a part of `statement` between these words has the current time.
  private static func hasTime(in statement: String, from start: String, to end: String) -> Bool {
    statement.components(separatedBy: start).dropFirst().contains { part in
      part.components(separatedBy: end)[0]
        .contains(/(now|_timestamp)\(|\\\((now|statementTime):/)
    }
  }

  static let rules: [Rule] = [
    Rule(reason: "VALUES with a subquery: write INSERT … SELECT") { statement in
      statement.contains(/VALUES\s*\([^;]*\(\s*SELECT/)
    },
    Rule(reason: "INSERT into a table from itself needs two aliases") { statement in
      guard let insert = statement.firstMatch(of: /INSERT INTO ([a-z_]+)\s*\(/) else {
        return false
      }
      return statement.contains(/RETURNING/)
        && statement.split(separator: "FROM ").dropFirst().contains {
          $0.hasPrefix(insert.1 + " ") && !$0.contains(/employee_id = (\$\d+|\\\()/)
        }
    },
    Rule(reason: "a change with the current time inside of CASE or COALESCE") { statement in
      statement.contains(/UPDATE [a-z]|DELETE FROM|ON CONFLICT/)
        && (hasTime(in: statement, from: "CASE ", to: "END")
          || hasTime(in: statement, from: "coalesce(", to: ")"))
    },
    Rule(reason: "a change that adds an interval to a column: compare differences") { statement in
      guard let change = statement.firstMatch(of: /\b(UPDATE [a-z]|ON CONFLICT)/) else {
        return false
      }
      let head = statement[change.range.lowerBound...].prefix { $0 != ";" }
      // The rate limit of logins is on the coordinator only.
      return !head.hasPrefix("UPDATE login_rate_limit") && !head.contains(/, \(SELECT\b/)
        && (head.contains(/[a-z]_(at|until|since)\)? [-+] (interval|\\\([^)]*\) \* interval)/)
          || head.contains(/(_at|\))\s+[-+] [a-z_.]+ \* interval/))
    },
    Rule(reason: "a lock on rows of more than one employee") { statement in
      statement.contains(/FOR (UPDATE|SHARE|NO KEY UPDATE)/)
        && !statement.contains(/employee_id = (\$\d+|\\\()|FROM (account|team) WHERE/)
    },
    Rule(reason: "NOT IN with a subquery: write NOT EXISTS") { statement in
      statement.contains(/NOT IN \(\s*SELECT/)
    },
    Rule(reason: "a slice of an array as the new value: Citus crashes") { statement in
      statement.contains(/SET [^;]*= \([^;=]*\)\[\d/)
    },
    Rule(reason: "a set of rows with a subquery about each: join, or name one employee") {
      statement in
      statement.contains("INSERT")
        && statement.contains(/FROM unnest\([^;]*WHERE[^;]*\(\s*SELECT[^;]*known\./)
    },
    Rule(reason: "EXISTS about the elements of an array: join, and look for none") { statement in
      statement.contains(/FROM unnest\([^;]*EXISTS \(\s*SELECT FROM unnest\(/)
    },
    Rule(reason: "EXISTS about rows of one employee for each team: join") { statement in
      statement.contains(/FROM team\s+WHERE[^;]*EXISTS \(\s*SELECT FROM (employee|shift|device)\b/)
    },
  ]

  /// The statements in `text`, a source file: what stands in its strings.
  private static func statements(in text: String) -> [String] {
    var found = text.components(separatedBy: "\"\"\"").enumerated()
      .filter { $0.offset % 2 == 1 }.map(\.element)
    found += text.matches(of: /"([^"\n]+)"/).map { String($0.1) }
    return found.filter { $0.contains(/\b(SELECT|INSERT|UPDATE|DELETE)\b/) }
  }

  @Test("in every source of storage and queue")
  func sources() throws {
    var count = 0
    for module in ["ShiftStore", "NotificationQueue"] {
      let folder = projectFolder.appending(path: "Sources/\(module)")
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        for statement in Self.statements(in: text) {
          count += 1
          for rule in Self.rules where rule.isBroken(statement) {
            Issue.record("\(name): \(rule.reason)\n\(statement)")
          }
        }
      }
    }
    #expect(count > 300, "the statements were not found")
  }

  @Test("in every statement as it is sent")
  func sent() {
    for (name, statement) in StatementTests.writes {
      for rule in Self.rules where rule.isBroken(statement.text) {
        Issue.record("\(name): \(rule.reason)\n\(statement.text)")
      }
    }
  }

  @Test(
    "each rule objects to what was refused",
    arguments: [
      "INSERT INTO a (b) VALUES (1, coalesce(2, (SELECT c FROM d)))",
      "INSERT INTO team (id) SELECT max(id) + 1 FROM team RETURNING id",
      """
      INSERT INTO a (b) SELECT c.b FROM c WHERE NOT EXISTS (
        SELECT FROM a AS old WHERE old.employee_id = c.employee_id) RETURNING b
      """,
      "UPDATE a SET due_at = CASE WHEN b THEN least(due_at, now()) END WHERE c = 1",
      "UPDATE a SET due_at = coalesce(b, statement_timestamp()) WHERE c = 1",
      "INSERT INTO a (b) VALUES (1) ON CONFLICT (b) DO UPDATE SET c = a.last_at + interval '2 min'",
      "UPDATE shift SET a = NULL WHERE fix_at < started_at - \\(age) * interval '1 ms'",
      """
      UPDATE a SET b = $1 FROM (
        SELECT greatest(c.x_at, c.y_at)
          + d.wait_ms * interval '1 ms' AS due_at FROM c JOIN d ON true) AS e WHERE due_at < $1
      """,
      "SELECT a FROM b WHERE due_at < now() FOR UPDATE SKIP LOCKED",
      "SELECT a FROM b WHERE (a, c) NOT IN (SELECT a, c FROM d)",
      "UPDATE device SET names = ($1 || names)[1:100] WHERE employee_id = $2",
      """
      INSERT INTO ping SELECT * FROM unnest($1) AS sent WHERE employee_id IN (
        SELECT known.employee_id FROM unnest($2) AS known
        WHERE version = (SELECT version FROM state WHERE state.employee_id = known.employee_id))
      """,
      """
      SELECT a, (SELECT min(at) FROM unnest(b) AS sign (at) WHERE NOT EXISTS (
        SELECT FROM unnest($1) AS outage (at) WHERE outage.at > sign.at)) FROM c
      """,
      """
      SELECT ARRAY(SELECT team_id FROM team WHERE NOT is_practice AND EXISTS (
        SELECT FROM employee WHERE employee.team_id = team.team_id))
      """,
    ])
  func objects(to statement: String) {
    #expect(Self.rules.contains { $0.isBroken(statement) })
  }

  @Test(
    "no rule objects to what was taken",
    arguments: [
      "INSERT INTO team AS added (id) SELECT max(old.id) + 1 FROM team AS old RETURNING id",
      "INSERT INTO a (b) SELECT coalesce(1, c) FROM d WHERE employee_id = $1",
      "UPDATE a SET due_at = least(due_at, now()) WHERE c = 1",
      "UPDATE a SET due_at = now() + 5 * interval '1 s' WHERE employee_id = $1",
      "SELECT a FROM b WHERE employee_id = $1 FOR UPDATE SKIP LOCKED",
      "SELECT started_at - interval '1 s' FROM a WHERE NOT EXISTS (SELECT FROM b WHERE b.c = a.c)",
    ])
  func takes(_ statement: String) {
    let broken = Self.rules.filter { $0.isBroken(statement) }
    #expect(broken.isEmpty, "\(broken.map(\.reason))")
  }
}
