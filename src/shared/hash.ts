import { randomInt } from 'node:crypto';

/** Secret: without it nobody can choose what shares a hash. */
export const randomSeed = (): number => randomInt(2 ** 31);

/** FNV-1a, 32 bits: the same on every machine, for good. For a table of what outsiders choose, use `seededHash`. */
export function stableHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

const apart = 0x9e3779b9;

/** The finalizer of MurmurHash3, without its first step. */
export function mixHashes(one: number, other: number): number {
  let hash = Math.imul(one ^ (other + apart), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** The whole finalizer. */
export const finishHash = (hash: number): number => mixHashes(hash ^ (hash >>> 16), -apart);

/** Adds a character or byte. */
export function hashOn(hash: number, code: number): number {
  const mixed = Math.imul(hash ^ code, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}

/** From the text's end, so that a domain's hash also yields its parents'. */
export function seededHash(seed: number, text: string): number {
  let hash = seed;
  for (let at = text.length - 1; at >= 0; at -= 1) hash = hashOn(hash, text.charCodeAt(at));
  return hash;
}
