import OperationCore
import ReadModels
import ShiftDomain
import Testing

@Suite("Refused requests in memory") struct RefusedRequestsTests {
  private static func device(_ employee: Int32) -> DeviceID {
    DeviceID(employee: EmployeeID(employee), number: 1)
  }
  private static let token = [UInt8](repeating: 1, count: 32)

  private func request(_ second: Int) -> RefusedRequest {
    RefusedRequest(
      at: morning + .seconds(Int64(second)), route: "POST /v1/pings", status: 422, code: "invalid")
  }

  @Test("are the last twenty of each token, the newest first")
  func last() {
    let memory = RefusedRequests(instance: "one", since: morning)
    let device = Self.device(7)
    #expect(memory.requests(of: device, tokenHash: Self.token).isEmpty)
    for second in 0..<50 { memory.add(request(second), of: device, secretHash: Self.token) }
    let kept = memory.requests(of: device, tokenHash: Self.token)
    #expect(kept == (30..<50).reversed().map { request($0) })
    #expect(memory.count == 20)
  }

  @Test("of a token that the device never had are not its own, and push out none of them")
  func made() {
    let memory = RefusedRequests(instance: "one", since: morning)
    memory.add(request(1), of: Self.device(7), secretHash: Self.token)
    for second in 0..<100 {
      memory.add(request(second), of: Self.device(7), secretHash: [UInt8](repeating: 2, count: 32))
    }
    #expect(memory.requests(of: Self.device(7), tokenHash: Self.token) == [request(1)])
    #expect(memory.requests(of: Self.device(8), tokenHash: Self.token).isEmpty)
  }

  @Test("are bounded in total: the token that was refused first is dropped, and may come again")
  func bounded() {
    let memory = RefusedRequests(instance: "one", since: morning)
    let most = RefusedRequests.tokensMax
    for round in 1...3 {
      for employee in 1...most * 2 {
        memory.add(request(round), of: Self.device(Int32(employee)), secretHash: Self.token)
        // One request of each token, and a token is dropped for each that comes after.
        #expect(memory.count == (round == 1 ? min(employee, most) : most))
      }
    }
    #expect(memory.requests(of: Self.device(1), tokenHash: Self.token).isEmpty)
    let last = Self.device(Int32(most * 2))
    #expect(memory.requests(of: last, tokenHash: Self.token) == [request(3)])
  }

  @Test("whose tokens were made up push out none of those whose token was accepted")
  func madeUpTokens() {
    let memory = RefusedRequests(instance: "one", since: morning)
    func add(_ status: Int, at second: Int, of employee: Int32, _ secret: [UInt8]) {
      memory.add(
        RefusedRequest(
          at: morning + .seconds(Int64(second)), route: "POST /v1/clock-ins", status: status,
          code: "refused"),
        of: Self.device(employee), secretHash: secret)
    }
    add(409, at: 1, of: 7, Self.token)
    add(401, at: 2, of: 8, Self.token)
    let most = RefusedRequests.tokensMax
    for number in 0..<6_000 {
      let made = [2] + withUnsafeBytes(of: number) { Array($0) }
      add([400, 401, 413, 415, 422, 429][number % 6], at: 3, of: 7, made)
    }
    #expect(6_000 > most && memory.count == most + 1)
    #expect(memory.requests(of: Self.device(7), tokenHash: Self.token).map(\.status) == [409])
    // That of a token that was perhaps not checked is among those that made-up ones push out.
    #expect(memory.requests(of: Self.device(8), tokenHash: Self.token).isEmpty)
  }

  @Test("of an employee who was erased are removed, and those of others stay")
  func erased() {
    let memory = RefusedRequests(instance: "one", since: morning)
    for employee in [7, 8] as [Int32] {
      memory.add(request(1), of: Self.device(employee), secretHash: Self.token)
    }
    memory.forget(EmployeeID(7))
    #expect(memory.requests(of: Self.device(7), tokenHash: Self.token).isEmpty)
    #expect(memory.requests(of: Self.device(8), tokenHash: Self.token).count == 1)
    // The same number may belong to another employee later.
    memory.add(request(2), of: Self.device(7), secretHash: Self.token)
    #expect(memory.requests(of: Self.device(7), tokenHash: Self.token) == [request(2)])
  }

  @Test("are not lost when many are added at once")
  func together() async {
    let memory = RefusedRequests(instance: "one", since: morning)
    await withTaskGroup { group in
      for employee in Int32(1)...200 {
        group.addTask {
          for second in 0..<5 {
            memory.add(
              RefusedRequest(at: morning, route: "GET /v1/me", status: 401, code: "\(second)"),
              of: Self.device(employee), secretHash: Self.token)
          }
        }
      }
    }
    #expect(memory.count == 1_000)
  }
}
