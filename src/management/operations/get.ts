import { setImmediate as turn } from 'node:timers/promises';
import { Type } from 'typebox';
import type { Entity } from '../../entities/entity.ts';
import { listTextOf } from '../../entities/list-text-of.ts';
import { invalid, type Refusal } from '../../fields/fault.ts';
import type { Bearer } from '../../store/identity/interface.ts';
import type { Filter } from '../../store/interface.ts';
import type { Answer, Context } from '../context.ts';
import { reader } from '../endpoint/access.ts';
import { type Call, defineEndpoint } from '../endpoint/endpoint.ts';
import { compileFigures } from '../figures.ts';
import { findAsOf } from '../history/as-of.ts';
import { entityTag, isNotModified } from '../http/entity-tag.ts';
import { findPage, listedObjects } from '../listing/list-answer.ts';
import { notFoundFault } from '../post-answer.ts';
import { compilePresenter } from '../present.ts';
import { answerSchema, chosenSchema } from '../schemas.ts';
import { compileWarnings, warningsOf } from '../warnings.ts';
import { type EntityOperation, operationOn, storedObject } from './entity-operation.ts';
import { answerExample } from './examples.ts';
import { type Fetch, fetchOf, fetchParameters } from './fetch-parameters.ts';

/** Enough to be fast, few enough that other requests hardly wait. */
const rowsPerPage = 200;

async function* withText(json: string, name: string, parts: AsyncIterable<string>): AsyncGenerator<string> {
  const head = `${json.slice(0, -1)},${JSON.stringify(name)}:"`;
  let before = head;
  for await (const part of parts) {
    yield before + JSON.stringify(part).slice(1, -1);
    before = '\\n';
    await turn();
  }
  yield before === head ? `${head}"}` : '"}';
}

function find(entity: Entity, { store }: Context, teamId: number, { filter, asOfMs }: Fetch) {
  if (asOfMs === undefined) return store.find(entity, teamId, filter);
  return findAsOf(store, { entity, teamId, filter, atMs: asOfMs });
}

function isPlain({ filter, asOfMs }: Fetch): boolean {
  const { ownerId, managerId, activeOnly, afterId } = filter;
  return asOfMs === undefined && !ownerId && !managerId && !activeOnly && !afterId;
}

function absent(entity: Entity, { filter, asOfMs }: Fetch): Refusal {
  const { Code, Message } = notFoundFault(entity, filter.id ?? 0);
  return invalid([{ Path: 'Id', Code, Message: asOfMs === undefined ? Message : `${Message} at that time` }]);
}

function compileOne(entity: Entity, context: Context) {
  const present = compilePresenter(entity, 'single');
  const figures = compileFigures(entity, context);
  return async (teamId: number, fetch: Fetch) => {
    const object = await find(entity, context, teamId, fetch);
    if (!object) throw absent(entity, fetch);
    const json = JSON.stringify(present(object, context.links(), await figures.one(object)));
    return { object, json, etag: entityTag(object, json) };
  };
}

function answer(ifNoneMatch: string | undefined, etag: string, body: () => Answer['body']): Answer {
  const headers = { etag };
  return isNotModified(ifNoneMatch, etag) ? { status: 304, body: '', headers } : { body: body(), headers };
}

type ServeOne = (call: Pick<Call<Bearer>, 'caller' | 'ifNoneMatch'>, fetch: Fetch) => Promise<Answer>;

/** As after an update, with current warnings. */
function serveWarned(entity: Entity, context: Context): ServeOne {
  const make = compileOne(entity, context);
  const findWarnings = compileWarnings(entity, context);
  return async ({ caller, ifNoneMatch }, fetch) => {
    const { object, json } = await make(caller.teamId, fetch);
    const { id, document, derived: connections } = object;
    const warnings = await findWarnings(context.store.reads(caller.teamId), { id, document, connections });
    const body = `{"Status":"Ok","${entity.wrapper}":${json},"Warnings":${JSON.stringify(warnings ?? [])}}`;
    return answer(ifNoneMatch, entityTag(object, body), () => body);
  };
}

/** Lists can be long, so they are made each time. */
function serveList(entity: Entity, context: Context, textName: string): ServeOne {
  const make = compileOne(entity, context);
  return async ({ caller, ifNoneMatch }, fetch) => {
    const { object, json, etag } = await make(caller.teamId, fetch);
    const text = () => context.store.text(entity, object.id, object.revision);
    return answer(ifNoneMatch, etag, () => (fetch.isWithoutText ? json : withText(json, textName, text())));
  };
}

/** Current, unfiltered objects are made once per state of the database. */
function serveObject(entity: Entity, context: Context): ServeOne {
  const make = compileOne(entity, context);
  const figures = compileFigures(entity, context);
  const made = async ({ teamId, revision }: Bearer, fetch: Fetch) => {
    const state = await figures.state(revision);
    return context.cache.getOrMake(`${entity.key}/${teamId}/${fetch.filter.id}`, state, async () => {
      const { json, etag } = await make(teamId, fetch);
      return { json, etag };
    });
  };
  return async ({ caller, ifNoneMatch }, fetch) => {
    const { json, etag } = await (isPlain(fetch) ? made(caller, fetch) : make(caller.teamId, fetch));
    return answer(ifNoneMatch, etag, () => json);
  };
}

