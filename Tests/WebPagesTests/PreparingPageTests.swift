import HTTPServing
import ManagerCore
import TestKit
import Testing
import WebPages

// R: W26
@Suite("The page of a report that waits for its turn") struct PreparingPageTests {
  @Test("says where it stands, opens by itself when it is its turn, and is no error")
  func waits() async throws {
    try await DemoDay.run([]) { day in
      let gate = day.operations.manager.heavyReads.gate
      let server = PageServer(day, reportPatience: .zero)
      var others: [HeavyReads.Place] = []
      for token in Int32(1)...2 {
        others.append(try await gate.enter(.token(token), for: "", patience: .seconds(60)))
      }
      for _ in 0..<2 {
        let (response, page) = try await server.get("/coverage")
        #expect(response.status == 202 && response.headers["Refresh"] == "3")
        #expect(page.contains("<h1>Preparing the page</h1>"))
        #expect(page.contains("This one is number 1 in line."))
      }
      #expect(gate.load == (2, 1))
      let (light, _) = try await server.get("/settings")
      #expect(light.status == 200)
      others = []
      let (patient, page) = try await PageServer(day).get("/coverage")
      #expect(patient.status == 200 && page.contains("<h1>Coverage"))
      #expect(others.isEmpty && gate.load == (0, 0))
    }
  }
}
