import { randomFillSync } from 'node:crypto';

export const nonceBytes = 12;

const noncesPerFill = 512;

/** Made many at a time; valid until the next call. */
export function createNonces(): () => Uint8Array {
  const pool = Buffer.alloc(noncesPerFill * nonceBytes);
  let used = pool.length;
  return () => {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    used += nonceBytes;
    return pool.subarray(used - nonceBytes, used);
  };
}
