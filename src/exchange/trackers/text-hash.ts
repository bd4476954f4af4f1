/** FNV-1a, 32 bits, to compare texts without storing them; 0 only for `""`. */
export function textHash(text: string): number {
  if (text === '') return 0;
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0 || 1;
}
