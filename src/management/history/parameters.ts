import { entities } from '../../entities/registry.ts';
import { invalid } from '../../fields/fault.ts';
import { intMax } from '../../fields/number.ts';
import type { ChangeFilter } from '../../store/interface.ts';
import { peopleKinds } from '../../store/people-log.ts';
import { readMoment } from '../input/moment.ts';
import { momentParameter, type QueryParameter, readParameters, type TextParameter } from '../input/query.ts';
import { suggestion } from '../input/validation.ts';

const limitMax = 1000;
const limitDefault = 100;

/** The kinds that rows of the history name: keys of entities, users and API keys. */
export const entityKeys: readonly string[] = [...entities.map(({ key }) => key), ...peopleKinds];

const entityParameter: TextParameter = {
  name: 'Entity',
  help: 'Only changes of objects of that kind',
  schema: { type: 'string', enum: entityKeys },
  example: 'DspVastTag',
  faultIn: (value) => {
    if (entityKeys.includes(value)) return undefined;
    const Message = `is no known entity${suggestion(value, entityKeys)}; those known: ${entityKeys.join(', ')}`;
    return { Code: 'out_of_range', Message };
  },
};

/** The query parameters of the history. */
export const historyParameters: readonly (QueryParameter | TextParameter)[] = [
  entityParameter,
  { name: 'Id', help: 'Only changes of objects with that ID', max: intMax },
  { name: 'UserId', help: 'Only changes that this user made', max: intMax },
  momentParameter('From', 'Only changes from that time on, or from the start of that day (UTC)'),
  momentParameter('To', 'Only changes before that time, or before the start of that day (UTC)'),
  {
    name: 'AfterRevision',
    help: 'Only changes with a greater revision, to read on from the last one',
    max: Number.MAX_SAFE_INTEGER,
  },
  {
    name: 'Limit',
    help: `Most changes to answer, up to ${limitMax}; 0 or absent = ${limitDefault}`,
    max: limitMax,
  },
];

/** What is asked of the history. */
export interface HistoryQuestion {
  readonly filter: ChangeFilter;
  readonly limit: number;
}

/** Reads the query parameters of the history. Refuses unknown and malformed ones. */
export function readQuestion(query: Readonly<Record<string, unknown>>): HistoryQuestion {
  const { numbers, texts } = readParameters(historyParameters, query);
  const { Id, UserId, AfterRevision, Limit } = numbers;
  const from = texts.From === undefined ? undefined : readMoment(texts.From);
  const to = texts.To === undefined ? undefined : readMoment(texts.To);
  if (from && to && to.fromMs < from.fromMs) {
    throw invalid([{ Path: 'To', Code: 'out_of_range', Message: 'must not be before From' }]);
  }
  const filter = {
    ...(texts.Entity === undefined ? {} : { entity: texts.Entity }),
    ...(Id ? { id: Id } : {}),
    ...(UserId ? { userId: UserId } : {}),
    ...(from ? { fromMs: from.fromMs } : {}),
    ...(to ? { untilMs: to.fromMs } : {}),
    ...(AfterRevision ? { afterRevision: AfterRevision } : {}),
  };
  return { filter, limit: Limit || limitDefault };
}
