import HTTPServing
import ShiftDomain
import Testing

// R: W11
@Suite("Guessing passwords") struct GuessingTests {
  @Test("a thousand at once from one address are twenty tries at most")
  func floodFromOne() async throws {
    try await TwoTeamsWorld.run { all in
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<1_000 {
          group.addTask { try await all.logIn("guess\(number)", from: "203.0.113.5").status }
        }
        return try await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
      }
      // 503: so many were in already; nothing was tried.
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

  @Test("from everywhere at one account are ten tries, then one a minute, and its owner gets in")
  func floodAtOne() async throws {
    try await TwoTeamsWorld.run { all in
      try await all.hire("mira", teams: [1: .coverage])
      #expect(try await all.logIn("mira", from: "198.51.100.1").status == 201)
      for number in 0..<10 {
        #expect(try await all.logIn("mira", "wrong", from: "203.0.113.\(number)").status == 401)
      }
      let held = try await all.logIn("mira", "wrong", from: "203.0.113.99")
      #expect(held.status == 429 && held.headers["Retry-After"] == "60")
      // Even who knows the password waits, from an address that never logged in …
      #expect(try await all.logIn("mira", from: "203.0.113.98").status == 429)
      // … but not from the usual one, however long others go on.
      #expect(try await all.logIn("mira", from: "198.51.100.1").status == 201)
      for _ in 0..<30 {
        all.wait(.minutes(1))
        #expect(try await all.logIn("mira", "wrong", from: "203.0.113.7").status == 401)
        #expect(try await all.logIn("mira", "wrong", from: "203.0.113.8").status == 429)
        #expect(try await all.logIn("mira", from: "198.51.100.1").status == 201)
      }
      // And nobody is shut out for good.
      all.wait(.minutes(1))
      #expect(try await all.logIn("mira", from: "203.0.113.98").status == 201)
    }
  }

  @Test("at an account that there is not comes to the same")
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

  @Test("of a network of IPv6 counts as one, and a proxy's word counts only from near")
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

  @Test("of who may change it: the present password is tried ten times, then one a minute")
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
