import { Type } from 'typebox';
import { closedObject, named } from '../answers/wire-schema.ts';
import type { Entity } from '../entities/entity.ts';
import { settingsFiller } from '../entities/filled-settings.ts';
import { entities } from '../entities/registry.ts';
import type { SettingWarning } from '../entities/setting-warning.ts';
import { pathOf } from '../fields/fault.ts';
import type { TeamReads, Values } from '../store/interface.ts';
import { connectedIds, pairFields, type WrittenObject } from './exchange/pair-warnings.ts';

/** About a value of the object itself. */
export const settingWarningSchema = named(
  'SettingWarning',
  closedObject({
    Path: Type.String({ description: 'Path of the value that it is about, as in faults' }),
    Message: Type.String({ description: 'The problem, and what would solve it' }),
  }),
);

/** As the object is stored, with its kind. */
export interface ConnectedDocument {
  readonly entity: string;
  readonly document: Values;
}

const fillers = new Map(entities.map((entity) => [entity.key, settingsFiller(entity)]));
const filled = (entity: string, document: Values): Values => fillers.get(entity)?.(document) ?? document;

/** Those of an entity's rows that hold. `connectedOf` is asked only if one depends on connected objects. */
export async function settingWarningsOf(
  { key, warnings = [] }: Entity,
  document: Values,
  connectedOf: () => Promise<readonly ConnectedDocument[]>,
): Promise<readonly SettingWarning[]> {
  const values = filled(key, document);
  const holding = warnings.filter(({ when }) => when(values));
  if (holding.every(({ whenConnected }) => whenConnected === undefined)) return holding;
  const connected = (await connectedOf()).map((one) => filled(one.entity, one.document));
  return holding.filter(
    ({ whenConnected }) => !whenConnected || (connected.length > 0 && connected.every(whenConnected)),
  );
}

/** As the entity's rows declare them. */
export function settingWarnings(entity: Entity) {
  const { warnings = [], wrapper, key } = entity;
  const fields = pairFields(entity);
  return (
    reads: Pick<TeamReads, 'documents'>,
    { document, connections }: WrittenObject,
  ): Promise<object[]> | undefined => {
    const values = filled(key, document);
    if (!warnings.some(({ when }) => when(values))) return undefined;
    const connectedOf = async () => {
      const named = connectedIds(fields, connections);
      return (await Promise.all(named.map(({ to, ids }) => reads.documents(to, ids)))).flat();
    };
    return settingWarningsOf(entity, document, connectedOf).then((found) =>
      found.map(({ field, message }) => ({ Path: pathOf(wrapper, field), Message: message })),
    );
  };
}
