/**
 * V8 does not count memory that threads share, and collects what points to it only when something else makes it
 * necessary. This buffer is held beside such memory, in each thread: it is counted, and as nobody writes to it the
 * system gives it none.
 */
export function externalMemoryBallast(bytes: number): Uint8Array {
  return Buffer.allocUnsafeSlow(bytes);
}
