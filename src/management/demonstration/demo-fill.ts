import type { Entity } from '../../entities/entity.ts';
import { entities, entityOf } from '../../entities/registry.ts';
import { invalid } from '../../fields/fault.ts';
import type { Actor, DemoTag, StoredObject, Transaction } from '../../store/interface.ts';
import { type Check, compileCheck } from '../input/validation.ts';
import { readInput } from '../object-input.ts';
import { addObject } from '../operations/add.ts';
import { compilePresenter, type Links } from '../present.ts';
import { addSchema } from '../schemas.ts';
import { makeSecret } from '../secrets.ts';
import { type DemoRow, type DemoSetting, demoSetting } from './demo-row.ts';

const vastTag = entityOf('VastTag');

const checks = new Map<Entity, Check>();

function checkOf(entity: Entity): Check {
  const check = checks.get(entity) ?? compileCheck(addSchema(entity));
  checks.set(entity, check);
  return check;
}

type CreatedObjects = ReadonlyMap<DemoRow, StoredObject>;

async function assertTeamEmpty(transaction: Transaction, { teamId }: Actor): Promise<void> {
  for (const entity of entities) {
    const found = await transaction.page(entity, {}, 1);
    if (found.length === 0) continue;
    const Message = `Team ${teamId} has objects already (${entity.title}), and the demonstration needs a team without any`;
    throw invalid([{ Path: '', Code: 'wrong_state', Message }]);
  }
}

async function addRows(
  transaction: Transaction,
  { userId }: Actor,
  rows: readonly DemoRow[],
  setting: DemoSetting,
): Promise<CreatedObjects> {
  const ids = new Map<string, number>();
  const added = new Map<DemoRow, StoredObject>();
  const idOf = (name: string): number => {
    const id = ids.get(name);
    if (id === undefined) throw new Error(`no row above is named ${name}`);
    return id;
  };
  for (const row of rows) {
    const { name, entity, values } = row;
    const sent = { ...values(idOf, setting) };
    const input = await readInput(entity, { sent, faults: [] }, checkOf(entity), true);
    const warningsOf = () => undefined;
    const { object } = await addObject(transaction, entity, { input, userId, warningsOf });
    ids.set(name, object.id);
    added.set(row, object);
  }
  return added;
}

/** As the player's page has it. */
export function demoTag(tag: StoredObject, links: Links): DemoTag {
  const shown = compilePresenter(vastTag, 'single')(tag, links);
  const [zone] = shown.ZoneUrls as readonly { readonly ZoneUrl: string }[];
  return { id: tag.id, name: String(shown.Name), zoneUrl: zone?.ZoneUrl ?? '' };
}

function tagsOf(added: CreatedObjects, links: Links): DemoTag[] {
  return [...added].flatMap(([{ entity }, object]) =>
    entity.key === vastTag.key ? [demoTag(object, links)] : [],
  );
}

/** In the transaction; returns its VAST tags. Refuses with `invalid` if the team has objects. */
export async function fillDemo(
  transaction: Transaction,
  actor: Actor,
  rows: readonly DemoRow[],
  { links, nowMs }: { readonly links: Links; readonly nowMs: number },
): Promise<readonly DemoTag[]> {
  await assertTeamEmpty(transaction, actor);
  const demonstration = { url: links.baseUrl, key: makeSecret() };
  const added = await addRows(transaction, actor, rows, demoSetting(demonstration, nowMs));
  const tags = tagsOf(added, links);
  await transaction.setDemonstration({ teamId: actor.teamId, ...demonstration, tags });
  return tags;
}
