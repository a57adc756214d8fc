import GuardRules
import Postgres
import ShiftDomain
import TestKit
import Testing

@testable import guardctl

@Suite("Messages and where they go") struct NotificationCommandTests {
  private let standard = "interruptions, reviews, attendance"

  @Test("the contacts of a team are listed, added once, and removed")
  func contacts() async throws {
    try await withWorld { world in
      let list = ["team", "contacts", "--team", "1"]
      #expect(try await guardctlTests.guardctl(list, database: world.url).output.isEmpty)
      let add = ["team", "add-contact", "--team", "1", "mira@example.com"]
      #expect(try await guardctlTests.guardctl(add, database: world.url).status == 0)
      let again = try await guardctlTests.guardctl(add, database: world.url)
      #expect(again.status == 65 && again.errors.contains("already"))
      #expect(
        try await guardctlTests.guardctl(list, database: world.url).output
          == "channel\tto\tlanguage\tgets\nemail\tmira@example.com\ten\t\(standard)\n")
      let polish = ["team", "add-contact", "--team", "1", "--language", "pl", "jan@example.com"]
      #expect(try await guardctlTests.guardctl(polish, database: world.url).status == 0)
      #expect(
        try await guardctlTests.guardctl(list, database: world.url).output
          .contains("email\tjan@example.com\tpl\t\(standard)\n"))
      let remove = ["team", "remove-contact", "--team", "1", "mira@example.com"]
      #expect(try await guardctlTests.guardctl(remove, database: world.url).status == 0)
      #expect(try await guardctlTests.guardctl(remove, database: world.url).status == 3)
      #expect(try await world.guardctl("team", "contacts", "--team", "9").status == 3)
      for bad in ["mira", "a@b@c", "a b@c.d", "@c", "a@c\r\nBcc: d@e"] {
        let run = try await world.guardctl("team", "add-contact", "--team", "1", bad)
        #expect(run.status != 0 && run.output.isEmpty, "\(bad)")
      }
    }
  }

  @Test("a contact chooses topics and quiet hours, and gets a digest at once")
  func choices() async throws {
    try await withWorld { world in
      let list = ["team", "contacts", "--team", "1"]
      let polish = ["team", "add-contact", "--team", "1", "--language", "pl", "jan@example.com"]
      #expect(try await guardctlTests.guardctl(polish, database: world.url).status == 0)
      let change = ["team", "change-contact", "--team", "1"]
      for (words, shown) in [
        (["--topics", "away,weekly_digest"], "away, weekly_digest"),
        (["--quiet", "22:00-6:30"], "away, weekly_digest; quiet from 22:00 to 06:30"),
        (
          ["--urgent-in-quiet", "on"],
          "away, weekly_digest; quiet from 22:00 to 06:30, but not for urgent ones"
        ), (["--quiet", "none", "--topics", "reviews"], "reviews"),
        (["--ways", "browser"], "reviews; by browser only"),
        (["--ways", "email,browser"], "reviews"),
      ] {
        let run = try await guardctlTests.guardctl(
          change + words + ["jan@example.com"], database: world.url)
        #expect(run.status == 0 && run.output.contains(shown), "\(run)")
        #expect(
          try await guardctlTests.guardctl(list, database: world.url).output
            .contains("email\tjan@example.com\tpl\t\(shown)\n"))
      }
      for words in [
        ["--ways", "fax"], ["--topics", "lunch"], ["--quiet", "22:00"], ["--quiet", "1:00-1:00"],
      ] {
        let run = try await guardctlTests.guardctl(
          change + words + ["jan@example.com"], database: world.url)
        #expect(run.status == 64, "\(run)")
      }
      #expect(
        try await guardctlTests.guardctl(change + ["who@example.com"], database: world.url).status
          == 3)
      let digest = ["team", "digest", "--team", "1"]
      let shown = try await guardctlTests.guardctl(digest, database: world.url)
      #expect(shown.status == 0 && shown.output.contains("Shifts: 0"), "\(shown)")
      let sent = try await guardctlTests.guardctl(
        digest + ["--send-to", "jan@example.com"], database: world.url)
      #expect(sent.status == 65 && sent.errors.contains("no shift"), "\(sent)")
    }
  }

  @Test("an employee's contact details are changed, shown and removed")
  func details() async throws {
    try await withWorld { world in
      let change = ["employee", "change", "--employee", "7"]
      for (words, shown) in [
        (["--email", "ada@example.com"], ["ada@example.com", ""]),
        (["--phone-number", "+385 91 123-4567"], ["ada@example.com", "+385 91 123-4567"]),
        (["--email", "", "--name", "Ada B"], ["", "+385 91 123-4567"]),
        (["--phone-number", ""], ["", ""]),
      ] {
        let run = try await guardctlTests.guardctl(change + words, database: world.url)
        #expect(run.status == 0, "\(run.errors)")
        let card = try await world.guardctl("employee", "show", "7", "--json").object
        #expect([card["email"], card["phoneNumber"]].map { $0 as? String ?? "" } == shown)
      }
      for (words, status) in [
        (["--employee", "9", "--name", "B"], 3), (["--name", "B"], 64),
        (["--employee", "7", "--phone-number", "call me"], 64),
        (["--employee", "7", "--email", "a@b@c"], 64), (["--employee", "7", "--team", "9"], 3),
      ] as [([String], Int32)] {
        let run = try await guardctlTests.guardctl(
          ["employee", "change"] + words, database: world.url)
        #expect(run.status == status, "\(words): \(run.errors)")
      }
    }
  }

  @Test("a webhook gets a secret of its own, shown once")
  func webhooks() async throws {
    try await withWorld { world in
      let url = "https://example.com/hook"
      let made = try await world.guardctl("team", "add-webhook", "--team", "1", url)
      #expect(made.status == 0 && made.output.hasPrefix("whsec_"), "\(made.errors)")
      #expect(try await world.guardctl("team", "add-webhook", "--team", "1", url).status == 65)
      let list = try await world.guardctl("team", "contacts", "--team", "1")
      #expect(list.output == "channel\tto\tlanguage\tgets\nwebhook\t\(url)\ten\t\(standard)\n")
      for bad in ["http://example.com", "https://", "https://a b", "ftp://x"] {
        #expect(try await world.guardctl("team", "add-webhook", "--team", "1", bad).status != 0)
      }
      #expect(try await world.guardctl("team", "remove-webhook", "--team", "1", url).status == 0)
      #expect(try await world.guardctl("team", "remove-webhook", "--team", "1", url).status == 3)
    }
  }

  @Test("what every way refused is a dead letter, shown with its words, and sent again")
  func deadLetters() async throws {
    try await withPhoneOnShift { world, phone in
      try await world.report(.denied, from: phone)
      // Without a way it waits for one, or for the app.
      try await world.decideDeliveries()
      #expect(try await world.guardctl("notification", "dead-letter", "list").output.isEmpty)
      #expect(try await world.guardctl("notification", "list").output.contains("denied"))
      try await world.registerPush(of: phone)
      try await world.decideDeliveries()
      let dead = try await world.guardctl("notification", "dead-letter", "list", "--json")
      let rows = try #require(try dead.json() as? [[String: Any]])
      #expect(rows.map { $0["outcome"] as? String } == ["unreachable"])
      #expect(rows.first?["reason"] as? String == "too large")
      #expect(try await world.guardctl("notification", "list").output.isEmpty)
      for words in [["show"], ["dead-letter", "show"]] {
        let shown = try await guardctlTests.guardctl(
          ["notification"] + words + ["7/1", "--json"], database: world.url
        ).object
        #expect(shown["title"] as? String == "Location access is off")
        let attempts = try #require(shown["attempts"] as? [[String: Any]])
        #expect(attempts.map { $0["outcome"] as? String } == ["refused"])
      }
      let retried = try await world.guardctl("notification", "dead-letter", "retry")
      #expect(retried.output == "Retrying 1 dead letter.\n")
      #expect(try await world.guardctl("notification", "dead-letter", "list").output.isEmpty)
      let waiting = try await world.guardctl("notification", "list")
      #expect(waiting.output.contains("denied"))
      let gone = try await world.guardctl("notification", "dead-letter", "show", "7/1")
      #expect(gone.status == 3 && gone.errors.contains("dead-letter list"), "\(gone.errors)")
      // Without guardd, nobody tries it.
      let tried = try await world.guardctl(
        "notification", "retry", "--employee", "7", "--wait", "1s")
      #expect(tried.output == "1 pending notification retried, not tried yet.\n")
      #expect(tried.status == 75, "\(tried)")
      let unknown = ["retry", "--employee", "9"]
      for words in [unknown, ["dead-letter"] + unknown] {
        let run = try await guardctlTests.guardctl(["notification"] + words, database: world.url)
        #expect(run.status == 3, "\(run.errors)")
      }
    }
  }

  @Test("a test message waits for a service that sends it, and says so")
  func unanswered() async throws {
    try await withWorld { world in
      let test = ["notification", "send-test", "--employee", "7", "--wait", "1s"]
      let nowhere = try await guardctlTests.guardctl(test, database: world.url)
      #expect(
        nowhere.status == 3 && nowhere.errors.contains("no channel of employee "),
        "\(nowhere.errors)")
      let email = ["employee", "change", "--employee", "7", "--email", "ada@example.com"]
      #expect(try await guardctlTests.guardctl(email, database: world.url).status == 0)
      let run = try await guardctlTests.guardctl(test, database: world.url)
      #expect(run.status == 75)
      #expect(run.output == "channel\tto\tanswer\treason\nemail\tada@example.com\tnone yet\t\n")
      let shown = try await world.guardctl(
        "notification", "show", "7/1", "--topic", "test", "--json")
      #expect(shown.object["title"] as? String == "Test notification")
      for (words, status) in [
        ([], 64), (["--employee", "7", "--team", "1"], 64), (["--employee", "9"], 3),
        (["--team", "1", "--channel", "push"], 64), (["--team", "1"], 3), (["--team", "9"], 3),
        (["--employee", "7", "--channel", "push"], 3), (["--employee", "7", "--wait", "6m"], 64),
      ] as [([String], Int32)] {
        let run = try await guardctlTests.guardctl(
          ["notification", "send-test"] + words, database: world.url)
        #expect(run.status == status, "\(words): \(run.errors)")
      }
    }
  }
}
