import Testing

@testable import Postgres

/// What a coordinator of Citus says of its workers' errors.
@Suite("Errors of Citus") struct CitusErrorTests {
  @Test(
    "name the constraint as the schema does",
    arguments: [
      ("shift_pk_102008", "shift_pk"), ("shift_pk", "shift_pk"), ("ping_2026w01", "ping_2026w01"),
      ("team_name_once_1234567", "team_name_once"), ("102008", "102008"), ("", ""),
    ])
  func shard(_ name: String, _ expected: String) {
    #expect(Refusal.withoutShard(name) == expected)
  }

  @Test(
    "contain the constraint only in the message",
    arguments: [
      (#"duplicate key value violates unique constraint "employee_pk_102008""#, "employee_pk"),
      (
        #"insert or update on table "shift_102036" violates foreign key constraint "#
          + #""shift_device_102036""#, "shift_device"
      ),
      (
        #"new row for relation "ping_102080" violates check constraint "ping_place_whole""#,
        "ping_place_whole"
      ),
      (
        #"conflicting key value violates exclusion constraint "shift_disjoint_102036""#,
        "shift_disjoint"
      ),
      (#"constraint "shift_pk" of relation "shift" does not exist"#, ""),
      ("connection to the remote node failed", ""),
    ])
  func message(_ message: String, _ expected: String) {
    #expect(Refusal.shardConstraint(in: message) == expected)
  }
}
