import type { FormFault } from './forms.ts';
import { bidRequest, mediaOf, type ReceivedRequest } from './received-request.ts';

/** A bid request, or what is wrong with it and its ID, `""` if it has none. */
export type ReadRequest =
  | { readonly request: ReceivedRequest }
  | { readonly fault: FormFault; readonly id: string };

/** OpenRTB itself is never nested deeper. What others put into `ext` is passed on, and must not exhaust the stack. */
const levelsMax = 40;

const quote = 0x22;
const backslash = 0x5c;
/** Set, this bit makes `{` of `[` and `}` of `]`; braces have it already. */
const braceBit = 0x20;
const opening = 0x7b;
const closing = 0x7d;

/** Index of the quote that ends the string that begins at `start`; at least the bytes' length if it does not end. */
function stringEnd(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

/** Whether arrays and objects are nested too deeply. Strings are skipped. It does not check whether it is JSON. */
function isTooDeep(bytes: Uint8Array): boolean {
  let level = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    const brace = byte | braceBit;
    if (byte === quote) at = stringEnd(bytes, at);
    else if (brace === opening) level += 1;
    else if (brace === closing) level -= 1;
    if (level > levelsMax) return true;
  }
  return false;
}

const fault = (wanted: string, path = ''): FormFault => ({ wanted, path });

/** Faults that only show in several members together. */
function faultOfWhole(request: ReceivedRequest): FormFault | undefined {
  if (request.site && request.app) return fault('a site or an app, not both', 'app');
  const ids = new Set<string>();
  for (const [index, imp] of request.imp.entries()) {
    if (mediaOf(imp).length === 0)
      return fault('banner, video, audio, native or the sign of a pop', `imp[${index}]`);
    if (ids.has(imp.id)) return fault('an ID of its own', `imp[${index}].id`);
    ids.add(imp.id);
  }
  return undefined;
}

function idIn(value: unknown): string {
  const { id }: { id?: unknown } = Object(value);
  return typeof id === 'string' ? id : '';
}

/** A parsed value as a bid request, or what is wrong with it. The request is the value itself, unchanged. */
export function asBidRequest(value: unknown): ReadRequest {
  const request = value as ReceivedRequest;
  const wrong = bidRequest(value) ?? faultOfWhole(request);
  return wrong ? { fault: wrong, id: idIn(value) } : { request };
}

const byteOrderMark = '\ufeff';

function parse(body: Buffer): unknown {
  const text = body.toString();
  try {
    return JSON.parse(text.startsWith(byteOrderMark) ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}

/** Reads a decompressed body as a bid request of OpenRTB 2.5 or 2.6, or says what is wrong with it. Never throws. */
export function readBidRequest(body: Buffer): ReadRequest {
  if (isTooDeep(body)) return { fault: fault(`at most ${levelsMax} levels`), id: '' };
  const value = parse(body);
  return value === undefined ? { fault: fault('JSON'), id: '' } : asBidRequest(value);
}
