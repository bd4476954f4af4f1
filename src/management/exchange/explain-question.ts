import { type TSchema, Type } from 'typebox';
import { entityOf } from '../../entities/registry.ts';
import { type Fault, invalid } from '../../fields/fault.ts';
import { intMax } from '../../fields/number.ts';
import type { BidRequest } from '../../protocols/openrtb/objects/request.ts';
import { asBidRequest } from '../../protocols/openrtb/read-bid-request.ts';
import { closedObject } from '../endpoint/wire-schema.ts';
import { isObject } from '../input/wrapper.ts';

/** A request to a supply object: one of the object's URLs with its macros filled, or a bid request. */
export type AskedRequest =
  | { readonly url: string; readonly openRtb?: undefined }
  | { readonly openRtb: BidRequest; readonly url?: undefined };

/** A request to a supply object of a team, to be explained; without one, the request that was seen last. */
export interface ExplainQuestion {
  readonly teamId: number;
  readonly kind: ExplainedKind;
  readonly id: number;
  readonly request: AskedRequest | undefined;
}

type Read<T> = T | readonly Fault[];

const isFaults = (read: Read<unknown>): read is readonly Fault[] => Array.isArray(read);

const urlCharactersMax = 65_536;

/**
 * Reads a URL with a query that leads to a door of the object's kind. Where its parameter names an object, that must be
 * this one: the URL of another would be explained as this one's.
 */
function readUrlWith(parameter: 'zone' | 'feed', ...doors: readonly string[]) {
  return (url: unknown, id: number): Read<AskedRequest> => {
    if (typeof url === 'string' && url.length <= urlCharactersMax) {
      const query = url.indexOf('?');
      const named = new URLSearchParams(url.slice(query)).get(parameter);
      const isHere = query !== -1 && doors.some((door) => url.slice(0, query).endsWith(door));
      if (isHere && (named === null || named === String(id))) return { url };
    }
    const Message = `must be a ${parameter} URL of the object, its macros filled`;
    return [{ Path: 'Request.Url', Code: 'format', Message }];
  };
}

function readOpenRtb(value: unknown): Read<AskedRequest> {
  const read = asBidRequest(value);
  if ('request' in read) return { openRtb: read.request };
  const { path, wanted } = read.fault;
  const Path = ['Request.OpenRtb', path].filter((part) => part !== '').join('.');
  return [{ Path, Code: 'format', Message: `must be ${wanted} (OpenRTB 2.6)` }];
}

const url = (description: string) => Type.String({ description });
const openRtb = Type.Unsafe<object>({
  type: 'object',
  description: 'A bid request of OpenRTB 2.5 or 2.6; of several impressions the first is explained',
});

/**
 * The kinds of supply: their title in refusals, the member of `Request` that holds a request to them, its reader and
 * its schema.
 */
const supplies = {
  VastTag: {
    title: 'a VAST Tag',
    member: 'Url',
    read: readUrlWith('zone', '/vast'),
    schema: url('A zone URL of the tag, its macros filled as a player would'),
  },
  RtbEp: { title: 'an RTB EP', member: 'OpenRtb', read: readOpenRtb, schema: openRtb },
  PopFeed: {
    title: 'a Pop Feed',
    member: 'Url',
    read: readUrlWith('feed', '/pop', '/direct'),
    schema: url('A feed URL or direct link of the feed, its macros filled'),
  },
  BannerEp: {
    title: 'a Banner EP',
    member: 'Url',
    read: readUrlWith('zone', '/banner'),
    schema: url('A zone URL of the Banner EP, its macros filled as a page would'),
  },
} as const;

/** Kinds of supply whose requests are explained. */
export type ExplainedKind = keyof typeof supplies;

/** The keys of all these kinds. */
export const explainedKinds = Object.keys(supplies) as readonly ExplainedKind[];

const lastSeen = 'What is asked; without it, the last request to the object that was seen, as if it came now';

/** Schema of a request to one kind of supply, in its own form. */
function questionTo(kind: ExplainedKind): TSchema {
  const { member, schema } = supplies[kind];
  const Id = Type.Integer({ minimum: 1, description: `ID of the ${entityOf(kind).title}` });
  return closedObject({
    [kind]: closedObject({ Id }),
    Request: Type.Optional(closedObject({ [member]: schema }, lastSeen)),
  });
}

/** Schema of a request to any kind of supply. */
export const questionSchema = Type.Unsafe<unknown>({ oneOf: explainedKinds.map(questionTo) });

const expected = `the body must be an object with one of ${explainedKinds.map((kind) => `\`${kind}\``).join(', ')}, and \`Request\` or none`;

/** What refusals call a kind of supply, as `a VAST Tag`. */
const titleOf = (kind: ExplainedKind): string => supplies[kind].title;

function readId(kind: ExplainedKind, supply: unknown): Read<number> {
  const what = titleOf(kind);
  if (!isObject(supply)) {
    return [{ Path: kind, Code: 'type', Message: `must be an object with the Id of ${what}` }];
  }
  const { Id } = supply;
  const isId = Number.isInteger(Id) && Number(Id) > 0 && Number(Id) <= intMax;
  return isId ? Number(Id) : [{ Path: `${kind}.Id`, Code: 'type', Message: `must be the ID of ${what}` }];
}

function readRequest(
  kind: ExplainedKind,
  request: unknown,
  id: Read<number>,
): Read<AskedRequest | undefined> {
  const { member, read } = supplies[kind];
  if (request === undefined) return undefined;
  if (!isObject(request)) {
    return [{ Path: 'Request', Code: 'type', Message: `must be an object with \`${member}\`` }];
  }
  const unknown = Object.keys(request).filter((name) => name !== member);
  if (unknown.length === 0) return isFaults(id) ? undefined : read(request[member], id);
  return unknown.map((name) => ({
    Path: `Request.${name}`,
    Code: 'unknown_field',
    Message: `is no known member; a request to ${titleOf(kind)} has \`${member}\``,
  }));
}

/** What is to be explained. Refuses anything but a request to one supply object. */
export function readQuestion(body: unknown): Omit<ExplainQuestion, 'teamId'> {
  if (!isObject(body)) throw invalid([{ Path: '', Code: 'wrapper', Message: expected }]);
  const [kind, ...others] = explainedKinds.filter((name) => Object.hasOwn(body, name));
  if (kind === undefined || others.length > 0) {
    throw invalid([{ Path: '', Code: 'wrapper', Message: expected }]);
  }
  const unknown = Object.keys(body).filter((name) => name !== kind && name !== 'Request');
  const id = readId(kind, body[kind]);
  const request = readRequest(kind, body.Request, id);
  const faults: Fault[] = [
    ...unknown.map(
      (Path): Fault => ({ Path, Code: 'unknown_field', Message: `is no known member; ${expected}` }),
    ),
    ...(isFaults(id) ? id : []),
    ...(isFaults(request) ? request : []),
  ];
  if (isFaults(id) || isFaults(request) || faults.length > 0) throw invalid(faults);
  return { kind, id, request };
}
