import CLibcurl

/// Moves all transfers of a sender on one thread: libcurl waits for many and shares connections.
@safe final class TransferLoop {
  private let queue: TransferQueue
  private var transfers: [UInt64: Transfer] = [:]
  /// By their easy handle, as libcurl identifies them.
  private var idsByHandle: [UInt: UInt64] = [:]
  /// Easy handles to be used again: they cost kilobytes to make.
  private var idleHandles: [UInt] = []
  private var hasEnded = false

  /// Longest sleep; a message ends it early.
  private static let pollMilliseconds: Int32 = 1_000
  private static let idleHandlesMax = 64

  init(_ queue: TransferQueue, connectionsMax: Int) {
    self.queue = queue
    unsafe sg_curl_multi_set_long(queue.multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, connectionsMax)
    unsafe sg_curl_multi_set_long(queue.multi, CURLMOPT_MAXCONNECTS, connectionsMax)
  }

  deinit {
    for handle in idleHandles {
      unsafe curl_easy_cleanup(UnsafeMutableRawPointer(bitPattern: handle))
    }
  }

  func run() {
    while !hasEnded {
      for message in queue.takeAll() { take(message) }
      var running: Int32 = 0
      unsafe curl_multi_perform(queue.multi, &running)
      finishEnded()
      guard !hasEnded else { break }
      unsafe curl_multi_poll(queue.multi, nil, 0, Self.pollMilliseconds, nil)
    }
    for transfer in Array(transfers.values) {
      release(transfer)
      transfer.fail(.cancelled)
    }
  }

  private func take(_ message: TransferMessage) {
    switch message {
    case .begin(let order): begin(order)
    case .cancel(let id):
      guard let transfer = transfers[id] else { return }
      release(transfer)
      transfer.fail(.cancelled)
    case .end: hasEnded = true
    }
  }

  private func begin(_ order: TransferOrder) {
    let reused = unsafe UnsafeMutableRawPointer(bitPattern: idleHandles.popLast() ?? 0)
    guard let handle = unsafe reused == nil ? curl_easy_init() : reused else {
      return order.reply(.failure(.unsendable(detail: "no memory")))
    }
    do throws(SendingError) {
      let transfer = try unsafe Transfer(order, on: handle)
      transfers[order.id] = transfer
      idsByHandle[UInt(bitPattern: handle)] = order.id
      unsafe curl_multi_add_handle(queue.multi, handle)
    } catch {
      unsafe recycle(handle)
      order.reply(.failure(error))
    }
  }

  private func finishEnded() {
    var left: Int32 = 0
    while let message = unsafe curl_multi_info_read(queue.multi, &left) {
      guard unsafe message.pointee.msg == CURLMSG_DONE else { continue }
      let key = unsafe UInt(bitPattern: message.pointee.easy_handle)
      let result = unsafe sg_curl_message_result(message)
      guard let id = idsByHandle[key], let transfer = transfers[id] else { continue }
      unsafe queue.noteOpened(sg_curl_get_long(transfer.handle, CURLINFO_NUM_CONNECTS))
      transfer.finish(result)
      release(transfer)
    }
  }

  /// Takes a transfer away from libcurl; its connection stays open for the next if it can.
  private func release(_ transfer: Transfer) {
    unsafe curl_multi_remove_handle(queue.multi, transfer.handle)
    transfers[transfer.id] = nil
    unsafe idsByHandle[UInt(bitPattern: transfer.handle)] = nil
    unsafe recycle(transfer.handle)
  }

  private func recycle(_ handle: UnsafeMutableRawPointer) {
    guard idleHandles.count < Self.idleHandlesMax else { return unsafe curl_easy_cleanup(handle) }
    unsafe curl_easy_reset(handle)
    idleHandles.append(UInt(bitPattern: handle))
  }
}
