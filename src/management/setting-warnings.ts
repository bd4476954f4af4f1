import { Type } from 'typebox';
import { closedObject, named } from '../answers/wire-schema.ts';
import type { Entity } from '../entities/entity.ts';
import { settingsFiller } from '../entities/filled-settings.ts';
import { entities, entityOf } from '../entities/registry.ts';
import type { RelatedObject, SettingWarning, WarningFacts } from '../entities/setting-warning.ts';
import { pathOf } from '../fields/fault.ts';
import { ownMember } from '../reference/own-member.ts';
import type { TeamReads, Values, WholeDocument } from '../store/interface.ts';
import type { WrittenObject } from './exchange/pair-warnings.ts';
import { connectedIds, pairFields } from './pair-fields.ts';

/** About a value of the object itself. */
export const settingWarningSchema = named(
  'SettingWarning',
  closedObject({
    Path: Type.String({ description: 'Path of the value that it is about, as in faults' }),
    Message: Type.String({ description: 'The problem, and what would solve it' }),
    Blocking: Type.Optional(
      Type.Literal(1, {
        type: 'integer',
        description: '1 = the object is not ready to serve until it is solved',
      }),
    ),
  }),
);

/** As the object is stored, with its kind. */
export interface RelatedDocument {
  readonly entity: string;
  readonly status: number;
  readonly document: Values;
}

/** Asked only if a row depends on it. */
export interface Relations {
  readonly owner: () => Promise<RelatedDocument | undefined>;
  /** Those of the other side. */
  readonly connected: () => Promise<readonly RelatedDocument[]>;
}

/** Milliseconds since 1970. */
export interface Clock {
  readonly now: () => number;
}

const fillers = new Map(entities.map((entity) => [entity.key, settingsFiller(entity)]));
const filled = (entity: string, document: Values): Values => fillers.get(entity)?.(document) ?? document;

const related = ({ entity, status, document }: RelatedDocument): RelatedObject => ({
  isActive: status === 0,
  values: filled(entity, document),
});

export const warningFacts = ({ now }: Clock): WarningFacts => ({
  nowMs: now(),
});

const holdsFor = ({ whenConnected, orNone }: SettingWarning, connected: readonly RelatedObject[]): boolean =>
  !whenConnected || (connected.length > 0 ? connected.every(whenConnected) : orNone === true);

/** Those of an entity's rows that hold. */
export async function settingWarningsOf(
  { key, warnings = [] }: Entity,
  document: Values,
  facts: WarningFacts,
  relations: Relations,
): Promise<readonly SettingWarning[]> {
  const values = filled(key, document);
  const holding = warnings.filter(({ when }) => when(values, facts));
  const owner = holding.some(({ whenOwner }) => whenOwner) ? await relations.owner() : undefined;
  const ofOwner = holding.filter(({ whenOwner }) => !whenOwner || (owner && whenOwner(related(owner))));
  if (ofOwner.every(({ whenConnected }) => !whenConnected)) return ofOwner;
  const connected = (await relations.connected()).map(related);
  return ofOwner.filter((row) => holdsFor(row, connected));
}

type Documents = Pick<TeamReads, 'documents'>;

async function ownerOf(
  reads: Documents,
  { owner }: Entity,
  document: Values,
): Promise<WholeDocument | undefined> {
  if (!owner) return undefined;
  const [found] = await reads.documents(entityOf(owner.entity), [Number(ownMember(document, owner.field))]);
  return found;
}

/** As the entity's rows declare them. */
export function settingWarnings(entity: Entity, context: Clock) {
  const { wrapper } = entity;
  const fields = pairFields(entity);
  return async (reads: Documents, { document, connections }: WrittenObject): Promise<object[]> => {
    const relations: Relations = {
      owner: () => ownerOf(reads, entity, document),
      async connected() {
        const named = connectedIds(fields, connections);
        return (await Promise.all(named.map(({ to, ids }) => reads.documents(to, ids)))).flat();
      },
    };
    const found = await settingWarningsOf(entity, document, warningFacts(context), relations);
    return found.map(({ field, message, isBlocking }) => ({
      Path: pathOf(wrapper, field),
      Message: message,
      ...(isBlocking && { Blocking: 1 }),
    }));
  };
}
