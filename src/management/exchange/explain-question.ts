import { type TSchema, Type } from 'typebox';
import { closedObject } from '../../answers/wire-schema.ts';
import type { Entity } from '../../entities/entity.ts';
import { entities } from '../../entities/registry.ts';
import { withArticle } from '../../entities/with-article.ts';
import { type Fault, invalid } from '../../fields/fault.ts';
import { intMax } from '../../fields/number.ts';
import { isObject } from '../../protocols/json.ts';
import type { BidRequest } from '../../protocols/openrtb/objects/request.ts';
import { asBidRequest } from '../../protocols/openrtb/read-bid-request.ts';
import { type Draft, draftSchema, readDraft, type SentDraft } from './draft.ts';

/** One of the object's URLs with macros filled, or a bid request. */
export type AskedRequest =
  | { readonly url: string; readonly openRtb?: undefined }
  | { readonly openRtb: BidRequest; readonly url?: undefined };

/** Without a request, the last one seen is explained. */
export interface ExplainQuestion {
  readonly teamId: number;
  readonly kind: string;
  readonly id: number;
  readonly request: AskedRequest | undefined;
  readonly draft: Draft | undefined;
}

/** Its draft is not checked yet. */
export interface SentQuestion extends Omit<ExplainQuestion, 'teamId' | 'draft'> {
  readonly draft: SentDraft | undefined;
}

type ReadResult<T> = T | readonly Fault[];

const isFaults = (read: unknown): read is readonly Fault[] => Array.isArray(read);

interface Form {
  /** The member of `Request` that holds it. */
  readonly member: 'Url' | 'OpenRtb';
  readonly schema: TSchema;
  readonly read: (value: unknown, id: number) => ReadResult<AskedRequest>;
}

const urlCharactersMax = 65_536;

/** By the fields that show them: path, and the parameter of the ID. */
function urlsOf({ fields }: Entity) {
  return Object.entries(fields).flatMap(([field, { place }]) => {
    if (place.kind !== 'regionUrls') return [];
    return Object.values(place.templates).flatMap((template) => {
      const [, path = '', parameter = ''] = /^\{RegionUrl\}([^?]+)\?(\w+)=\{Id\}/.exec(template) ?? [];
      return path === '' ? [] : [{ field, path, parameter }];
    });
  });
}

/** If its parameter names an object, it must be the one asked about. */
function urlForm(entity: Entity): Form {
  const urls = urlsOf(entity);
  const fields = [...new Set(urls.map(({ field }) => field))].join(' or ');
  const read: Form['read'] = (url, id) => {
    if (typeof url === 'string' && url.length <= urlCharactersMax) {
      const query = url.indexOf('?');
      const sent = new URLSearchParams(url.slice(query));
      const isHere = urls.some(({ path, parameter }) => {
        const named = sent.get(parameter);
        return url.slice(0, query).endsWith(path) && (named === null || named === String(id));
      });
      if (query !== -1 && isHere) return { url };
    }
    const Message = `must be a ${urls[0]?.parameter} URL of the object, with its macros filled in`;
    return [{ Path: 'Request.Url', Code: 'format', Message }];
  };
  const description = `One of the object's ${fields}, with its macros filled in as a player or a page would do`;
  return { member: 'Url', schema: Type.String({ description }), read };
}

const bidRequestForm: Form = {
  member: 'OpenRtb',
  schema: Type.Unsafe<object>({
    type: 'object',
    description: 'A bid request of OpenRTB 2.5 or 2.6; if it has several impressions, the first is explained',
  }),
  read(value) {
    const read = asBidRequest(value);
    if ('request' in read) return { openRtb: read.request };
    const { path, wanted } = read.fault;
    const Path = ['Request.OpenRtb', path].filter((part) => part !== '').join('.');
    return [{ Path, Code: 'format', Message: `must be ${wanted} (OpenRTB 2.6)` }];
  },
};

const supplies = new Map(
  entities.flatMap((entity) =>
    entity.exchange?.side === 'supply'
      ? [[entity.key, { entity, form: entity.exchange.request === 'Url' ? urlForm(entity) : bidRequestForm }]]
      : [],
  ),
);

