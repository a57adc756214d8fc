import Foundation
import Lifecycle
import SystemCalls
import Telemetry

/// Registers what is measured of every process, under Prometheus' usual names.
func measureProcess(_ metrics: Metrics) {
  let start = Double(calendarMilliseconds()) / 1_000
  metrics.gauge("process_start_time_seconds", "Unix time of the start of the process.") { start }
  metrics.counter("process_cpu_seconds_total", "CPU time of the process, user and system.") {
    Double(clock()) / Double(CLOCKS_PER_SEC)
  }
  metrics.gauge("process_resident_memory_bytes", "Resident memory of the process.") {
    residentBytes() ?? .nan
  }
}

/// - Source: proc(5), `VmRSS` of `status`.
private func residentBytes() -> Double? {
  let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  let line = status?.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
  return line?.split(separator: " ").dropLast().last.flatMap { Double($0) }.map { $0 * 1_024 }
}
