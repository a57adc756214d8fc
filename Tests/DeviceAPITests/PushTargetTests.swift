import JSONText
import Postgres
import ShiftDomain
import Testing

@Suite("Push targets") struct PushTargetTests {
  private static let path = "/v1/me/push-target"
  private static let key = String(repeating: "A", count: 86) + "E"
  private static let secret = String(repeating: "A", count: 21) + "A"

  private func put(_ phone: Phone, _ body: String) async throws -> Answer {
    try await phone.world.send(.put, Self.path, Array(body.utf8), token: phone.token)
  }

  private func stored(_ world: DeviceWorld) async throws -> [String] {
    try await world.pool.read { (session) throws(PostgresError) in
      try session.run(
        "SELECT channel, address, sandbox FROM push_target ORDER BY employee_id, device_no"
      ).map { (row) throws(PostgresError) in
        let (channel, address): (Channel, String) = (try row.next(), try row.next())
        return "\(channel.code) \(address)\(try row.next() ? " sandbox" : "")"
      }
    }
  }

  @Test("are one address per device: the newest, until it is deleted")
  func newest() async throws {
    try await DeviceWorld.withPhone { world, phone in
      let other = try await world.phone()
      #expect(
        try await put(phone, #"{"channel":"apns","token":"ab12","sandbox":true}"#).status == 204)
      #expect(try await put(other, #"{"channel":"fcm","token":"x:y"}"#).status == 204)
      #expect(try await stored(world) == ["apns ab12 sandbox", "fcm x:y"])
      #expect(try await put(phone, #"{"channel":"apns","token":"cd34"}"#).status == 204)
      #expect(try await stored(world) == ["apns cd34", "fcm x:y"])
      let gone = try await world.send(.delete, Self.path, token: other.token)
      #expect(gone.status == 204)
      #expect(try await world.send(.delete, Self.path, token: other.token).status == 204)
      #expect(try await stored(world) == ["apns cd34"])
    }
  }

  @Test("accept a browser's subscription as the browser provides it")
  func browser() async throws {
    try await DeviceWorld.run { world in
      let phone = try await world.phone(platform: "web")
      let body = """
        {"channel":"web_push","endpoint":"https://push.example/1","p256dh":"\(Self.key)",\
        "auth":"\(Self.secret)"}
        """
      let answer = try await put(phone, body)
      #expect(answer.status == 204, "\(answer.text)")
      #expect(try await stored(world) == ["web_push https://push.example/1"])
    }
  }

  static let faults: [(body: String, pointer: String)] = [
    (#"{}"#, "/channel"), (#"{"channel":"email","token":"a"}"#, "/channel"),
    (#"{"channel":"fcm"}"#, "/token"), (#"{"channel":"fcm","token":""}"#, "/token"),
    (#"{"channel":"fcm","token":"a\nb"}"#, "/token"),
    (#"{"channel":"web_push","endpoint":"http://push.example/1"}"#, "/endpoint"),
    (#"{"channel":"web_push","endpoint":"https://push.example/1"}"#, "/p256dh"),
    (
      #"{"channel":"web_push","endpoint":"https://push.example/1","p256dh":"AA"}"#, "/p256dh"
    ),
  ]

  @Test("are refused when invalid, with the location of the error", arguments: faults)
  func faulty(_ fault: (body: String, pointer: String)) async throws {
    try await DeviceWorld.run { world in
      let answer = try await put(try await world.phone(), fault.body)
      #expect(answer.status == 422 && answer.text.contains(fault.pointer), "\(answer.text)")
      #expect(try await stored(world) == [])
    }
  }

  @Test("require a token")
  func token() async throws {
    try await DeviceWorld.run { world in
      let body = Array(#"{"channel":"fcm","token":"a"}"#.utf8)
      let put = try await world.send(.put, Self.path, body)
      let delete = try await world.send(.delete, Self.path)
      #expect(put.status == 401 && delete.status == 401)
    }
  }
}
