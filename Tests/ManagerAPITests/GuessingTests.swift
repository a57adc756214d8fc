import HTTPServing
import ShiftDomain
import Testing

// R: W11
@Suite("The login limit") struct GuessingTests {
  @Test("allows at most twenty of a thousand attempts from one address at once")
  func floodFromOne() async throws {
    try await TwoTeamsWorld.run { all in
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<1_000 {
          group.addTask { try await all.logIn("guess\(number)", from: "203.0.113.5").status }
        }
        return try await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
      }
      // 503: too many requests were waiting already; no password was checked.
      #expect(Set(statuses.keys).isSubset(of: [401, 429, 503]), "\(statuses)")
      var tried = statuses[401, default: 0]
      for _ in 0..<25 {
        tried += try await all.logIn("guess", from: "203.0.113.5").status == 401 ? 1 : 0
      }
      #expect((1...20).contains(tried), "\(statuses)")
      let late = try await all.logIn("guess", from: "203.0.113.5")
      #expect(late.status == 429 && late.headers["Retry-After"] == "10")
      all.wait(.seconds(10))
      #expect(try await all.logIn("guess", from: "203.0.113.5").status == 401)
      #expect(try await all.logIn("guess", from: "203.0.113.5").status == 429)
    }
  }

  @Test("allows ten attempts at an account, then one a minute, except from its usual address")
  func floodAtOne() async throws {
    try await TwoTeamsWorld.run { all in
      try await all.hire("mira", teams: [1: .coverage])
      #expect(try await all.logIn("mira", from: "198.51.100.1").status == 201)
      for number in 0..<10 {
        #expect(try await all.logIn("mira", "wrong", from: "203.0.113.\(number)").status == 401)
      }
      let held = try await all.logIn("mira", "wrong", from: "203.0.113.99")
      #expect(held.status == 429 && held.headers["Retry-After"] == "60")
      // Even the correct password has to wait when it comes from a new address …
      #expect(try await all.logIn("mira", from: "203.0.113.98").status == 429)
      // … but not from the usual address, however long the guessing continues.
      #expect(try await all.logIn("mira", from: "198.51.100.1").status == 201)
      for _ in 0..<30 {
        all.wait(.minutes(1))
        #expect(try await all.logIn("mira", "wrong", from: "203.0.113.7").status == 401)
        #expect(try await all.logIn("mira", "wrong", from: "203.0.113.8").status == 429)
        #expect(try await all.logIn("mira", from: "198.51.100.1").status == 201)
      }
      // And nobody is locked out permanently.
      all.wait(.minutes(1))
      #expect(try await all.logIn("mira", from: "203.0.113.98").status == 201)
    }
  }

  @Test("is the same for an account that does not exist")
  func unknown() async throws {
    try await TwoTeamsWorld.run { all in
      try await all.hire("mira")
      for name in ["mira", "nobody"] {
        for number in 0..<10 {
          let answer = try await all.logIn(name, "wrong", from: "203.0.113.\(number)")
          #expect(answer.status == 401)
        }
        #expect(try await all.logIn(name, "wrong", from: "203.0.113.77").status == 429)
      }
    }
  }

  @Test("counts an IPv6 network as one address and trusts only a nearby proxy")
  func addresses() async throws {
    try await TwoTeamsWorld.run { all in
      for number in 0..<20 {
        let answer = try await all.logIn("a\(number)", from: "2001:db8:1:2::\(number)")
        #expect(answer.status == 401)
      }
      #expect(try await all.logIn("b", from: "2001:db8:1:2:ffff::1").status == 429)
      #expect(try await all.logIn("b", from: "2001:db8:1:3::1").status == 401)
      for number in 0..<20 {
        let forwarded: HTTPHeaders = ["X-Forwarded-For": "198.51.100.\(number), 192.0.2.44"]
        #expect(try await all.logIn("c\(number)", "x", forwarded, from: "127.0.0.1").status == 401)
      }
      let forged: HTTPHeaders = ["X-Forwarded-For": "198.51.100.200, 192.0.2.44"]
      #expect(try await all.logIn("d", "x", forged, from: "127.0.0.1").status == 429)
      #expect(try await all.logIn("d", "x", forged, from: "192.0.2.45").status == 401)
      #expect(try await all.logIn("d", from: "192.0.2.44").status == 429)
    }
  }

  @Test("allows ten attempts at the current password when the password is changed")
  func ownPassword() async throws {
    try await TwoTeamsWorld.run { all in
      try await all.hire("mira")
      let page = try await all.page(of: "mira")
      let body = #"{"current":"wrong","wanted":"another walk in the rain"}"#
      for _ in 0..<10 {
        #expect(try await all.send(.put, "/v1/account/password", body, page).status == 403)
      }
      #expect(try await all.send(.put, "/v1/account/password", body, page).status == 429)
    }
  }
}
