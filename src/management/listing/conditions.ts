import type { Entity } from '../../entities/entity.ts';
import type { Fault } from '../../fields/fault.ts';
import { pathOf } from '../../fields/fault.ts';
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

export interface Condition {
  readonly field: ListedField;
  readonly operator: OperatorName;
  readonly values: readonly Scalar[];
}

const conditionsMax = 20;
const valuesMax = 1000;
/** Each is searched for in each text, which may have 65,536 characters. */
const partsMax = 20;

/** Which fields and how many values it takes, and whether it holds. */
interface Operator {
  readonly takes: (field: ListedField) => boolean;
  /** For fields that it does not take. */
  readonly instead: string;
  readonly valuesMin: number;
  readonly valuesMax: number;
  readonly compile: (values: readonly Scalar[]) => (value: unknown) => boolean;
}

const several = { valuesMin: 1, valuesMax };
const single = { valuesMin: 1, valuesMax: 1 };
const none = { valuesMin: 0, valuesMax: 0 };
const ordered = {
  ...single,
  takes: ({ isList }: ListedField) => !isList,
  instead: 'is a list, which has no order; use in, not_in, is_empty or is_not_empty',
};
const ofText = {
  valuesMin: 1,
  valuesMax: partsMax,
  takes: ({ of }: ListedField) => of === 'text',
  instead: 'is numeric; use in, not_in, at_least or at_most',
};
const emptiable = {
  ...none,
  takes: ({ of, isList }: ListedField) => isList || of === 'text',
  instead: 'is a number, which is never empty; use in with the value 0',
};
const anything = { ...several, takes: () => true, instead: '' };

const isIn = (values: readonly Scalar[]) => {
  const wanted = new Set(values);
  return (value: unknown) => scalarsOf(value).some((one) => wanted.has(one));
};
const contains = (values: readonly Scalar[]) => {
  const wanted = values.map((value) => foldCase(String(value)));
  return (value: unknown) =>
    scalarsOf(value).some((one) => {
      const text = foldCase(String(one));
      return wanted.some((part) => text.includes(part));
    });
};
const compared = (isMet: (order: number) => boolean) => (values: readonly Scalar[]) => {
  const comparable = (value: Scalar) => (typeof value === 'string' ? foldCase(value) : value);
  const [bound = ''] = values.map(comparable);
  return (value: unknown) => scalarsOf(value).some((one) => isMet(compareScalars(comparable(one), bound)));
};
const isEmpty = () => (value: unknown) => scalarsOf(value).every((one) => one === '');

function not(compile: Operator['compile']): Operator['compile'] {
  return (values) => {
    const holds = compile(values);
    return (value) => !holds(value);
  };
}

const operators = {
  in: { ...anything, compile: isIn },
  not_in: { ...anything, compile: not(isIn) },
  contains: { ...ofText, compile: contains },
  not_contains: { ...ofText, compile: not(contains) },
  at_least: { ...ordered, compile: compared((order) => order >= 0) },
  at_most: { ...ordered, compile: compared((order) => order <= 0) },
  is_empty: { ...emptiable, compile: isEmpty },
  is_not_empty: { ...emptiable, compile: not(isEmpty) },
} satisfies Readonly<Record<string, Operator>>;

export type OperatorName = keyof typeof operators;
const operatorNames = Object.keys(operators) as OperatorName[];
const members = ['Field', 'Operator', 'Values'];

type Read = { readonly faults: readonly Fault[]; readonly condition?: Condition };
const fault = (Path: string, Code: Fault['Code'], Message: string): Fault => ({ Path, Code, Message });

function fieldFault(fields: ReadonlyMap<string, ListedField>, path: string, name: unknown): Fault {
  const Path = pathOf(path, 'Field');
  if (typeof name !== 'string') return fault(Path, 'required', 'is required: the name of a field, as text');
  return fault(Path, 'unknown_field', `is not a field of arrays${suggestion(name, [...fields.keys()])}`);
}

