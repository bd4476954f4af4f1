import { type Fault, invalid } from '../../fields/fault.ts';
import { type Moment, momentWants, readMoment } from '../../fields/moment.ts';
import { ownMember, setOwnMember } from '../../reference/own-member.ts';
import { suggestion } from '../input/validation.ts';

type TextFault = Omit<Fault, 'Path'>;

export interface Parameter<Value = unknown> {
  readonly help: string;
  /** JSON Schema of the text, for the documentation. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example?: string;
  readonly isRequired?: boolean;
  /** Undefined or empty if nothing is wrong. */
  readonly check: (text: string) => TextFault | readonly Fault[] | undefined;
  readonly read: (text: string) => Value;
}

export type ParameterTable = Readonly<Record<string, Parameter>>;

/** As far as sent. */
export type ParameterValues<Table extends ParameterTable> = {
  readonly [Name in keyof Table]?: Table[Name] extends Parameter<infer Value> ? Value : never;
};

/** From 0 to `max`; 0 is the same as absent (reference, W9). */
export function number({ help, max }: { help: string; max: number }): Parameter<number> {
  return {
    help,
    schema: { type: 'integer', minimum: 0, maximum: max },
    read: Number,
    check(text) {
      if (!/^\d+$/.test(text)) return { Code: 'type', Message: 'must be a whole number in decimal' };
      return Number(text) > max ? { Code: 'out_of_range', Message: `must be ${max} or less` } : undefined;
    },
  };
}

/** 1 = yes; 0 is the same as absent. */
export function flag(help: string): Parameter<number> {
  return number({ help, max: 1 });
}

export function moment(help: string): Parameter<Moment | undefined> {
  return {
    help,
    schema: { type: 'string', minLength: 10, maxLength: 40 },
    example: '2027-01-31T12:00:00Z',
    read: readMoment,
    check: (text) => (readMoment(text) ? undefined : { Code: 'format', Message: momentWants }),
  };
}

/** Any text, or one that `check` accepts. */
export function text(
  row: Pick<Parameter, 'help' | 'schema'> & { example: string; check?: Parameter['check'] },
): Parameter<string> {
  return { check: () => undefined, ...row, read: String };
}

function faultOf(
  name: string,
  parameter: Parameter | undefined,
  value: unknown,
  known: readonly string[],
): ReturnType<Parameter['check']> {
  if (parameter === undefined) {
    const Message = `is not a known parameter${suggestion(name, known)}; known are: ${known.join(', ') || 'none'}`;
    return { Code: 'unknown_parameter', Message };
  }
  if (Array.isArray(value)) return { Code: 'duplicate', Message: 'appears twice; send it once' };
  return parameter.check(String(value));
}

function faultsAt(name: string, found: ReturnType<Parameter['check']>): readonly Fault[] {
  if (found === undefined) return [];
  return 'Code' in found
    ? [{ Path: name, ...found }]
    : found.map((fault) => ({ ...fault, Path: `${name}${fault.Path}` }));
}

/** Refuses unknown, malformed and missing parameters (reference, W9). */
export function parameterReader<Table extends ParameterTable>(
  table: Table,
): (query: Readonly<Record<string, unknown>>) => ParameterValues<Table> {
  const known = new Map<string, Parameter>(Object.entries(table));
  const names = [...known.keys()];
  const required = [...known].filter(([, { isRequired }]) => isRequired);
  return (query) => {
    const values: Record<string, unknown> = {};
    const faults: Fault[] = [];
    for (const name of Object.keys(query)) {
      const parameter = known.get(name);
      const found = faultsAt(name, faultOf(name, parameter, ownMember(query, name), names));
      faults.push(...found);
      if (found.length === 0) setOwnMember(values, name, parameter?.read(String(ownMember(query, name))));
    }
    for (const [Path, { help }] of required) {
      const isMissing = !ownMember(values, Path) && !faults.some((fault) => fault.Path === Path);
      if (isMissing) faults.push({ Path, Code: 'required', Message: `is required: ${help}` });
    }
    if (faults.length > 0) throw invalid(faults);
    return values as ParameterValues<Table>;
  };
}
