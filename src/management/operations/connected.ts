import { Type } from 'typebox';
import { pairRefusalSchema } from '../../answers/explanation.ts';
import { closedObject } from '../../answers/wire-schema.ts';
import type { Entity } from '../../entities/entity.ts';
import { entityOf } from '../../entities/registry.ts';
import { invalid } from '../../fields/fault.ts';
import { intMax } from '../../fields/number.ts';
import { ownMember } from '../../reference/own-member.ts';
import type { Store } from '../../store/interface.ts';
import type { Answer, Context } from '../context.ts';
import { reader } from '../endpoint/access.ts';
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts';
import { number, type ParameterValues, text } from '../endpoint/parameter.ts';
import { neverMatching } from '../exchange/pair-warnings.ts';
import { suggestion } from '../input/validation.ts';
import { cursorParameter, readCursor } from '../listing/cursor.ts';
import { firstPage, type ListPage } from '../listing/list-answer.ts';
import { foldCase } from '../listing/listed-field.ts';
import { comparePositions, type Position, textKey } from '../listing/order.ts';
import { createTimeSlice } from '../listing/time-slice.ts';
import { notFoundFault } from '../post-answer.ts';
import { nameIn, type SearchPage } from '../search/search-page.ts';
import { operationOn } from './entity-operation.ts';

const limitDefault = 50;
const limitMax = 200;
const queryMax = 256;

/** With the entity's key. */
function connectionFields({ fields }: Entity): ReadonlyMap<string, string> {
  const rows = Object.entries(fields).flatMap(([name, { place }]): [string, string][] => {
    if (place.kind === 'connection') return [[name, place.to]];
    return place.kind === 'backReference' ? [[name, place.from]] : [];
  });
  return new Map(rows);
}

function connectedParameters(entity: Entity) {
  const names = [...connectionFields(entity).keys()];
  return {
    Id: { ...number({ help: `ID of the ${entity.title}`, max: intMax }), isRequired: true },
    Field: {
      ...text({
        help: 'The field that names the objects',
        schema: { type: 'string', enum: names },
        example: names[0] ?? '',
        check: (value) =>
          names.includes(value)
            ? undefined
            : {
                Code: 'out_of_range',
                Message: `is not a field of connections${suggestion(value, names)}; possible values: ${names.join(', ')}`,
              },
      }),
      isRequired: true,
    },
    Query: text({
      help: 'Only objects whose name contains this text, ignoring case, or that have this ID',
      schema: { type: 'string', maxLength: queryMax },
      example: 'example',
      check: (value) =>
        value.length > queryMax
          ? { Code: 'too_long', Message: `must have at most ${queryMax} characters` }
          : undefined,
    }),
    Connected: number({
      help: '1 = only those that are connected, 0 = only the others; absent = both',
      max: 1,
    }),
    Limit: number({
      help: `Maximum number of objects, up to ${limitMax}; 0 or absent = ${limitDefault}`,
      max: limitMax,
    }),
    Cursor: cursorParameter,
  };
}

type Sent = ParameterValues<ReturnType<typeof connectedParameters>>;

const connectedSchema = closedObject({
  Id: Type.Integer({ description: 'ID of the object' }),
  Name: Type.String({ description: 'Name of the object' }),
  Status: Type.Integer({ enum: [0, 1], description: '0 = Active, 1 = Inactive' }),
  IsConnected: Type.Integer({ enum: [0, 1], description: '1 = the field names it' }),
  Place: Type.Integer({ description: 'Position in the field, 1 = first; 0 = not connected' }),
  NeverMatches: Type.Array(pairRefusalSchema, {
    description: 'The rule that keeps the two from ever meeting in an auction; empty if they can meet',
  }),
});

async function placesIn(store: Store, teamId: number, entity: Entity, { Id = 0, Field = '' }: Sent) {
  const [object] = await store.page(entity, teamId, { ids: [Id] }, 1, [Field]);
  if (!object) throw invalid([{ ...notFoundFault(entity, Id), Path: 'Id' }]);
  const ids = ownMember(object.derived, Field) as readonly number[];
  return new Map(ids.map((id, index) => [id, index + 1]));
}

