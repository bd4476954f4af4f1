import { createRecentCache } from '../../../../shared/recent-cache.ts';
import type { OutboundRequest } from '../../demand-kind.ts';
import type { Target } from '../target.ts';

const encodings = 'gzip, deflate, br';

/** A token (RFC 9110 section 5.6.2), and a value without line breaks (section 5.5). */
const validName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const validValue = /^[\t\x20-\x7e\x80-\xff]*$/;
const validTarget = /^[\x21-\x7e]+$/;
/** Fields that this client writes itself: a second one would tell another length or host. */
const ownNames =
  /^(?:host|connection|content-length|transfer-encoding|keep-alive|upgrade|te|trailer|expect)$/i;

/** What of a request would break it: a header's name, or the URL; undefined where nothing does. */
function wrongIn({ headers }: OutboundRequest, { host, path }: Target): string | undefined {
  if (!validTarget.test(path) || !validTarget.test(host)) return 'URL';
  for (const name in headers) {
    if (!validName.test(name) || ownNames.test(name) || !validValue.test(headers[name] ?? '')) return name;
  }
  return undefined;
}

/** The head of a request, up to the value of `content-length` where it has a body, else to its end. */
function headText({ method, headers }: OutboundRequest, { host, path }: Target): string {
  let text = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n`;
  for (const name in headers) text += `${name}: ${headers[name]}\r\n`;
  if (!('accept-encoding' in headers)) text += `accept-encoding: ${encodings}\r\n`;
  return method === 'POST' ? `${text}content-length: ` : `${text}${lineEnd}`;
}

const lineEnd = '\r\n';
const headEnd = '\r\n\r\n';
const lengthDigitsMax = 10;

function withBody(head: Uint8Array, body: string | Uint8Array): Buffer {
  const content = typeof body === 'string' ? Buffer.from(body) : body;
  const bytes = Buffer.allocUnsafe(head.length + lengthDigitsMax + headEnd.length + content.length);
  bytes.set(head);
  const bodyAt = head.length + bytes.write(`${content.length}${headEnd}`, head.length, 'latin1');
  bytes.set(content, bodyAt);
  return bytes.subarray(0, bodyAt + content.length);
}

interface KnownRequest {
  readonly target: Target;
  readonly headers: OutboundRequest['headers'];
  readonly head: Buffer;
}

const knownMax = 4_096;

/**
 * Writes requests as bytes, to be sent in one write. Heads of POST are remembered: they are the same in every call of an
 * object. Returns the name of what is wrong (a header, `URL`) where that would break the request, so that nothing is sent.
 */
export function createRequestBytes() {
  const known = createRecentCache<string, KnownRequest>(knownMax);
  const makeHead = (request: OutboundRequest, target: Target): Buffer | string =>
    wrongIn(request, target) ?? Buffer.from(headText(request, target), 'latin1');
  const headOf = (request: OutboundRequest, target: Target): Buffer | string => {
    const made = known.get(request.url);
    if (made?.target === target && made.headers === request.headers) return made.head;
    const head = makeHead(request, target);
    if (typeof head === 'string') return head;
    known.set(request.url, { target, headers: request.headers, head });
    return head;
  };
  return (request: OutboundRequest, target: Target): Buffer | string => {
    if (request.method === 'GET') return makeHead(request, target);
    const head = headOf(request, target);
    return typeof head === 'string' ? head : withBody(head, request.body ?? '');
  };
}