function operatorFault(path: string, name: unknown): Fault {
  const known = operatorNames.join(', ');
  const near = typeof name === 'string' ? suggestion(name, operatorNames) : '';
  return fault(pathOf(path, 'Operator'), 'out_of_range', `must be one of ${known}${near}`);
}

function valueFaults(path: string, { of }: ListedField, operator: Operator, values: unknown): Fault[] {
  const Path = pathOf(path, 'Values');
  if (!Array.isArray(values)) return [fault(Path, 'type', 'must be an array of values')];
  const { valuesMin, valuesMax: most } = operator;
  if (values.length < valuesMin) return [fault(Path, 'too_short', 'must have a value')];
  if (values.length > most) {
    const Message = most === 0 ? 'is not used by this operator; leave it out' : `must have ${most} at most`;
    return [fault(Path, 'too_long', Message)];
  }
  const type = of === 'text' ? 'string' : 'number';
  const wants = of === 'text' ? 'must be a text, in quotes' : 'must be a number, without quotes';
  return values.flatMap((value: unknown, index) =>
    typeof value === type ? [] : [fault(pathOf(Path, index), 'type', wants)],
  );
}

function readCondition(fields: ReadonlyMap<string, ListedField>, path: string, sent: unknown): Read {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    return { faults: [fault(path, 'type', 'must be an object with Field, Operator and Values')] };
  }
  const { Field, Operator, Values: values = [] } = sent as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(sent).filter((name) => !members.includes(name));
  const faults = unknown.map((name) =>
    fault(pathOf(path, name), 'unknown_field', `is not known here${suggestion(name, members)}`),
  );
  const field = typeof Field === 'string' ? fields.get(Field) : undefined;
  const name = operatorNames.find((known) => known === Operator);
  if (!field) faults.push(fieldFault(fields, path, Field));
  if (!name) faults.push(operatorFault(path, Operator));
  if (!field || !name) return { faults };
  const operator: Operator = operators[name];
  if (!operator.takes(field)) {
    faults.push(
      fault(pathOf(path, 'Operator'), 'out_of_range', `does not fit: ${field.name} ${operator.instead}`),
    );
  }
  faults.push(...valueFaults(path, field, operator, values));
  return { faults, condition: { field, operator: name, values: values as readonly Scalar[] } };
}

function readJson(sent: string): unknown {
  try {
    return JSON.parse(sent);
  } catch {
    return undefined;
  }
}

function readFilter(fields: ReadonlyMap<string, ListedField>, sent: string): readonly Read[] {
  const wants = 'must be a JSON array, like [{"Field":"Status","Operator":"in","Values":[0]}]';
  const conditions = readJson(sent);
  if (!Array.isArray(conditions)) return [{ faults: [fault('', 'type', wants)] }];
  if (conditions.length > conditionsMax) {
    return [{ faults: [fault('', 'too_long', `must have at most ${conditionsMax} conditions`)] }];
  }
  return conditions.map((condition, index) => readCondition(fields, `[${index}]`, condition));
}

/** Objects must meet all conditions. */
export function filterParameter(entity: Entity): Parameter<readonly Condition[]> {
  const fields = listedFields(entity);
  return {
    ...text({
      help: `Only objects that meet every condition of this JSON array: \`{ Field, Operator, Values }\`, at most ${conditionsMax} with ${valuesMax} values each (contains and not_contains: ${partsMax}). Operators: ${operatorNames.join(', ')}. A list matches if any item does; contains, at_least and at_most ignore case. Figures of today and yesterday, like Today.Revenue, and Health.State are fields, too`,
      schema: { type: 'string' },
      example: '[{"Field":"Status","Operator":"in","Values":[0]}]',
    }),
    check: (sent) => readFilter(fields, sent).flatMap(({ faults }) => faults),
    read: (sent) => readFilter(fields, sent).flatMap(({ condition }) => condition ?? []),
  };
}

/** For values as answers show them. */
export function compileConditions(conditions: readonly Condition[]): (values: Values) => boolean {
  const checks = conditions.map(({ field, operator, values }) => ({
    name: field.name,
    holds: operators[operator].compile(values),
  }));
  return (values) => checks.every(({ name, holds }) => holds(ownMember(values, name)));
}
