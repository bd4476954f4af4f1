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

/**
 * Whether a header belongs to the connection (RFC 9110, 7.6.1) or says how a message is framed or packed, so that it is
 * the client's own to send: nobody configures it.
 */
export function isConnectionHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return names.has(lower) || lower.startsWith('proxy-');
}
