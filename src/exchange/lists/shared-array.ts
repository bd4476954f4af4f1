/** The same bytes in memory that threads share. */
export function sharedBytes(bytes: Uint8Array): Uint8Array<SharedArrayBuffer> {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.byteLength));
  shared.set(bytes);
  return shared;
}

/** The same words in memory that threads share. */
export function sharedWords(words: Uint32Array): Uint32Array<SharedArrayBuffer> {
  const shared = new Uint32Array(new SharedArrayBuffer(words.byteLength));
  shared.set(words);
  return shared;
}

/** The same numbers in memory that threads share. */
export function sharedNumbers(numbers: Int32Array): Int32Array<SharedArrayBuffer> {
  const shared = new Int32Array(new SharedArrayBuffer(numbers.byteLength));
  shared.set(numbers);
  return shared;
}

/**
 * V8 does not count memory that threads share, and collects what points to it only when something else makes it
 * necessary. This buffer is held beside such memory, in each thread: it is counted, and as nobody writes to it the
 * system gives it none.
 */
export function weightOf(bytes: number): Uint8Array {
  return Buffer.allocUnsafeSlow(bytes);
}
