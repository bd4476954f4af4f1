/**
 * A 32-bit hash of a text (FNV-1a), kept instead of the text and compared with other texts' hashes; 0 only for `""`.
 */
export function textHash(text: string): number {
  if (text === '') return 0;
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0 || 1;
}
