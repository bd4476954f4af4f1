const units = ['bytes', 'KB', 'MB', 'GB'] as const;
const numbers = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

/** A size as people say it. */
export function byteText(bytes: number): string {
  const power = Math.min(Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1000)), units.length - 1);
  return `${numbers.format(bytes / 1000 ** power)} ${units[power]}`;
}
