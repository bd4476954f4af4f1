import { Type } from 'typebox';
import { closedObject, named } from '../answers/wire-schema.ts';
import type { Entity } from '../entities/entity.ts';
import { settingsFiller } from '../entities/filled-settings.ts';
import { pathOf } from '../fields/fault.ts';
import type { WrittenObject } from './exchange/pair-warnings.ts';

/** About a value of the object itself. */
export const settingWarningSchema = named(
  'SettingWarning',
  closedObject({
    Path: Type.String({ description: 'Path of the value that it is about, as in faults' }),
    Message: Type.String({ description: 'The problem, and what would solve it' }),
  }),
);

/** As the entity's rows declare them. */
export function settingWarnings(entity: Entity) {
  const { warnings = [], wrapper } = entity;
  const fill = settingsFiller(entity);
  return (_reads: unknown, { document }: WrittenObject): Promise<object[]> | undefined => {
    const values = fill(document);
    const found = warnings.filter(({ when }) => when(values));
    if (found.length === 0) return undefined;
    return Promise.resolve(
      found.map(({ field, message }) => ({ Path: pathOf(wrapper, field), Message: message })),
    );
  };
}
