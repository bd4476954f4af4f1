import type { Values } from '../../api/objects.ts';
import { numbersIn } from '../../api/values.ts';
import type { ShownField } from '../../field-tables.ts';

/** The connections of a field before and after a change that ends some of them. */
export interface Cut {
  readonly field: string;
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** What a change disconnects. */
export const cutsIn = (
  fields: readonly Pick<ShownField, 'name' | 'place' | 'section'>[],
  stored: Values,
  changed: Values,
): readonly Cut[] =>
  fields.flatMap(({ name, place, section }) => {
    if (place !== 'connection' || section !== 'Connections' || !(name in changed)) return [];
    const [before, after] = [numbersIn(stored[name]), numbersIn(changed[name])];
    return before.some((id) => !after.includes(id)) ? [{ field: name, before, after }] : [];
  });

export const cutCount = (cuts: readonly Cut[]): number =>
  cuts.reduce((sum, { before, after }) => sum + before.filter((id) => !after.includes(id)).length, 0);

/** What is connected once a cut is undone: as before, unless somebody has changed it since, then what was cut comes back. */
export const restored = ({ before, after }: Cut, now: readonly number[]): readonly number[] =>
  now.join() === after.join() ? before : [...now, ...before.filter((id) => ![...now, ...after].includes(id))];
