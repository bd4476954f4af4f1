import type { Entity } from '../../entities/entity.ts';
import { type Fault, invalid } from '../../fields/fault.ts';
import { intMax } from '../../fields/number.ts';
import type { Filter } from '../../store/interface.ts';
import { momentWants, readMoment } from './moment.ts';
import { suggestion } from './validation.ts';

/** A query parameter that is a number: its name, what it is for, and the greatest value. */
export interface QueryParameter {
  readonly name: string;
  readonly help: string;
  readonly max: number;
}

/** A query parameter that is no number. */
export interface TextParameter {
  readonly name: string;
  readonly help: string;
  /** JSON Schema of the value, for the documentation. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example: string;
  /** What is wrong with a value; undefined where nothing is. */
  readonly faultIn: (value: string) => Omit<Fault, 'Path'> | undefined;
}

/** A time or a day in the query. */
export function momentParameter(name: string, help: string): TextParameter {
  return {
    name,
    help,
    schema: { type: 'string', minLength: 10, maxLength: 40 },
    example: '2027-01-31T12:00:00Z',
    faultIn: (value) => (readMoment(value) ? undefined : { Code: 'format', Message: momentWants }),
  };
}

/** The query parameters of an entity's fetch (specification 4.5; decisions, "Resources"). */
export function fetchParameters(entity: Entity): readonly (QueryParameter | TextParameter)[] {
  const { owner, title } = entity;
  const ownerRow = owner
    ? [{ name: owner.field, help: `Only objects of that ${owner.entity}`, max: intMax }]
    : [];
  const isManaged = 'AccManagerId' in entity.fields;
  const managerRow = isManaged
    ? [{ name: 'AccManagerId', help: 'Only objects whose account that user manages', max: intMax }]
    : [];
  return [
    { name: 'Id', help: `ID of one ${title}, which is then answered whole`, max: intMax },
    ...ownerRow,
    ...managerRow,
    { name: 'ActiveOnly', help: '1 = only active objects', max: 1 },
    { name: 'Limit', help: 'Most objects to answer; 0 = all', max: intMax },
    { name: 'AfterId', help: 'Only objects with a greater ID, to read on from the last one', max: intMax },
    momentParameter(
      'AsOf',
      'The object of that `Id` as it was at a time (or at the end of a day, UTC); URLs and credentials as they are now',
    ),
  ];
}

function numberFault({ max }: QueryParameter, value: string): Omit<Fault, 'Path'> | undefined {
  if (!/^\d+$/.test(value)) return { Code: 'type', Message: 'must be a whole number in decimal' };
  return Number(value) > max ? { Code: 'out_of_range', Message: `must be ${max} or less` } : undefined;
}

function faultIn(parameter: QueryParameter | TextParameter, value: unknown): Fault | undefined {
  const { name: Path } = parameter;
  if (Array.isArray(value)) return { Path, Code: 'duplicate', Message: 'stands twice; send it once' };
  const text = String(value);
  const fault = 'faultIn' in parameter ? parameter.faultIn(text) : numberFault(parameter, text);
  return fault && { Path, ...fault };
}

function unknownParameter(Path: string, known: readonly { readonly name: string }[]): Fault {
  const names = known.map(({ name }) => name);
  const Message = `is no known parameter${suggestion(Path, names)}; those known: ${names.join(', ') || 'none'}`;
  return { Path, Code: 'unknown_parameter', Message };
}

/** Query parameters by name: numbers, and texts. */
export interface Parameters {
  readonly numbers: Readonly<Record<string, number>>;
  readonly texts: Readonly<Record<string, string>>;
}

/** Reads query parameters. Refuses unknown and malformed ones (decisions W9). */
export function readParameters(
  parameters: readonly (QueryParameter | TextParameter)[],
  query: Readonly<Record<string, unknown>>,
): Parameters {
  const numbers: Record<string, number> = {};
  const texts: Record<string, string> = {};
  const faults: Fault[] = [];
  for (const [name, value] of Object.entries(query)) {
    const parameter = parameters.find((one) => one.name === name);
    const fault = parameter ? faultIn(parameter, value) : unknownParameter(name, parameters);
    if (fault) faults.push(fault);
    else if (parameter && 'faultIn' in parameter) texts[name] = String(value);
    else numbers[name] = Number(value);
  }
  if (faults.length > 0) throw invalid(faults);
  return { numbers, texts };
}

/**
 * Query parameters as numbers by name; absent and 0 mean the same. Refuses unknown and malformed ones (decisions W9).
 */
export function readNumbers(
  parameters: readonly QueryParameter[],
  query: Readonly<Record<string, unknown>>,
): Parameters['numbers'] {
  return readParameters(parameters, query).numbers;
}

/** What a fetch asks for. */
export interface Fetch {
  readonly filter: Filter;
  /** Most objects to answer; 0 = all. */
  readonly limit: number;
  /** Milliseconds since 1970: the one object as it was then. */
  readonly asOfMs?: number;
}

/** The time of `AsOf`: for a day its end, so that today means now. Refuses the future, and `AsOf` without `Id`. */
function readAsOf(text: string | undefined, id: number, nowMs: number): { asOfMs?: number } {
  const moment = text === undefined ? undefined : readMoment(text);
  if (!moment) return {};
  const faults: Fault[] = [];
  if (id === 0) {
    const Message = 'is required beside AsOf, which shows one object as it was';
    faults.push({ Path: 'Id', Code: 'required', Message });
  }
  if (moment.fromMs > nowMs) {
    faults.push({ Path: 'AsOf', Code: 'out_of_range', Message: 'must not be in the future' });
  }
  if (faults.length > 0) throw invalid(faults);
  return { asOfMs: moment.untilMs - 1 };
}

/** Reads the query parameters of an entity's fetch. `now` gives milliseconds since 1970. */
export function fetchReader(
  entity: Entity,
  now: () => number,
): (query: Readonly<Record<string, unknown>>) => Fetch {
  const parameters = fetchParameters(entity);
  const ownerField = entity.owner?.field;
  return (query) => {
    const { numbers, texts } = readParameters(parameters, query);
    const filter = {
      id: numbers.Id ?? 0,
      ownerId: (ownerField && numbers[ownerField]) || 0,
      managerId: numbers.AccManagerId ?? 0,
      activeOnly: numbers.ActiveOnly === 1,
      afterId: numbers.AfterId ?? 0,
    };
    return { filter, limit: numbers.Limit ?? 0, ...readAsOf(texts.AsOf, filter.id, now()) };
  };
}
