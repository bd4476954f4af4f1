/** `adDomain` → `ad_domain`. */
export function columnName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
