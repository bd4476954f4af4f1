export function sharedBytes(bytes: Uint8Array): Uint8Array<SharedArrayBuffer> {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.byteLength));
  shared.set(bytes);
  return shared;
}

export function sharedWords(words: Uint32Array): Uint32Array<SharedArrayBuffer> {
  const shared = new Uint32Array(new SharedArrayBuffer(words.byteLength));
  shared.set(words);
  return shared;
}

export function sharedNumbers(numbers: Int32Array): Int32Array<SharedArrayBuffer> {
  const shared = new Int32Array(new SharedArrayBuffer(numbers.byteLength));
  shared.set(numbers);
  return shared;
}
