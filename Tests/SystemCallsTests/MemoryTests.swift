import Foundation
import SystemCalls
import Testing

@Suite("Memory") struct MemoryTests {
  @Test func `that lies free between used blocks is returned to the system`() throws {
    // Blocks below the size from which the allocator maps each one for itself. The last one stays,
    // so that the heap cannot simply become shorter.
    var blocks = (0..<2_000).map { _ in [UInt8](repeating: 1, count: 100_000) }
    let last = blocks.removeLast()
    let full = try residentBytes()
    blocks.removeAll()
    returnFreedMemory()
    #expect(try residentBytes() < full - 100_000_000)
    #expect(last.count == 100_000)
  }

  /// In a process of its own: other tests allocate meanwhile.
  @Test func `at the end of a heap is returned as soon as it is free, also on other threads`()
    async throws
  {
    await #expect(processExitsWith: .success) {
      boundKeptMemory()
      let before = try residentBytes()
      // Each thread has a heap of its own.
      let threads = DispatchGroup()
      for _ in 0..<8 {
        threads.enter()
        let thread = Thread {
          // A large block makes the allocator's own bound grow; small ones it keeps apart.
          for size in [20_000_000, 100_000, 50] { fill(20_000_000, by: size) }
          threads.leave()
        }
        thread.start()
      }
      await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
        threads.notify(queue: .global()) { done.resume() }
      }
      returnFreedMemory()
      exit(try residentBytes() < before + 10_000_000 ? 0 : 1)
    }
  }
}

private func fill(_ count: Int, by size: Int) {
  let blocks = (0..<count / size).map { _ in [UInt8](repeating: 1, count: size) }
  precondition(blocks.count == count / size)
}

private func residentBytes() throws -> Int {
  let sizes = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
  let pages = try #require(Int(sizes.split(separator: " ")[1]))
  return pages * 4_096
}
