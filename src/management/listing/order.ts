import type { Entity } from '../../entities/entity.ts';
import type { Fault } from '../../fields/fault.ts';
import { ownMember } from '../../reference/own-member.ts';
import type { Values } from '../../store/interface.ts';
import { type Parameter, text } from '../endpoint/parameter.ts';
import { suggestion } from '../input/validation.ts';
import {
  compareScalars,
  foldCase,
  type ListedField,
  listedFields,
  type Scalar,
  scalarsOf,
} from './listed-field.ts';

export interface SortKey {
  readonly name: string;
  /** Of what is compared. */
  readonly of: ListedField['of'];
  readonly rankOf?: ListedField['rankOf'];
  readonly isDescending: boolean;
}

/** The values it is ordered by, and its ID, which decides among equals. */
export type Position = readonly [...keys: Scalar[], id: number];

const keysMax = 5;
/** Longer texts are ordered by their beginning, so that cursors stay short. */
const charactersMax = 100;

/** Of a value that is not there, like a rate of nothing: less than any. */
const absent = { number: -Number.MAX_VALUE, text: '' } as const;

function keyIn(fields: ReadonlyMap<string, ListedField>) {
  return (item: string): SortKey => {
    const isDescending = item.startsWith('-');
    const name = isDescending ? item.slice(1) : item;
    const { of = 'text', rankOf } = fields.get(name) ?? {};
    return { name, of: rankOf ? 'number' : of, rankOf, isDescending };
  };
}

export function sortParameter(entity: Entity): Parameter<readonly SortKey[]> {
  const fields = listedFields(entity);
  const keyOf = keyIn(fields);
  const names = [...fields.values()].flatMap(({ name, isList }) => (isList ? [] : [name]));
  const faultOf = ({ name }: SortKey, index: number, keys: readonly SortKey[]): Fault[] => {
    const Path = `[${index}]`;
    if (keys.findIndex((key) => key.name === name) < index) {
      return [{ Path, Code: 'duplicate', Message: `${name} appears twice; name it once` }];
    }
    if (names.includes(name)) return [];
    const known = fields.has(name) ? `: ${name} is a list, which has no order` : suggestion(name, names);
    return [{ Path, Code: 'unknown_field', Message: `is not a field to sort by${known}` }];
  };
  return {
    ...text({
      help: `Fields to sort by, the most important first, at most ${keysMax}; a minus in front sorts descending. Case is ignored, texts are compared by their first ${charactersMax} characters, and ties are in order of Id. Figures like Today.Revenue and Health.State are fields, too; a rate of nothing is the lowest, the worst health the highest`,
      schema: { type: 'string' },
      example: '-Status,Name',
    }),
    check(sent) {
      const keys = sent.split(',').map(keyOf);
      if (keys.length <= keysMax) return keys.flatMap(faultOf);
      return [{ Path: '', Code: 'too_long', Message: `must name at most ${keysMax} fields` }];
    },
    read: (sent) => sent.split(',').map(keyOf),
  };
}

export function textKey(value: string): string {
  return foldCase(value.slice(0, charactersMax));
}

export function positionOf(keys: readonly SortKey[], values: Values, id: number): Position {
  const own = keys.map(({ name, of, rankOf }) => {
    const [known = absent[of]] = scalarsOf(ownMember(values, name));
    const value = rankOf ? rankOf(known) : known;
    return typeof value === 'string' ? textKey(value) : value;
  });
  return [...own, id];
}

/** Equals by their ID. */
export function comparePositions(keys: readonly Pick<SortKey, 'isDescending'>[]) {
  const signs = [...keys.map(({ isDescending }) => (isDescending ? -1 : 1)), 1];
  return (one: Position, other: Position): number => {
    for (const [index, sign] of signs.entries()) {
      const order = compareScalars(one[index] ?? 0, other[index] ?? 0);
      if (order !== 0) return sign * order;
    }
    return 0;
  };
}

export function indexAfter(
  positions: readonly Position[],
  last: Position,
  compare: ReturnType<typeof comparePositions>,
): number {
  let from = 0;
  let to = positions.length;
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const position = positions[middle];
    if (position && compare(position, last) <= 0) from = middle + 1;
    else to = middle;
  }
  return from;
}
