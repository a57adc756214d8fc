import HTTPServing
import JSONText
import ShiftDomain
import Testing

@Suite("A list of reports over HTTP") struct ReportListTests {
  // R: A10, M1
  @Test("is answered item by item; an invalid item stops no other")
  func items() async throws {
    try await DeviceWorld.run { world in
      let phone = try await world.phone(platform: "android")
      let body = """
        {"sentAt":"\(world.time())","reports":[
          {"sequence":1,"authorization":"denied","trigger":"change"},
          {"sequence":2},
          {"sequence":3,"source":"android","raw":{"apiLevel":34,"fine":true,"coarse":true,
            "background":true,"locationEnabled":true}},
          7]}
        """
      let answer = try await phone.post("/v1/permission-reports", body)
      #expect(answer.status == 201)
      func result(_ index: Int, _ name: String) -> JSONValue? {
        answer["results", .index(index), .name(name)]
      }
      #expect(result(0, "disposition") == "late")
      #expect(result(1, "disposition") == "refused")
      #expect(result(1, "pointer") == "/reports/1/authorization")
      #expect(result(2, "disposition") == "noted" && result(2, "id") != nil)
      #expect(result(3, "pointer") == "/reports/3")
      #expect(answer["report", "authorization"] == "always")
      #expect(world.rawReadings.take() == ["android clear"])
      let again = try await phone.post(
        "/v1/permission-reports",
        #"{"sentAt":"\#(world.time())","reports":[{"sequence":3,"authorization":"denied"}]}"#)
      #expect(again.status == 200 && again["results", 0, "disposition"] == "duplicate")
      #expect(again["report", "authorization"] == "always")
      let none = try await phone.post("/v1/permission-reports", #"{"reports":[{}]}"#)
      #expect(none.status == 200 && none["results", 0, "disposition"] == "refused")
    }
  }

  @Test("with more than a hundred items is refused as a whole")
  func bound() async throws {
    try await DeviceWorld.withPhone { world, phone in
      func post(_ count: Int) async throws -> Answer {
        let item = #"{"authorization":"always"}"#
        let items = Array(repeating: item, count: count).joined(separator: ",")
        return try await phone.post(
          "/v1/permission-reports", #"{"sentAt":"\#(world.time())","reports":[\#(items)]}"#)
      }
      #expect(try await post(100).status == 201)
      let tooMany = try await post(101)
      #expect(tooMany.status == 413 && tooMany.code == "too_many_items")
    }
  }

  // R: W8
  @Test("contains the app's last exit in our codes or Android's, with ours preferred")
  func exits() async throws {
    try await DeviceWorld.run { world in
      let phone = try await world.phone(platform: "android")
      let earlier = world.time(.minutes(-5))
      let android = #""source":"android","raw":{"exitReason":8,"exitTimestamp":"#
      let rows: [(body: String, cause: JSONValue?, at: JSONValue?)] = [
        (
          #""authorization":"always","lastExit":{"cause":"user_requested","at":"\#(earlier)"}"#,
          "user_requested", .string(earlier)
        ),
        (
          #""authorization":"always","lastExit":{"cause":"new word","at":"\#(earlier)"}"#,
          "other", .string(earlier)
        ),
        (
          android + "\((world.clock.now - .minutes(7)).milliseconds)}", "permission_change",
          .string(world.time(.minutes(-7)))
        ),
        (
          android + #"0},"lastExit":{"cause":"other","at":"\#(world.time())"}"#, "other",
          .string(world.time())
        ),
        (android + "null}", nil, nil), (android + #""yesterday"}"#, nil, nil),
        (
          android + "9223372036854775807}", "permission_change", .string(world.time())
        ),
      ]
      for row in rows {
        let answer = try await phone.post(
          "/v1/permission-reports", #"{"sentAt":"\#(world.time())",\#(row.body)}"#)
        #expect(answer.status == 201, "\(row.body): \(answer.text)")
        #expect(answer["report", "lastExit", "cause"] == row.cause, "\(row.body): \(answer.text)")
        #expect(answer["report", "lastExit", "at"] == row.at, "\(row.body): \(answer.text)")
      }
      let mocked = try await phone.post(
        "/v1/permission-reports",
        #"{"authorization":"always","services":"on","conditions":{"mockLocation":"on"}}"#)
      #expect(mocked["report", "conditions", "mockLocation"] == "on")
    }
  }
}