/** Connected objects first, in their order; then the others, by name. */
const compare = comparePositions(Array(3).fill({ isDescending: false }));
const isPlace = (place: readonly unknown[]) =>
  place.every((value, index) => typeof value === (index === 2 ? 'string' : 'number'));

/** In batches, with ticks between. */
async function* candidatesOf(
  lots: AsyncIterable<SearchPage>,
  places: ReadonlyMap<number, number>,
  { Query = '', Connected }: Sent,
): AsyncGenerator<readonly Position[]> {
  const part = foldCase(Query);
  const slice = createTimeSlice();
  for await (const page of lots) {
    yield page.ids.flatMap((id, index): Position[] => {
      const place = places.get(id);
      if (Connected !== undefined && (place !== undefined) !== (Connected === 1)) return [];
      const name = nameIn(page, index);
      if (!name.includes(part) && String(id) !== Query) return [];
      return [[place === undefined ? 1 : 0, place ?? 0, textKey(name), id]];
    });
    await slice.rest();
  }
}

/** Only connections between supply and demand can say. */
async function verdicts(
  { store, exchange }: Context,
  teamId: number,
  entity: Entity,
  sent: Sent,
  page: ListPage,
) {
  const { Id = 0, Field = '' } = sent;
  const place = ownMember(entity.fields, Field)?.place;
  if (place?.kind !== 'connection' || place.mirror === undefined) return new Map();
  const reads = store.reads(teamId);
  const [own] = await reads.documents(entity, [Id]);
  return own
    ? neverMatching(reads, exchange.judgePair, own, { to: entityOf(place.to), ids: page.ids })
    : new Map();
}

function compileServe(entity: Entity, context: Context) {
  const { store } = context;
  return async ({ teamId, revision }: { teamId: number; revision: number }, sent: Sent): Promise<Answer> => {
    const { Id, Field = '', Query, Connected, Limit, Cursor } = sent;
    const to = entityOf(connectionFields(entity).get(Field) ?? '');
    const question = [entity.key, Id, Field, Query, Connected];
    const after =
      Cursor === undefined
        ? undefined
        : readCursor<Position>(Cursor, question, { length: 4, isLike: isPlace });
    const places = await placesIn(store, teamId, entity, sent);
    const candidates = candidatesOf(context.texts.of(to, 'names', { teamId, revision }), places, sent);
    const page = await firstPage(candidates, { question, after, limit: Limit || limitDefault, compare });
    const objects = await store.page(to, teamId, { ids: page.ids }, page.ids.length, ['Name']);
    const byId = new Map(objects.map((object) => [object.id, object]));
    const never = await verdicts(context, teamId, entity, sent, page);
    const rows = page.ids.flatMap((id) => {
      const object = byId.get(id);
      if (!object) return [];
      const place = places.get(id) ?? 0;
      const why = never.get(id)?.why;
      return [
        {
          Id: id,
          Name: String(object.document.Name ?? ''),
          Status: object.status,
          IsConnected: place > 0 ? 1 : 0,
          Place: place,
          NeverMatches: why ? [why] : [],
        },
      ];
    });
    return { body: JSON.stringify(rows), headers: page.headers };
  };
}

/** Objects that a field names or could name, by page. */
export function connected(entity: Entity): readonly Endpoint[] {
  if (connectionFields(entity).size === 0) return [];
  const endpoint = defineEndpoint({
    ...operationOn(entity, 'connected'),
    method: 'GET',
    name: `get${entity.key}Connected`,
    summary: `Fetch what is connected to ${entity.title}s`,
    description: `The objects that a field of the ${entity.title} names, in their order, and then those that it could name, by name; in pages, with names, and with the rule that keeps a pair of supply and demand from ever matching. The header \`Bourse-Total\` is their number; \`Bourse-Cursor\` says where the next page begins, if there is one.`,
    access: reader,
    parameters: connectedParameters(entity),
    pages: 'counted',
    returns: {
      description: 'The objects',
      schema: Type.Array(connectedSchema),
      example: () => [{ Id: 1, Name: 'Example', Status: 0, IsConnected: 1, Place: 1, NeverMatches: [] }],
    },
    serve(context) {
      const serve = compileServe(entity, context);
      return ({ caller, parameters }) => serve(caller, parameters);
    },
  });
  return [endpoint];
}
