import { batchIdFault } from '../../answers/batch-id.ts';
import { invalid } from '../../fields/fault.ts';
import { intMax } from '../../fields/number.ts';
import type { ChangeFilter } from '../../store/interface.ts';
import { flag, moment, number, type ParameterValues, text } from '../endpoint/parameter.ts';
import { suggestion } from '../input/validation.ts';
import { cursorParameter, readCursor } from '../listing/cursor.ts';
import { entityKeys, fieldNames } from './history-row.ts';

const limitMax = 1000;
const limitDefault = 100;

const orders = ['oldest', 'newest'];

export const historyParameters = {
  Entity: text({
    help: 'Only changes of objects of this kind',
    schema: { type: 'string', enum: entityKeys },
    example: 'DspVastTag',
    check(value) {
      if (entityKeys.includes(value)) return undefined;
      const Message = `is not a known entity${suggestion(value, entityKeys)}; known are: ${entityKeys.join(', ')}`;
      return { Code: 'out_of_range', Message };
    },
  }),
  Id: number({ help: 'Only changes of objects with this ID', max: intMax }),
  Field: text({
    help: 'Only changes of the field with this name, as it is in the rows; an added object has all of its fields',
    schema: { type: 'string' },
    example: 'Bidfloor',
    check: (value) =>
      fieldNames.includes(value)
        ? undefined
        : {
            Code: 'unknown_field',
            Message: `is not the name of a field that can change${suggestion(value, fieldNames)}`,
          },
  }),
  UserId: number({ help: 'Only changes made by this user', max: intMax }),
  BatchId: text({
    help: 'Only changes of this bulk change',
    schema: { type: 'string', maxLength: 64 },
    example: '0c6b6a2e-3f0b-4c55-9a6e-6a3f6f1f2b11',
    check: batchIdFault,
  }),
  OncePerBatch: flag(
    '1 = of each bulk change only its first change that matches, with `Batch`: what the whole bulk change did',
  ),
  From: moment('Only changes from this time on, or from the start of this day (UTC)'),
  To: moment('Only changes before this time, or before the start of this day (UTC)'),
  AfterRevision: number({
    help: 'Only changes with a higher revision, to continue from the last one',
    max: Number.MAX_SAFE_INTEGER,
  }),
  Order: text({
    help: 'oldest or newest first; absent = oldest',
    schema: { type: 'string', enum: orders },
    example: 'newest',
    check: (value) =>
      orders.includes(value)
        ? undefined
        : { Code: 'out_of_range', Message: `must be one of ${orders.join(', ')}` },
  }),
  Cursor: cursorParameter,
  Limit: number({
    help: `Maximum number of changes to return, up to ${limitMax}; 0 or absent = ${limitDefault}`,
    max: limitMax,
  }),
};

export interface HistoryQuery {
  readonly filter: ChangeFilter;
  readonly limit: number;
  /** Whether headers name the next page. */
  readonly isPaged: boolean;
  readonly asked: unknown;
  /** Revision of the last change of the previous page. */
  readonly cursor: number | undefined;
}

const oneRevision = { length: 1, isLike: ([revision]: readonly unknown[]) => Number.isSafeInteger(revision) };

/** Refuses a time that ends before it begins. */
export function historyQuery({
  Entity,
  Id,
  Field,
  UserId,
  BatchId,
  OncePerBatch,
  From: from,
  To: to,
  AfterRevision,
  Order,
  Cursor,
  Limit,
}: ParameterValues<typeof historyParameters>): HistoryQuery {
  if (from && to && to.fromMs < from.fromMs) {
    throw invalid([{ Path: 'To', Code: 'out_of_range', Message: 'must not be before From' }]);
  }
  const filter = {
    ...(Entity === undefined ? {} : { entity: Entity }),
    ...(Id ? { id: Id } : {}),
    ...(Field === undefined ? {} : { field: Field }),
    ...(UserId ? { userId: UserId } : {}),
    ...(BatchId === undefined ? {} : { batchId: BatchId }),
    ...(OncePerBatch ? { oncePerBatch: true } : {}),
    ...(from ? { fromMs: from.fromMs } : {}),
    ...(to ? { untilMs: to.fromMs } : {}),
    ...(AfterRevision ? { afterRevision: AfterRevision } : {}),
    ...(Order === 'newest' ? { newestFirst: true } : {}),
  };
  const [cursor] = Cursor === undefined ? [] : readCursor<readonly [number]>(Cursor, filter, oneRevision);
  const isPaged = Order !== undefined || cursor !== undefined;
  return { filter, limit: Limit || limitDefault, isPaged, asked: filter, cursor };
}
