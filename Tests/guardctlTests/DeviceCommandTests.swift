import APIJSON
import DeviceOperations
import Foundation
import JSONText
import PeopleOperations
import ShiftDomain
import Testing

@Suite("Showing a device") struct DeviceCommandTests {
  @Test("shows what is stored of its shift and what a clock-in would answer, without coordinates")
  func shows() async throws {
    try await withWorld { world in
      let phone = try await world.enrol()
      _ = try await world.operations.device.report(
        IncomingReport(
          .state(
            PermissionState(
              authorization: .whenInUse, grantPath: .settings, accuracy: .full, services: .on)),
          source: "core_location", raw: #"{"authorizationStatus":4}"#),
        sentAt: world.receipt.at, from: phone.credential, receipt: world.receipt)
      let before = try await world.guardctl("device", "show", "7/1")
      #expect(before.status == 0, "\(before.errors)")
      #expect(before.output.contains("clock-in now\twarn: location only while the app is open\n"))
      #expect(before.output.contains("push address\tnot set\n"))
      #expect(before.output.contains(/clock slow by\t-?\d+\n/), "\(before.output)")
      try await world.clockIn(phone)
      try await world.registerPush(of: phone)
      #expect(try await phone.ping([.fix(at: world.receipt.at)]) == [.stored])
      let shown = try await world.guardctl("device", "show", "7/1")
      for words in [
        "shift\t7/1\n", "push address\tfcm\n", "pings\t1\n", "reports\t", "when_in_use",
        "pings by upload\t", "\tstored\n", "clock actions\t", "clocked_in",
        "nothing to do: shift 1 is open on this device",
      ] {
        #expect(shown.output.contains(words), "\(words) in \(shown.output)")
      }
      let card = try await world.guardctl("device", "show", "7/1", "--json").object
      #expect(card["pingCount"] as? Int == 1)
      #expect((card["reports"] as? [Any])?.count == 1)
      // A time may end in `:45.3`, too.
      #expect(!shown.output.contains(/[^:]45\.3/) && !shown.output.contains("latitude"))
      // The same as the API answers; the time of the answer is another.
      var answered = try await world.operations.people.support(of: phone.device)
      answered.refusals = nil
      let bytes = Data(JSONValue.object(answered.json).bytes)
      var wanted = try #require(
        try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
      (wanted["asOf"], wanted["clockIn"]) = (card["asOf"], card["clockIn"])
      #expect(NSDictionary(dictionary: card) == NSDictionary(dictionary: wanted))
      #expect(card["skewMs"] is Int && (card["push"] as? [String: Any])?["isSet"] as? Bool == true)
      let raw = (card["reports"] as? [[String: Any]])?.first?["raw"] as? [String: Any]
      #expect(raw?["authorizationStatus"] as? Int == 4)
      try await world.operations.people.revoke(device: phone.device)
      #expect(
        try await world.guardctl("device", "show", "7/1").output
          .contains("refused: the device is revoked"))
      #expect(try await world.guardctl("device", "show", "7/2").status == 3)
    }
  }
}
