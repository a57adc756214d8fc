import CommandParsing
import Foundation
import Glibc
import HTTPSending
import LoadSimulation
import Postgres
import ShiftDomain
import ShiftStore

/// `guardsim load`: many phones at once, and then a check of every record in the database.
func load(_ command: ParsedCommand) async throws(Complaint) -> (text: String, isGood: Bool) {
  let server = try serverAddress(command.string("server") ?? "")
  let phones = try readPhones(command)
  let shape = try loadShape(command)
  let patience = TimeSpan.seconds(Int64(command.int("patience") ?? 0))
  let database = try command.string("database").map { (url) throws(Complaint) in
    try connection(url)
  }
  let load = Load(shape, phones: phones, server: server, patience: patience)
  let began = ContinuousClock.now
  let records = await withTaskGroup(of: Void.self) { group in
    if !command.flag("quiet") { group.addTask { await printProgress(load, since: began) } }
    let records = await load.run()
    group.cancelAll()
    return records
  }
  let time = ContinuousClock.now - began
  var found: Discrepancies?
  if let database { found = try await compare(records, with: database) }
  let outcome = LoadOutcome(
    tally: load.progress, phones: phones.count, working: records.count, time: time,
    discrepancies: found)
  return (command.flag("json") ? outcome.json : outcome.text, outcome.isGood)
}

/// Prints a line per second to standard error, until cancelled.
private func printProgress(_ load: Load, since began: ContinuousClock.Instant) async {
  var before = 0
  while (try? await Task.sleep(for: .seconds(1))) != nil {
    let tally = load.progress
    let pings = tally.pingsAcknowledged
    let latency = tally.uploads.percentile(0.99).map { $0 / .milliseconds(1) } ?? 0
    let line = String(
      format: "%4d s  %9d pings  %7d/s  p99 %.1f ms  %6d reports  %5d retries\n",
      Int((ContinuousClock.now - began).components.seconds), pings, pings - before, latency,
      tally.reportsAcknowledged, tally.retries)
    FileHandle.standardError.write(Data(line.utf8))
    before = pings
  }
}

private func readPhones(_ command: ParsedCommand) throws(Complaint) -> [EnrolledPhone] {
  let path = command.string("tokens") ?? ""
  guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
    throw Complaint(ending: .badInput, message: "the tokens in `\(path)` cannot be read")
  }
  var phones: [EnrolledPhone] = []
  for (number, line) in text.split(separator: "\n").prefix(command.int("phones") ?? 0).enumerated()
  {
    // A token is a secret: never print it, not even a wrong one.
    guard let phone = EnrolledPhone(token: line.trimmingCharacters(in: .whitespaces)) else {
      let message = "`\(path)`: line \(number + 1) is not a device token"
      throw Complaint(ending: .badInput, message: message)
    }
    phones.append(phone)
  }
  guard !phones.isEmpty else {
    throw Complaint(ending: .badInput, message: "`\(path)` contains no token")
  }
  return phones
}

private func loadShape(_ command: ParsedCommand) throws(Complaint) -> LoadShape {
  let text = command.string("items") ?? ""
  let bounds = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
  guard let first = bounds.first, let least = first, let last = bounds.last, let most = last,
    bounds.count <= 2, 1 <= least, least <= most, most <= 500
  else {
    let message = "`--items` cannot be `\(text)`: write `1`, or `1-100`; at most 500"
    throw Complaint(ending: Ending(status: usageStatus), message: message)
  }
  var shape = LoadShape()
  shape.span = .seconds(Int64(command.int("seconds") ?? 0))
  shape.pingsPerSecond = Double(command.int("rate") ?? 0)
  shape.items = least...most
  shape.duplicatePercent = command.int("duplicates") ?? 0
  shape.latePercent = command.int("late") ?? 0
  shape.shuffledPercent = command.int("shuffled") ?? 0
  shape.downgradesPerMinute = command.int("downgrades") ?? 0
  shape.seed = UInt64(command.int("seed") ?? 0)
  return shape
}

private func connection(_ url: String) throws(Complaint) -> Pool {
  do {
    let configuration = try ConnectionConfiguration(url, applicationName: "guardsim")
    return Pool(configuration, size: 1, waitersMax: 1)
  } catch {
    throw Complaint(ending: Ending(status: usageStatus), message: "`--database`: \(error)")
  }
}

/// Compares the phones' records with the database; read-only.
private func compare(
  _ records: [PhoneRecord], with pool: Pool
) async throws(Complaint) -> Discrepancies {
  var found = Discrepancies()
  do throws(PostgresError) {
    for record in records {
      let pings = record.start...record.recordedAt(max(record.pings.count - 1, 0))
      let sequences = record.reports.keys
      let reports = (sequences.min() ?? 0)...(sequences.max() ?? 0)
      let stored = try await pool.readSnapshot(.seconds(60)) { (session) throws(PostgresError) in
        (
          pings: try recordedTimes(of: record.device, in: pings, on: &session),
          reports: try reportSequences(of: record.device, in: reports, on: &session)
        )
      }
      found.compare(record, withPings: stored.pings, andReports: stored.reports)
    }
  } catch {
    throw Complaint(ending: .badState, message: "the database cannot be read: \(error)")
  }
  await pool.close()
  return found
}