interface Page {
  /** JSON with a comma before each; bytes, so that a repeated array need not be encoded again. */
  readonly json: Buffer;
  readonly length: number;
  readonly lastId: number;
}

function compilePage(entity: Entity, context: Context) {
  const { store, links, cache } = context;
  const present = compilePresenter(entity, 'array');
  const figures = compileFigures(entity, context);
  const make = async (teamId: number, filter: Filter, size: number): Promise<Page> => {
    const objects = await store.page(entity, teamId, filter, size);
    const shown = await figures.many(objects);
    const texts = objects.map(
      (object) => `,${JSON.stringify(present(object, links(), shown.get(object.id)))}`,
    );
    const json = Buffer.from(texts.join(''));
    return { json, length: objects.length, lastId: objects.at(-1)?.id ?? 0 };
  };
  return async ({ teamId, revision }: Bearer, filter: Filter, size: number): Promise<Page> => {
    const key = `${entity.key}/${teamId}/${JSON.stringify(filter)}/${size}`;
    return cache.getOrMake(key, await figures.state(revision), () => make(teamId, filter, size));
  };
}

/** Non-empty pages, with a tick between. */
function compilePages(entity: Entity, context: Context) {
  const pageOf = compilePage(entity, context);
  return async function* (bearer: Bearer, { filter, limit }: Fetch): AsyncGenerator<Page> {
    let left = limit === 0 ? Number.POSITIVE_INFINITY : limit;
    let afterId = filter.afterId ?? 0;
    for (;;) {
      const size = Math.min(rowsPerPage, left);
      const page = await pageOf(bearer, { ...filter, afterId }, size);
      if (page.length > 0) yield page;
      left -= page.length;
      if (page.length < size || left === 0) return;
      afterId = page.lastId;
      await turn();
    }
  };
}

function serveMany(entity: Entity, context: Context) {
  const pages = compilePages(entity, context);
  const whole = async function* (bearer: Bearer, fetch: Fetch): AsyncGenerator<string | Buffer> {
    let isFirst = true;
    for await (const { json } of pages(bearer, fetch)) {
      if (isFirst) yield '[';
      yield isFirst ? json.subarray(1) : json;
      isFirst = false;
    }
    yield isFirst ? '[]' : ']';
  };
  return async (caller: Bearer, fetch: Fetch): Promise<Answer> => {
    const { listing, filter, limit } = fetch;
    // Clients that page by AfterId need no headers, and all objects have no next page.
    if (!listing && (limit === 0 || filter.afterId)) return { body: whole(caller, fetch) };
    const asked = listing ?? {
      filter,
      conditions: [],
      words: [],
      sort: [],
      fields: undefined,
      after: undefined,
    };
    const { fields, ...question } = asked;
    const { ids, headers } = await findPage(entity, context, caller, { ...question, limit });
    if (!listing) return { body: whole(caller, fetch), headers };
    return { body: listedObjects(entity, context, caller, { ids, fields }), headers };
  };
}

/** One object whole, or an array of all that match. */
export const get: EntityOperation = (entity) =>
  defineEndpoint({
    ...operationOn(entity, 'get'),
    method: 'GET',
    name: `get${entity.key}s`,
    summary: `Fetch ${entity.title}s`,
    description: `With \`Id\`: that ${entity.title}, in full. Without: an array of all ${entity.title}s of the team that match the other parameters, in order of ID and in a shorter form, or as \`Fields\`, \`Sort\` and \`Filter\` say. With \`Limit\` or one of these, the header \`Bourse-Total\` is their total number, and \`Bourse-Cursor\` says where the next page begins, if there is one. All parameters apply together; 0 is the same as absent. With \`Id\` and \`AsOf\`: the object as it was at that time.`,
    access: reader,
    parameters: fetchParameters(entity),
    etag: 'If-None-Match',
    pages: 'counted',
    returns: {
      description: 'The object, or the array',
      schema: Type.Unsafe<unknown>({
        anyOf: [
          answerSchema(entity, 'single'),
          ...(listTextOf(entity) ? [answerSchema(entity, 'posted')] : []),
          Type.Array(answerSchema(entity, 'array')),
          Type.Array(chosenSchema(entity)),
          ...(warningsOf(entity) ? [storedObject(entity).schema] : []),
        ],
      }),
      examples: {
        one: { summary: 'With Id', value: (links) => answerExample(entity, 'single', links) },
        many: { summary: 'Without Id', value: (links) => [answerExample(entity, 'array', links)] },
      },
    },
    serve(context) {
      const textName = listTextOf(entity)?.name;
      const one =
        textName === undefined ? serveObject(entity, context) : serveList(entity, context, textName);
      const warned = serveWarned(entity, context);
      const many = serveMany(entity, context);
      return async (call): Promise<Answer> => {
        const fetch = fetchOf(entity, call.parameters, context.now());
        if (!fetch.filter.id) return many(call.caller, fetch);
        return fetch.hasWarnings ? warned(call, fetch) : one(call, fetch);
      };
    },
  });