type SupplyForm = NonNullable<ReturnType<typeof supplies.get>>;

/** Without the slash; none for bid requests. */
export function zonePathsOf(kind: string): readonly string[] {
  const form = supplies.get(kind);
  return form?.form.member === 'Url'
    ? [...new Set(urlsOf(form.entity).map(({ path }) => path.slice(1)))]
    : [];
}

export const explainedKinds: readonly string[] = [...supplies.keys()];

const lastSeen = 'The request to explain; without it, the last request to the object, as if it came now';

function questionTo({ entity, form: { member, schema } }: SupplyForm): TSchema {
  const { key, title } = entity;
  const Id = Type.Integer({ minimum: 1, description: `ID of the ${title}` });
  return closedObject({
    [key]: closedObject({ Id }),
    Request: Type.Optional(closedObject({ [member]: schema }, lastSeen)),
    Draft: Type.Optional(draftSchema(entity)),
  });
}

/** To any kind of supply. */
export const questionSchema = Type.Unsafe<unknown>({
  oneOf: [...supplies.values()].map((supply) => questionTo(supply)),
});

const expected = `the body must be an object with one of ${explainedKinds.map((kind) => `\`${kind}\``).join(', ')}, and can also have \`Request\` and \`Draft\``;

function readId({ entity }: SupplyForm, supply: unknown): ReadResult<number> {
  const what = withArticle(entity);
  if (!isObject(supply)) {
    return [{ Path: entity.key, Code: 'type', Message: `must be an object with the Id of ${what}` }];
  }
  const { Id } = supply;
  const isId = Number.isInteger(Id) && Number(Id) > 0 && Number(Id) <= intMax;
  return isId
    ? Number(Id)
    : [{ Path: `${entity.key}.Id`, Code: 'type', Message: `must be the ID of ${what}` }];
}

function readRequest(
  { entity, form: { member, read } }: SupplyForm,
  request: unknown,
  id: ReadResult<number>,
): ReadResult<AskedRequest | undefined> {
  if (request === undefined) return undefined;
  if (!isObject(request)) {
    return [{ Path: 'Request', Code: 'type', Message: `must be an object with \`${member}\`` }];
  }
  const unknown = Object.keys(request).filter((name) => name !== member);
  if (unknown.length === 0) return isFaults(id) ? undefined : read(request[member], id);
  return unknown.map((name) => ({
    Path: `Request.${name}`,
    Code: 'unknown_field',
    Message: `is not a known member; a request to ${withArticle(entity)} has \`${member}\``,
  }));
}

/** As `exchange/explain` takes it. Refuses with `invalid`. */
export function readRequestTo(kind: string, id: number, request: unknown): AskedRequest | undefined {
  const supply = supplies.get(kind);
  const read = supply && readRequest(supply, request, id);
  if (isFaults(read)) throw invalid(read);
  return read;
}

const members: readonly string[] = ['Request', 'Draft'];

/** Refuses anything but a request to one supply object. */
export function readQuestion(body: unknown): SentQuestion {
  const kinds = isObject(body) ? explainedKinds.filter((kind) => Object.hasOwn(body, kind)) : [];
  const [kind = ''] = kinds;
  const supply = supplies.get(kind);
  if (!isObject(body) || supply === undefined || kinds.length > 1) {
    throw invalid([{ Path: '', Code: 'wrapper', Message: expected }]);
  }
  const unknown = Object.keys(body).filter((name) => name !== kind && !members.includes(name));
  const id = readId(supply, body[kind]);
  const request = readRequest(supply, body.Request, id);
  const draft = readDraft(supply.entity, body.Draft);
  const faults: Fault[] = [
    ...unknown.map(
      (Path): Fault => ({ Path, Code: 'unknown_field', Message: `is not a known member; ${expected}` }),
    ),
    ...[id, request, draft].flatMap((read) => (isFaults(read) ? read : [])),
  ];
  if (isFaults(id) || isFaults(request) || isFaults(draft) || faults.length > 0) throw invalid(faults);
  return { kind, id, request, draft };
}
