const charactersSeen = 1000;
const shareMax = 0.05;
/** Invalid UTF-8, and control characters that are no white space. */
const odd = /[\uFFFD]|(?![\t\n\f\r])\p{Cc}/gu;

/** Whether decoded "text" is a picture or an archive. */
export function isBinary(text: string): boolean {
  const start = text.slice(0, charactersSeen);
  return start.includes('\0') || (start.match(odd)?.length ?? 0) > start.length * shareMax;
}
