import { isObject, parseJsonExactly } from '../json.ts';
import { mediaOf, standardMedia } from './imp-media.ts';
import { FormFault } from './member-types.ts';
import { type Imp, imp } from './objects/imp.ts';
import { type BidRequest, bidRequest } from './objects/request.ts';
import { withoutUnfilled } from './without-unfilled.ts';

/** An impression, or one of its media, left out because of a fault. */
export interface DroppedImp {
  /** Counts from 0. */
  readonly index: number;
  /** `""` if it has none. */
  readonly id: string;
  readonly fault: FormFault;
}

/** Without the impressions and media that cannot be answered. */
export interface ValidRequest {
  readonly request: BidRequest;
  readonly dropped: readonly DroppedImp[];
  /** Members that count as absent because of their values, such as `device.ifa`. */
  readonly unfilled: readonly string[];
}

/** A request, or what is wrong with it and its ID (`""` = none). */
export type ReadRequest = ValidRequest | { readonly fault: FormFault; readonly id: string };

/** OpenRTB is never nested deeper; `ext` of others is passed on and must not exhaust the stack. */
const levelsMax = 40;

const quote = 0x22;
const backslash = 0x5c;
/** First byte of brackets and braces. */
const openingBracket = 0x5b;
/** Maps `[` to `{` and `]` to `}`; braces have it already. */
const braceBit = 0x20;
const opening = 0x7b;
const closing = 0x7d;

/** Index of the closing quote; at least the bytes' length if there is none. */
function stringEnd(bytes: Uint8Array, start: number): number {
  const { length } = bytes;
  for (let at = start + 1; at < length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) return at;
    if (byte === backslash) at += 1;
  }
  return length;
}

/** JSON or not. Few comparisons: this is a tenth of the reading. */
function isTooDeep(bytes: Uint8Array): boolean {
  const { length } = bytes;
  let level = 0;
  for (let at = 0; at < length; at += 1) {
    const byte = bytes[at] as number;
    if (byte === quote) at = stringEnd(bytes, at);
    if (byte < openingBracket) continue;
    const brace = byte | braceBit;
    if (brace === closing) level -= 1;
    else if (brace === opening) {
      level += 1;
      if (level > levelsMax) return true;
    }
  }
  return false;
}

const idCharactersMax = 256;

function idIn(value: unknown): string {
  const { id }: { id?: unknown } = Object(value);
  return typeof id === 'string' ? id : '';
}

const places = ['site', 'app', 'dooh'] as const;
const { section } = imp;
const noMedium = new FormFault('banner, video, audio, native or the sign of a pop', '', section);
const sameId = new FormFault('a unique ID', 'id', section);

/** Undefined if the fault is elsewhere, or no medium is left. */
function withoutFaulty(value: unknown, { path }: FormFault): object | undefined {
  const medium = standardMedia.find((name) => path === name || path.startsWith(`${name}.`));
  if (medium === undefined || !isObject(value)) return undefined;
  const isLeft = standardMedia.some((name) => name !== medium && isObject(value[name]));
  return isLeft ? { ...value, [medium]: undefined } : undefined;
}

/** A wrong medium is left out and reported; the others stay. */
function readMedia(value: unknown, faults: FormFault[]): Imp | FormFault {
  const read = imp.read(value);
  if (!(read instanceof FormFault)) return read;
  const rest = withoutFaulty(value, read);
  if (rest === undefined) return faults[0] ?? read;
  faults.push(read);
  return readMedia(rest, faults);
}

/** `ids`: those of the other impressions. */
function readImp(value: unknown, ids: ReadonlySet<string>, faults: FormFault[]): Imp | FormFault {
  const read = readMedia(value, faults);
  if (read instanceof FormFault) return read;
  if (mediaOf(read).length === 0) return noMedium;
  return ids.has(read.id) ? sameId : read;
}

function usableImps(values: readonly unknown[], dropped: DroppedImp[]): Imp[] {
  const ids = new Set<string>();
  const imps: Imp[] = [];
  for (const [index, value] of values.entries()) {
    const faults: FormFault[] = [];
    const read = readImp(value, ids, faults);
    const isRead = !(read instanceof FormFault);
    const id = idIn(value).slice(0, idCharactersMax);
    for (const fault of isRead ? faults : [read]) {
      dropped.push({ index, id, fault: fault.within(`imp[${index}]`) });
    }
    if (!isRead) continue;
    ids.add(read.id);
    imps.push(read);
  }
  return imps;
}

function validRequest(written: unknown): ValidRequest | FormFault {
  const { value, unfilled } = withoutUnfilled(written);
  const request = bidRequest.read(value);
  if (request instanceof FormFault) return request;
  const [, second] = places.filter((place) => request[place] !== undefined);
  if (second) return new FormFault('one of site, app and dooh', second, bidRequest.section);
  const dropped: DroppedImp[] = [];
  const imps = usableImps(request.imp, dropped);
  const [first] = dropped;
  return imps.length === 0 && first ? first.fault : { request: { ...request, imp: imps }, dropped, unfilled };
}

/** Refused as a whole only if no impression, or what is outside them, can be used. */
export function asBidRequest(value: unknown): ReadRequest {
  const read = validRequest(value);
  return read instanceof FormFault ? { fault: read, id: idIn(value) } : read;
}

const byteOrderMark = '\ufeff';

function parse(body: Buffer): unknown {
  const text = body.toString();
  return parseJsonExactly(text.startsWith(byteOrderMark) ? text.slice(1) : text, 'extensions');
}

const tooDeep = new FormFault(`at most ${levelsMax} levels`);
const noJson = new FormFault('JSON');

/** OpenRTB 2.5 or 2.6, decompressed. Never throws. */
export function readBidRequest(body: Buffer): ReadRequest {
  if (isTooDeep(body)) return { fault: tooDeep, id: '' };
  const value = parse(body);
  return value === undefined ? { fault: noJson, id: '' } : asBidRequest(value);
}
