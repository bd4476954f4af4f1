/**
 * V8 ignores memory that threads share and so collects its owners too late. This untouched buffer counts in its place,
 * yet takes no memory from the system.
 */
export function externalMemoryBallast(bytes: number): Uint8Array {
  return Buffer.allocUnsafeSlow(bytes);
}
