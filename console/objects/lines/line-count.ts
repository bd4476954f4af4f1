import type { Values } from '../../api/objects.ts';
import type { ShownEntity } from '../../field-tables.ts';
import { fieldsOf } from '../../fields.ts';
import { countText } from '../../parts/value-text.ts';

/** How many lines a list has, of all kinds. */
export const lineCountOf = (entity: ShownEntity, object: Values): number =>
  fieldsOf(entity)
    .filter(({ place }) => place === 'lineCount')
    .reduce((sum, { name }) => sum + Number(object[name] ?? 0), 0);

/** So many lines, in words. */
export const linesText = (count: number): string => `${countText(count)} ${count === 1 ? 'line' : 'lines'}`;
