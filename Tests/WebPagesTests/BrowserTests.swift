import APIMessages
import HTTPServing
import Lifecycle
import ShiftDomain
import ShiftOperations
import Testing
import WebPages

#if TSAN_LOCKS
  private let isSlowedDown = true
#else
  private let isSlowedDown = false
#endif

// A browser beside a service under ThreadSanitizer keeps nobody's second.
@Suite("Pages in a browser", .serialized, .disabled(if: isSlowedDown)) struct BrowserTests {
  @Test("are sound on a phone and on a desk, in light and in dark, by eye and by keyboard")
  func sound() async throws {
    try await DemoDay.run(DemoDay.week) { day in
      try await Site(day, hasDownloads: true).serve { address in
        try await Browser.withPictures { folder in
          let paths = """
            {"board": "/", "nobody": "/?q=nobody",
             "shift": "/employees/14/shifts/5", "open-shift": "/employees/7/shifts/5",
             "employee": "/employees/11", "tracked-employee": "/employees/8",
             "coverage": "/coverage?from=2026-11-14", "messages": "/notifications",
             "settings": "/settings", "audit": "/audit", "policy": "/settings/teams/1",
             "coverage-day": "/coverage?team=2&from=2026-11-20"}
            """
          let faults = try await Browser.run("look", address, folder, paths)
          #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
        }
      }
    }
  }

  @Test("an open board says within a second what a phone has said")
  func live() async throws {
    try await DemoDay.run { day in
      let (events, source) = AsyncStream.makeStream(of: [UInt8].self)
      let stream = Lock<AsyncStream<[UInt8]>?>(events)
      let site = Site(
        day, boardEvents: "/test/events",
        others: [
          Route(.get, "/test/events") { _ in
            let events = stream.withLock { $0.take() }
            return HTTPResponse(
              headers: ["Content-Type": "text/event-stream"],
              body: events.map { .stream($0) } ?? .bytes([]))
          },
          Route(.post, "/test/deny") { _ in
            try? await day.perform(.says(0, .denied), 1)
            source.yield(Array("event: changed\ndata: [1]\n\n".utf8))
            return .text("done")
          },
        ])
      try await site.serve { address in
        let faults = try await Browser.run("live", address, isOptimized ? "1" : "3")
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
      }
      source.finish()
    }
  }

  @Test("an account logs in with its password, is kept in, and logs out")
  func door() async throws {
    try await DemoDay.run { day in
      let boss = Viewer(officer: Officer(name: "Boss"), role: .administrator)
      _ = try await day.operations.addAccount(
        email: "mate@example.com",
        AccountWish(name: "Mate <b>", role: .manager, teams: [day.teams[1]: .coverage]),
        password: Password("a walk in the rain"), by: boss)
      let settings = PageSettings(lettingInBy: day.operations, now: { day.now })
      try await Site(day, settings).serve { address in
        let faults = try await Browser.run("door", address)
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
      }
    }
  }
}
