import type { Lack } from '../../answers/object-health.ts';
import type { Entity } from '../../entities/entity.ts';
import { entityOf } from '../../entities/registry.ts';
import { ownMember } from '../../reference/own-member.ts';
import type { Store, StoredObject } from '../../store/interface.ts';
import { connectedIds, pairFields } from '../pair-fields.ts';
import { type Clock, type RelatedDocument, settingWarningsOf, warningFacts } from '../setting-warnings.ts';

type Reads = ReturnType<Store['reads']>;

/** Each is read once, however many objects are related to it. */
async function relatedTo(
  reads: Reads,
  asked: readonly { readonly to: Entity; readonly ids: readonly number[] }[],
) {
  const found = new Map<string, RelatedDocument>();
  for (const [to, rows] of Map.groupBy(asked, ({ to: entity }) => entity)) {
    const ids = [...new Set(rows.flatMap((row) => row.ids))];
    for (const one of await reads.documents(to, ids)) found.set(`${to.key}/${one.id}`, one);
  }
  return ({ to, ids }: (typeof asked)[number]): readonly RelatedDocument[] =>
    ids.flatMap((id) => found.get(`${to.key}/${id}`) ?? []);
}

/** What readiness depends on, besides connections. */
const settingsOf = ({ fields }: Entity): readonly string[] =>
  Object.entries(fields).flatMap(([name, { place }]) =>
    place.kind === 'document' || place.kind === 'secret' ? [name] : [],
  );

async function lacksOfSome(
  context: Clock & { readonly store: Pick<Store, 'page' | 'reads'> },
  teamId: number,
  entity: Entity,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly Lack[]>> {
  const reads = context.store.reads(teamId);
  const fields = pairFields(entity);
  const read = [...settingsOf(entity), ...fields.map(({ name }) => name)];
  const objects = await context.store.page(entity, teamId, { ids }, ids.length, read);
  const { owner } = entity;
  const ownerOf = ({ document }: StoredObject) =>
    owner ? [{ to: entityOf(owner.entity), ids: [Number(ownMember(document, owner.field))] }] : [];
  const connectedOf = ({ derived }: StoredObject) => connectedIds(fields, derived);
  const find = await relatedTo(
    reads,
    objects.flatMap((object) => [...ownerOf(object), ...connectedOf(object)]),
  );
  const facts = warningFacts(context);
  const lacks = new Map<number, readonly Lack[]>();
  for (const object of objects) {
    const rows = await settingWarningsOf(entity, object.document, facts, {
      owner: async () => ownerOf(object).flatMap(find)[0],
      connected: async () => connectedOf(object).flatMap(find),
    });
    const blocking = rows.filter(({ isBlocking }) => isBlocking);
    if (blocking.length === 0) continue;
    lacks.set(
      object.id,
      blocking.map(({ field, message }) => ({ Field: field, Message: message })),
    );
  }
  return lacks;
}

const idsAtOnce = 500;

/** What keeps each of these from serving, by ID; objects that lack nothing are left out. */
export async function lacksOf(
  context: Parameters<typeof lacksOfSome>[0],
  teamId: number,
  entity: Entity,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly Lack[]>> {
  const lacks = new Map<number, readonly Lack[]>();
  for (let from = 0; from < ids.length; from += idsAtOnce) {
    const some = await lacksOfSome(context, teamId, entity, ids.slice(from, from + idsAtOnce));
    for (const [id, lack] of some) lacks.set(id, lack);
  }
  return lacks;
}
