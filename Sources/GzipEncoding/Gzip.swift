import CZlib

/// `bytes` in the format of gzip, as small as zlib makes them. Equal bytes have equal results: no
/// time is stored. `nil` only without memory.
/// - Source: RFC 1952, by zlib.
package func gzip(_ bytes: [UInt8]) -> [UInt8]? {
  var stream = unsafe z_stream()
  // 16 more than the size of the window: the format of gzip instead of zlib's own.
  let status = unsafe deflateInit2_(
    &stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY,
    ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
  guard status == Z_OK else { return nil }
  defer { unsafe _ = deflateEnd(&stream) }
  let countMax = unsafe Int(deflateBound(&stream, UInt(bytes.count)))
  var input = bytes
  var output = [UInt8](repeating: 0, count: countMax)
  let isDone = unsafe input.withUnsafeMutableBufferPointer { input in
    unsafe output.withUnsafeMutableBufferPointer { output in
      unsafe stream.next_in = input.baseAddress
      unsafe stream.avail_in = UInt32(input.count)
      unsafe stream.next_out = output.baseAddress
      unsafe stream.avail_out = UInt32(output.count)
      return unsafe deflate(&stream, Z_FINISH) == Z_STREAM_END
    }
  }
  return isDone ? unsafe Array(output.prefix(Int(stream.total_out))) : nil
}
