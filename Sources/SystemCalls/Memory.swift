#if canImport(Glibc)
  internal import CMalloc
#endif

/// Returns memory that is no longer used to the system. To be called after something large: without
/// it, the allocator keeps freed memory that lies between used blocks for ever. Takes milliseconds
/// when there is much to return, so not on a thread that serves others.
public func returnFreedMemory() {
  #if canImport(Glibc)
    malloc_trim(0)
  #endif
}
