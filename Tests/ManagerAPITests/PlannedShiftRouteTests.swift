import HTTPServing
import JSONText
import ShiftDomain
import Testing

@Suite("Planned shifts over the API") struct PlannedShiftRouteTests {
  @Test("are changed in part, and refused with a code")
  func change() async throws {
    try await TwoTeamsWorld.run { all in
      try await all.hire("boss", .administrator)
      let page = try await all.page(of: "boss")
      let list = "/v1/employees/7/planned-shifts"
      let times = #"{"start":"2099-11-20T08:00:00Z","end":"2099-11-20T16:00:00Z"}"#
      let planned = try await all.send(.post, list, times, page)
      #expect(planned.status == 201)
      let id = String(try #require(planned.text.firstMatch(of: /"plannedShift":"(\d+)"/)).1)
      let other = #"{"start":"2099-11-20T20:00:00Z","end":"2099-11-20T22:00:00Z"}"#
      #expect(try await all.send(.post, list, other, page).status == 201)
      func patch(_ body: String, _ id: String) async throws -> (status: Int, text: String) {
        let answer = try await all.send(.patch, "\(list)/\(id)", body, page)
        return (answer.status, answer.text)
      }
      let changed = try await patch(#"{"end":"2099-11-20T17:00:00+01:00"}"#, id)
      #expect(changed.status == 200 && changed.text.contains(#""end":"2099-11-20T16:00:00.000Z""#))
      let later = try await patch(#"{"start":"2099-11-20T09:00:00Z"}"#, id)
      #expect(later.status == 200 && later.text.contains(#""start":"2099-11-20T09:00:00.000Z""#))
      for (body, status, part) in [
        ("{}", 422, "must have `start`, `end` or both"),
        (#"{"from":1}"#, 422, "/from"),
        (#"{"start":"24:00"}"#, 422, "/start"),
        (#"{"end":"2099-11-20T24:00:00Z"}"#, 422, "/end"),
        (#"{"end":"2099-11-20T09:00:00Z"}"#, 422, "within 24 hours"),
        (#"{"end":"2099-11-20T20:30:00Z"}"#, 409, "overlaps_planned_shift"),
        (#"{"start":"2001-11-20T08:00:00Z","end":"2001-11-20T16:00:00Z"}"#, 409, "in_the_past"),
      ] {
        let answer = try await patch(body, id)
        #expect(answer.status == status && answer.text.contains(part), "\(body): \(answer)")
      }
      #expect(try await patch(times, "1").status == 404)
    }
  }
}
