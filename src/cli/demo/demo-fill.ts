import type { Entity } from '../../entities/entity.ts';
import { entities, entityOf } from '../../entities/registry.ts';
import { type Check, compileCheck } from '../../management/input/validation.ts';
import { readInput } from '../../management/object-input.ts';
import { addObject } from '../../management/operations/add.ts';
import { compilePresenter, type Links } from '../../management/present.ts';
import { addSchema } from '../../management/schemas.ts';
import type { Actor, DemoTag, Store, StoredObject, Transaction } from '../../store/interface.ts';
import type { DemoRow } from './demo-row.ts';

const vastTag = entityOf('VastTag');

const checks = new Map<Entity, Check>();

function checkOf(entity: Entity): Check {
  const check = checks.get(entity) ?? compileCheck(addSchema(entity));
  checks.set(entity, check);
  return check;
}

type Added = ReadonlyMap<DemoRow, StoredObject>;

async function assertTeamEmpty(transaction: Transaction, { teamId }: Actor): Promise<void> {
  for (const entity of entities) {
    const found = await transaction.page(entity, {}, 1);
    if (found.length === 0) continue;
    throw new Error(
      `Team ${teamId} has objects already (${entity.title}), and demo needs a team without any: name a user of another by --mail, or another database by BOURSE_DATABASE_URL; \`bourse demo --again\` gives a demonstration another address`,
    );
  }
}

async function addRows(
  transaction: Transaction,
  { userId }: Actor,
  rows: readonly DemoRow[],
  { baseUrl }: Links,
): Promise<Added> {
  const ids = new Map<string, number>();
  const added = new Map<DemoRow, StoredObject>();
  const idOf = (name: string): number => {
    const id = ids.get(name);
    if (id === undefined) throw new Error(`no row above is named ${name}`);
    return id;
  };
  for (const row of rows) {
    const { name, entity, values } = row;
    const sent = { ...values(idOf, (path) => baseUrl + path) };
    const input = await readInput(entity, { sent, faults: [] }, checkOf(entity), true);
    const warningsOf = () => undefined;
    const { object } = await addObject(transaction, entity, { input, userId, warningsOf });
    ids.set(name, object.id);
    added.set(row, object);
  }
  return added;
}

/** A VAST tag as the player's page has it. */
export function demoTag(tag: StoredObject, links: Links): DemoTag {
  const shown = compilePresenter(vastTag, 'single')(tag, links);
  const [zone] = shown.ZoneUrls as readonly { readonly ZoneUrl: string }[];
  return { id: tag.id, name: String(shown.Name), zoneUrl: zone?.ZoneUrl ?? '' };
}

function tagsOf(added: Added, links: Links): DemoTag[] {
  return [...added].flatMap(([{ entity }, object]) =>
    entity.key === vastTag.key ? [demoTag(object, links)] : [],
  );
}

/**
 * Adds the rows to a team that has no objects, and makes it a demonstration: all in one transaction. Answers its VAST
 * tags.
 */
export async function fillDemo(
  store: Store,
  actor: Actor,
  rows: readonly DemoRow[],
  links: Links,
): Promise<readonly DemoTag[]> {
  return await store.write(actor, async (transaction) => {
    await assertTeamEmpty(transaction, actor);
    const added = await addRows(transaction, actor, rows, links);
    const { teamId } = actor;
    const tags = tagsOf(added, links);
    await transaction.setDemonstration({ teamId, url: links.baseUrl, tags });
    return tags;
  });
}
