const byteOrderMark = '\uFEFF';
const declarationBytesMax = 100;
const leftAngle = 0x3c;

/** No UTF-8 text begins with these bytes. */
const isUtf16 = (content: Buffer) =>
  (content[0] === 0xff && content[1] === 0xfe) || (content[0] === 0xfe && content[1] === 0xff);

/** XML 1.0 section 4.3.3. */
function declaredIn(content: Buffer): string | undefined {
  if (content[0] !== leftAngle) return undefined;
  const start = content.toString('latin1', 0, declarationBytesMax);
  return /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(start)?.[1];
}

/** By byte order mark, else content type, else XML declaration (RFC 7303 section 3). */
function charsetOf(content: Buffer, contentType: string): string | undefined {
  if (isUtf16(content)) return content[0] === 0xff ? 'utf-16le' : 'utf-16be';
  return /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1] ?? declaredIn(content);
}

function decodedAs(content: Buffer, charset: string): string | undefined {
  try {
    return new TextDecoder(charset).decode(content);
  } catch {
    return undefined;
  }
}

/** Without the byte order mark; UTF-8 unless another known encoding is named. */
export function decode(content: Buffer, contentType: string): string {
  const charset = charsetOf(content, contentType);
  const isOther = charset !== undefined && !/^(?:utf-?8|us-ascii)$/i.test(charset);
  const text = (isOther ? decodedAs(content, charset) : undefined) ?? content.toString('utf8');
  return text.startsWith(byteOrderMark) ? text.slice(1) : text;
}
