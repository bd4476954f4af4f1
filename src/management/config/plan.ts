import { entities } from '../../entities/registry.ts';
import type { WarningFacts } from '../../entities/setting-warning.ts';
import { type Fault, faultsShownMax, invalid, pathOf } from '../../fields/fault.ts';
import { ownMember } from '../../reference/own-member.ts';
import type { TeamReads } from '../../store/interface.ts';
import { storeFaults, uniquenessFaults, withWrapperPath } from '../object-input.ts';
import { pairFields } from '../pair-fields.ts';
import { type RelatedDocument, settingWarningsOf } from '../setting-warnings.ts';
import { changesOf } from './changes.ts';
import type { Draft, Drafts } from './draft.ts';
import type { Managers } from './managers.ts';
import { type Connections, indexDrafts, mergeConnections, nameFaults } from './merge-connections.ts';
import { numberedKey, readKey } from './object-key.ts';
import type { Change, ConfigPlan, PlanEntry, PlanWarning } from './plan-entry.ts';
import { readTeam, type TeamObject, type TeamObjects } from './team-objects.ts';
import { withPauses } from './with-pauses.ts';

export interface PlannedObject {
  readonly draft: Draft;
  readonly current: TeamObject | undefined;
  readonly connections: Connections;
  /** Empty for a new object. */
  readonly changes: readonly Change[];
}

export interface Plan extends ConfigPlan {
  readonly team: TeamObjects;
  readonly planned: readonly PlannedObject[];
  readonly toDeactivate: readonly TeamObject[];
}

export interface PlanOptions {
  readonly managers: Managers;
  /** True: deactivates active objects that are not in the document. */
  readonly deactivateMissing: boolean;
  readonly facts: WarningFacts;
}

function keyFaults(drafts: readonly Draft[], team: TeamObjects): Fault[] {
  const added = new Map<string, number>();
  return drafts.flatMap(({ entity, key, path }): Fault[] => {
    if (team.find(entity.key, key)) return [];
    const { name, n } = readKey(key) ?? { name: key, n: 1 };
    const slot = JSON.stringify([entity.key, name]);
    const next = (added.get(slot) ?? team.named(entity.key, name)) + 1;
    added.set(slot, next);
    if (n === next) return [];
    const Message = `is new and would get the key "${numberedKey(name, next)}"; give it that Key`;
    return [{ Path: pathOf(path, 'Key'), Code: 'format', Message }];
  });
}

function duplicateFaults(drafts: readonly Draft[]): Fault[] {
  const firsts = new Map<string, string>();
  return drafts.flatMap(({ entity, path, input }): Fault[] => {
    const { field = '' } = entity.unique ?? {};
    const value = ownMember(input.valid, field);
    if (typeof value !== 'string') return [];
    const slot = JSON.stringify([entity.key, value]);
    const first = firsts.get(slot);
    firsts.set(slot, first ?? path);
    if (first === undefined) return [];
    const Message = `"${value}" is already taken by ${first}; choose another`;
    return [{ Path: pathOf(path, field), Code: 'taken', Message }];
  });
}

async function valueFaults(reads: TeamReads, draft: Draft, team: TeamObjects): Promise<Fault[]> {
  const { entity, key, path, input } = draft;
  const id = team.find(entity.key, key)?.object.id ?? 0;
  const beside = { input, document: input.document, id };
  return withWrapperPath(entity, path, await storeFaults(reads, entity, beside));
}

/** A unique value may be taken meanwhile, even by another team. */
export async function hasNewConflicts(
  reads: TeamReads,
  { planned }: Pick<Plan, 'planned'>,
): Promise<boolean> {
  const setting = planned.filter(
    ({ draft, current, changes }) => draft.entity.unique && (!current || changes.length > 0),
  );
  for await (const { draft, current } of withPauses(setting)) {
    const faults = await uniquenessFaults(reads, draft.entity, draft.input.valid, current?.object.id ?? 0);
    if (faults.length > 0) return true;
  }
  return false;
}

async function teamFaults(reads: TeamReads, drafts: readonly Draft[], team: TeamObjects) {
  const values: Fault[][] = [];
  for await (const draft of withPauses(drafts)) values.push(await valueFaults(reads, draft, team));
  return [
    ...keyFaults(drafts, team),
    ...duplicateFaults(drafts),
    ...nameFaults(drafts, team),
    ...values.flat(),
  ];
}

