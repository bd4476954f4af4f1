const isBlank = (code: number) => code === 0x20 || code === 0x09;

/** Without surrounding spaces and tabs (RFC 9110 section 5.5); `trim` would take other bytes too. */
export function withoutBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

export function headersOf(headText: string): Readonly<Record<string, string>> {
  const headers = new Map<string, string>();
  for (const line of headText.split('\r\n').slice(1)) {
    const colon = line.indexOf(':');
    if (colon === -1) continue;
    const name = line.slice(0, colon).toLowerCase();
    const value = withoutBlanks(line.slice(colon + 1));
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(headers);
}
