import type { Entity } from '../../entities/entity.ts';
import { type Fault, invalid } from '../../fields/fault.ts';
import type { Filter } from '../../store/interface.ts';
import { type Parameter, type ParameterValues, text } from '../endpoint/parameter.ts';
import { suggestion } from '../input/validation.ts';
import { type Condition, filterParameter } from './conditions.ts';
import { cursorParameter, readCursor } from './cursor.ts';
import { listedFields } from './listed-field.ts';
import { type Position, type SortKey, sortParameter } from './order.ts';
import { wordsParameter } from './words.ts';

export interface Question {
  readonly filter: Filter;
  readonly conditions: readonly Condition[];
  /** In lower case; each must occur in name, ID or owner's name. */
  readonly words: readonly string[];
  readonly sort: readonly SortKey[];
}

/** Beyond its filters. */
export interface Listing extends Question {
  /** Undefined = those of arrays. */
  readonly fields: readonly string[] | undefined;
  readonly after: Position | undefined;
}

function fieldsParameter(entity: Entity): Parameter<readonly string[]> {
  const names = [...listedFields(entity).keys()];
  return {
    ...text({
      help: 'Fields to return, in this order, separated by commas; any except ListText, and figures like Today.Revenue. Absent = those of arrays',
      schema: { type: 'string' },
      example: 'Id,Name',
    }),
    check: (sent) =>
      sent.split(',').flatMap((name, index, all): Fault[] => {
        const Path = `[${index}]`;
        if (!names.includes(name)) {
          return [
            { Path, Code: 'unknown_field', Message: `is not a field of arrays${suggestion(name, names)}` },
          ];
        }
        if (all.indexOf(name) === index) return [];
        return [{ Path, Code: 'duplicate', Message: `${name} appears twice; name it once` }];
      }),
    read: (sent) => sent.split(','),
  };
}

/** To choose, order and page arrays (reference, "Resources"). */
export function listingParameters(entity: Entity) {
  return {
    Fields: fieldsParameter(entity),
    Sort: sortParameter(entity),
    Filter: filterParameter(entity),
    Query: wordsParameter,
    Cursor: cursorParameter,
  };
}

type Parameters = ParameterValues<ReturnType<typeof listingParameters>>;
type Sent = { readonly [Name in keyof Parameters]: Parameters[Name] | undefined };

export function cursorQuestion(entity: Entity, { filter, conditions, words, sort }: Question): unknown {
  return [entity.key, filter, conditions, words, sort];
}

function placeAfter(entity: Entity, cursor: string | undefined, question: Question): Position | undefined {
  if (cursor === undefined) return undefined;
  const types = question.sort.map(({ of }) => (of === 'number' ? 'number' : 'string'));
  const expected = [...types, 'number'];
  return readCursor<Position>(cursor, cursorQuestion(entity, question), {
    length: expected.length,
    isLike: (place) => place.every((value, index) => typeof value === expected[index]),
  });
}

/** Undefined if there is only `filter`. Refuses with `invalid`. */
export function listingOf(
  entity: Entity,
  { Fields, Sort, Filter: conditions, Query, Cursor }: Sent,
  filter: Filter,
): Listing | undefined {
  const sent = Object.entries({ Fields, Sort, Filter: conditions, Query, Cursor }).filter(
    ([, value]) => value !== undefined,
  );
  if (sent.length === 0) return undefined;
  if (filter.id) {
    const Message = 'is for arrays and cannot be combined with Id; leave one of them out';
    throw invalid(sent.map(([Path]) => ({ Path, Code: 'contradiction', Message })));
  }
  const question = { filter, conditions: conditions ?? [], words: Query ?? [], sort: Sort ?? [] };
  return { ...question, fields: Fields, after: placeAfter(entity, Cursor, question) };
}