function entryOf(
  Operation: PlanEntry['Operation'],
  { entity, key }: Pick<TeamObject, 'entity' | 'key'>,
  held: TeamObject | undefined,
  Changes: readonly Change[] = [],
): PlanEntry {
  return { Operation, Entity: entity.key, Key: key, Id: held?.object.id ?? 0, Changes };
}

function entriesOf({ draft, current, changes }: PlannedObject): PlanEntry[] {
  const { status } = draft;
  const entry = (Operation: PlanEntry['Operation']) => entryOf(Operation, draft, current);
  return [
    ...(current ? [] : [entry('add')]),
    ...(changes.length > 0 ? [entryOf('update', draft, current, changes)] : []),
    ...(status === (current?.object.status ?? 0) ? [] : [entry(status === 0 ? 'activate' : 'deactivate')]),
  ];
}

function missingFrom(drafts: readonly Draft[], team: TeamObjects): TeamObject[] {
  const named = indexDrafts(drafts);
  return entities.flatMap((entity) => team.of(entity.key).filter(({ key }) => !named.find(entity.key, key)));
}

const warningsMax = 100;

/** Finds an object as it is to be. */
function relatedFinder(planned: readonly PlannedObject[], team: TeamObjects) {
  const index = indexDrafts(planned.map(({ draft }) => draft));
  return (entity: string, key: string): readonly RelatedDocument[] => {
    const draft = index.find(entity, key);
    if (draft) return [{ entity, status: draft.status, document: draft.input.document }];
    const object = team.find(entity, key)?.object;
    return object ? [{ entity, ...object }] : [];
  };
}

/** Of objects in the document; connected ones may be those of the team. */
async function warningsOf(
  planned: readonly PlannedObject[],
  team: TeamObjects,
  facts: WarningFacts,
): Promise<PlanWarning[]> {
  const find = relatedFinder(planned, team);
  const warnings: PlanWarning[] = [];
  for await (const { draft, connections } of withPauses(planned)) {
    const { entity, key, input } = draft;
    const found = await settingWarningsOf(entity, input.document, facts, {
      owner: async () => {
        const { entity: owner = '' } = entity.owner ?? {};
        return find(owner, ownMember(draft.references, owner) ?? '')[0];
      },
      connected: async () =>
        pairFields(entity).flatMap(({ name, to }) =>
          (ownMember(connections, name) ?? []).flatMap((other) => find(to.key, other)),
        ),
    });
    for (const { field, message } of found) {
      warnings.push({ Entity: entity.key, Key: key, Field: field, Message: message });
      if (warnings.length === warningsMax) return warnings;
    }
  }
  return warnings;
}

/** Refuses with `invalid` and all faults, known ones included. */
export async function makePlan(
  reads: TeamReads,
  { drafts, faults: known }: Drafts,
  { managers, deactivateMissing, facts }: PlanOptions,
): Promise<Plan> {
  // With so many faults, the rest of the document was not read.
  if (known.length > faultsShownMax) throw invalid(known);
  const team = await readTeam(reads);
  const { connectionsOf, faults: contradictions } = mergeConnections(drafts, team);
  const faults = [...known, ...contradictions, ...(await teamFaults(reads, drafts, team))];
  if (faults.length > 0) throw invalid(faults);
  const planned: PlannedObject[] = [];
  for await (const draft of withPauses(drafts)) {
    const current = team.find(draft.entity.key, draft.key);
    const connections = connectionsOf(draft);
    const reading = { reads, team, managers };
    const changes = current ? await changesOf(reading, { draft, current, connections }) : [];
    planned.push({ draft, current, connections, changes });
  }
  const missing = missingFrom(drafts, team);
  const leaving = new Set(deactivateMissing ? missing.filter(({ object }) => object.status === 0) : []);
  const rest = missing.map((held) => entryOf(leaving.has(held) ? 'deactivate' : 'unmanaged', held, held));
  const entries = [...planned.flatMap(entriesOf), ...rest];
  return {
    team,
    planned,
    toDeactivate: [...leaving],
    entries,
    warnings: await warningsOf(planned, team, facts),
  };
}
