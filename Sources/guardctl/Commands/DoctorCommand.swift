import CommandParsing
import Foundation
import Postgres
import ReadModels
import ServiceSettings
import ShiftDomain
import ShiftStore
import SystemCalls

let doctorCommand = Leaf(
  Command(
    "doctor", "examine the installation, and say what to do",
    options: [
      .flag("from-outside", "instead, whether phones can reach guardd, from this machine"),
      .text(
        "server", "with --from-outside: URL to reach; by default the setting public-url",
        environment: "SHIFTGUARD_SERVER", placeholder: "URL"),
    ],
    footer: """
      Database, schema, instances of guardd, clocks, disk, partitions, backups, privacy notice, \
      contacts, settings, push keys and mail server. Sends nothing and changes nothing. Run it as \
      the user of guardd.
      Exit: 0 all is well, 1 something needs attention, 2 something does not work.
      """),
  .place(examine))

private func examine(
  _ call: Invocation, _ place: Result<ConnectionConfiguration, Complaint>
) async -> any Answer {
  if call.parsed.flag("from-outside") { return await examineFromOutside(call) }
  let settings = call.serviceSettings
  let database =
    switch place {
    case .success(let place): await databaseChecks(place, settings)
    case .failure(let complaint): [missing(complaint)]
    }
  let others = await settings.map { ChannelChecks(settings: $0) }?.checks()
  return HealthReport(checks: [.ok("guardctl", Build.text)] + database + (others ?? []))
}

private func examineFromOutside(_ call: Invocation) async -> HealthReport {
  do throws(Complaint) {
    guard let url = try call.publicServer else {
      return HealthReport(checks: [
        .fail("address", "`public-url` is not set on this machine", "add `--server URL`")
      ])
    }
    let checks = OutsideChecks(url: url, now: Instant(milliseconds: calendarMilliseconds()))
    return HealthReport(checks: await checks.checks())
  } catch {
    return HealthReport(checks: [.fail("address", error.text, "correct the URL")])
  }
}

/// Without an address of a database; what the complaint advises is the remedy.
private func missing(_ complaint: Complaint) -> HealthCheck {
  let parts = complaint.text.split(separator: ": ", maxSplits: 1).map(String.init)
  return .fail("database", parts[0], parts.count == 2 ? parts[1] : "correct the address")
}

private func databaseChecks(
  _ place: ConnectionConfiguration, _ settings: InstalledSettings?
) async -> [HealthCheck] {
  let pool = Pool(place, size: 1, waitersMax: 1)
  let outcome: Result<(InstallationHealth, TimeSpan), Complaint>
  do {
    // The first read also connects, which would count as a difference of the clocks.
    _ = try await pool.readSnapshot { (session) throws(PostgresError) in
      try schemaVersion(on: &session)
    }
    let before = calendarMilliseconds()
    let health = try await pool.readSnapshot { (session) throws(PostgresError) in
      try installationHealth(on: &session)
    }
    let middle = Instant(milliseconds: before + (calendarMilliseconds() - before) / 2)
    outcome = .success((health, middle - health.now))
  } catch {
    outcome = .failure(complaint(of: error))
  }
  await pool.close()
  switch outcome {
  case .failure(let complaint):
    let isUnseen = settings?.credentials ?? .unseen == .unseen
    let note =
      DatabaseCause(complaint.text) == .password && isUnseen
      ? "; one among the service's credentials is not visible here" : ""
    return [.fail("database", "\(complaint.text): \(place)", remedy(for: complaint) + note)]
  case .success(let (health, ahead)):
    let version = HealthCheck.ok("database", "PostgreSQL \(health.postgresVersion) answers")
    let folder = place.isOnThisMachine ? health.folder : nil
    return [version]
      + DatabaseChecks(
        health: health, ahead: ahead, space: folder.flatMap { FileSpace(at: $0) },
        backupAgeMax: settings?.checked.backupAgeMax ?? defaultBackupAgeMax
      ).checks
  }
}

extension ConnectionConfiguration {
  /// Whether the server's files are on this machine, as far as its address shows.
  fileprivate var isOnThisMachine: Bool {
    let hosts = description.split(separator: " ").filter { $0.hasPrefix("host=") }
    return hosts.allSatisfy { host in
      let name = host.dropFirst("host=".count)
      return name.hasPrefix("/") || ["localhost", "127.0.0.1", "::1"].contains(name)
    }
  }
}
