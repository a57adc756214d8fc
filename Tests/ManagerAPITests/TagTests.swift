import HTTPServing
import ShiftDomain
import ShiftTestKit
import Testing

/// Two managers edit what both have read before.
@Suite("Concurrent edits") struct TagTests {
  private typealias Answer = APIAnswer

  private struct Edit: Sendable {
    var method = HTTPMethod.post
    /// The path to read before the edit.
    var read: String
    var path: String
    var first: String
    var second: String
    /// What the refusal shows of the current version.
    var present: String
    /// The status of the first edit.
    var done = 201
  }

  private static let edits = [
    Edit(
      read: "/v1/teams/1/policies", path: "/v1/teams/1/policies", first: #"{"debounce":1}"#,
      second: #"{"debounce":3}"#, present: #""policy":{"team":1,"version":2,"#),
    Edit(
      read: "/v1/teams/1/policies/1", path: "/v1/teams/1/policies", first: #"{"preset":"strict"}"#,
      second: #"{"preset":"advisory"}"#, present: #""preset":"strict""#),
    Edit(
      read: "/v1/employees/7/overrides", path: "/v1/employees/7/overrides",
      first: #"{"findings":["denied"],"reason":"one"}"#,
      second: #"{"findings":["no_report"],"reason":"two"}"#, present: #""override":{"#),
    Edit(
      read: "/v1/employees/7/shifts/1", path: "/v1/employees/7/shifts/1/corrections",
      first: #"{"startedAt":"2026-11-20T09:00:00Z","reason":"one"}"#,
      second: #"{"startedAt":"2026-11-20T09:10:00Z","reason":"two"}"#,
      present: #""startedAt":"2026-11-20T09:00:00.000Z""#),
    Edit(
      method: .patch, read: "/v1/accounts/2", path: "/v1/accounts/2", first: #"{"name":"One"}"#,
      second: #"{"teams":[]}"#, present: #""account":{"account":2,"#, done: 200),
    Edit(
      method: .patch, read: "/v1/accounts/2", path: "/v1/accounts/2",
      first: #"{"disabled":true}"#, second: #"{"name":"Two"}"#, present: #""disabledAt":"#,
      done: 200),
    Edit(
      method: .put, read: "/v1/retention", path: "/v1/retention",
      first: #"{"fixes":60,"coverage":365,"shifts":1830,"auditLog":400}"#,
      second: #"{"fixes":60,"coverage":365,"shifts":1830,"auditLog":500}"#,
      present: #""retention":{"fixes":60,"coverage":365,"shifts":1830,"auditLog":400}"#, done: 200),
  ]

  private func run(
    _ body: ((HTTPMethod, String, String, HTTPHeaders) async throws -> Answer) async throws -> Void
  ) async throws {
    try await TwoTeamsWorld.run { all in
      try await all.hire("boss", .administrator)
      try await all.hire("mira", teams: [1: .coverage])
      let page = try await all.page(of: "boss")
      try await body { method, path, text, headers in
        try await all.send(method, path, text, HTTPHeaders(page.fields + headers.fields))
      }
    }
  }

  @Test("are refused with the current version, and write nothing", arguments: edits.indices)
  func meanwhile(_ place: Int) async throws {
    let edit = Self.edits[place]
    try await run { send in
      let read =
        ["If-Match": try #require(try await send(.get, edit.read, "", [:]).headers["ETag"])]
        as HTTPHeaders
      let first = try await send(edit.method, edit.path, edit.first, read)
      #expect(first.status == edit.done, "\(first.text)")
      let after = try await send(.get, edit.read, "", [:]).text
      let late = try await send(edit.method, edit.path, edit.second, read)
      #expect(late.status == 412 && late.text.contains(#""code":"changed_meanwhile""#), "\(late)")
      #expect(late.text.contains(edit.present), "\(late.text)")
      #expect(try await send(.get, edit.read, "", [:]).text == after)
      // After reading again, it works.
      let tag = try #require(late.headers["ETag"])
      #expect(tag != read["If-Match"])
      let again = try await send(edit.method, edit.path, edit.second, ["If-Match": tag])
      #expect(again.status == edit.done, "\(again.text)")
      // Without `If-Match`, the edit overwrites any version.
      #expect(try await send(edit.method, edit.path, edit.first, [:]).status == edit.done)
    }
  }

  @Test("are no conflict when the same request is sent again", arguments: 0..<4)
  func again(_ place: Int) async throws {
    let edit = Self.edits[place]
    try await run { send in
      let read =
        ["If-Match": try #require(try await send(.get, edit.read, "", [:]).headers["ETag"])]
        as HTTPHeaders
      for status in [201, 200] {
        #expect(try await send(edit.method, edit.path, edit.first, read).status == status)
      }
    }
  }

  @Test("prevent restoring an old policy over a newer one")
  func restoring() async throws {
    try await run { send in
      let path = "/v1/teams/1/policies"
      let one = try #require(try await send(.get, path, "", [:]).headers["ETag"])
      let made = try await send(.post, path, #"{"debounce":1}"#, [:])
      let late = try await send(.post, path + "/1/restore", "", ["If-Match": one])
      #expect(late.status == 412 && late.headers["ETag"] == made.headers["ETag"])
      let tag = try #require(made.headers["ETag"])
      #expect(try await send(.post, path + "/1/restore", "", ["If-Match": tag]).status == 201)
    }
  }
}
