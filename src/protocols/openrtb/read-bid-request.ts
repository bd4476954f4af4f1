import type { FormFault } from './forms.ts';
import { bidRequest, mediaOf, type ReceivedRequest } from './received-request.ts';

/** A bid request, or why there is none, and the ID that it would have had; `""` where that is none either. */
export type ReadRequest =
  | { readonly request: ReceivedRequest }
  | { readonly fault: FormFault; readonly id: string };

/** Nothing of OpenRTB is deeper; what others put into `ext` is passed on, and must not exhaust a stack there. */
const levelsMax = 40;

const quote = 0x22;
const backslash = 0x5c;
/** This bit makes a brace of a bracket, and is set in a brace. */
const braceBit = 0x20;
const opening = 0x7b;
const closing = 0x7d;

/** Index of the quote that ends the string which begins at `start`; the end of the bytes where none does. */
function stringEnd(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

/** Whether arrays and objects are nested too deeply. Strings are skipped; what is no JSON is not noticed here. */
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

/** What no form of a single member can say. */
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

/** A parsed value as a bid request, or what is wrong with it. The value itself is answered, nothing of it is changed. */
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

/** A body, uncompressed, as a bid request of OpenRTB 2.5 or 2.6, or what is wrong with it. Never throws. */
export function readBidRequest(body: Buffer): ReadRequest {
  if (isTooDeep(body)) return { fault: fault(`at most ${levelsMax} levels`), id: '' };
  const value = parse(body);
  return value === undefined ? { fault: fault('JSON'), id: '' } : asBidRequest(value);
}
