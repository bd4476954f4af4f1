const names: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'http2-settings',
  'content-length',
  'content-encoding',
  'expect',
  'accept-encoding',
]);

/** Belongs to the connection (RFC 9110, 7.6.1) or the message's framing, so nobody may configure it. */
export function isConnectionHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return names.has(lower) || lower.startsWith('proxy-');
}
