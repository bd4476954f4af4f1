import { setImmediate as turn } from 'node:timers/promises';
import type { Entity } from '../entities/entity.ts';
import { listTextOf } from '../entities/list-text-of.ts';
import { entityOf } from '../entities/registry.ts';
import { type Fault, faultsShownMax, pathOf } from '../fields/fault.ts';
import type { Field } from '../fields/field.ts';
import { type ListLines, readListText } from '../fields/list-text.ts';
import { intMax } from '../fields/number.ts';
import { ownMember } from '../reference/own-member.ts';
import type { ObjectWrite, TeamReads, Values } from '../store/interface.ts';
import type { Check } from './input/validation.ts';
import { objectFaults } from './object-faults.ts';

/** In stored form, with the faults that show without stored data. */
export interface ObjectInput {
  readonly faults: readonly Fault[];
  readonly sent: Values;
  /** As sent, without faulty ones. */
  readonly valid: Values;
  readonly document: Values;
  readonly connections: Readonly<Record<string, readonly number[]>>;
  /** 0 = nobody; undefined if not given. */
  readonly managerId: number | undefined;
  readonly lines: ListLines | undefined;
}

function stored(field: Field, value: unknown): unknown {
  return field.clean ? field.clean(value) : value;
}

function sentFields(entity: Entity, values: Values, isNew: boolean) {
  return Object.entries(entity.fields).flatMap(([name, field]) => {
    if (field.presence === 'derived') return [];
    if (Object.hasOwn(values, name)) return [{ name, field, value: stored(field, values[name]) }];
    return isNew ? [{ name, field, value: field.omitted }] : [];
  });
}

async function listLines(entity: Entity, values: Values): Promise<ListLines | undefined> {
  const field = listTextOf(entity);
  if (!field) return undefined;
  const text = ownMember(values, field.name);
  return typeof text === 'string' ? readListText(text, field.codec, () => turn()) : undefined;
}

function lineFaults(entity: Entity, lines: ListLines | undefined): readonly Fault[] {
  const field = listTextOf(entity);
  if (!field || !lines || lines.badLineCount === 0) return [];
  const shown = lines.badLines.map(({ number, line }) => `line ${number} is ${line}`);
  const more = lines.badLineCount - shown.length;
  const found = [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
  const Message = `${found}; send ${field.codec.wants}; nothing was changed`;
  return [{ Path: pathOf(entity.wrapper, field.name), Code: 'bad_line', Message }];
}

function countsOf(entity: Entity, lines: ListLines | undefined, isNew: boolean): Values {
  if (!lines && !isNew) return {};
  const rows = Object.entries(entity.fields).flatMap(([name, { place }]) => {
    if (place.kind !== 'lineCount') return [];
    return [[name, lines?.counts[place.part] ?? 0]];
  });
  return Object.fromEntries(rows);
}

/** At `path`; without those that faults name. */
export function validValues(path: string, sent: Values, faults: readonly Fault[]): Values {
  const below = path.length + 1;
  const faulty = new Set(faults.map(({ Path }) => Path.slice(below).split(/[.[]/, 1)[0]));
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !faulty.has(name)));
}

/** Checks, sorts by place, and reads a list's text. `faults` are known already. */
export async function readInput(
  entity: Entity,
  { sent, faults }: Pick<ObjectInput, 'sent' | 'faults'>,
  check: Check,
  isNew: boolean,
): Promise<ObjectInput> {
  const formFaults = check(sent, entity.wrapper);
  const valid = formFaults.length === 0 ? sent : validValues(entity.wrapper, sent, formFaults);
  const lines = await listLines(entity, valid);
  const fields = sentFields(entity, valid, isNew);
  const pick = (kind: string) => fields.filter(({ field }) => field.place.kind === kind);
  const named = (rows: typeof fields) => Object.fromEntries(rows.map(({ name, value }) => [name, value]));
  const managerId = pick('manager')[0]?.value;
  return {
    faults: [...faults, ...formFaults, ...lineFaults(entity, lines)],
    sent,
    valid,
    document: { ...named(pick('document')), ...countsOf(entity, lines, isNew) },
    connections: named(pick('connection')) as ObjectInput['connections'],
    // Only an update can set 0, nobody: a new object gets the user who adds it.
    managerId: typeof managerId === 'number' && !(isNew && managerId === 0) ? managerId : undefined,
    lines,
  };
}

export function objectWriteOf(
  input: Pick<ObjectInput, 'document' | 'connections' | 'managerId' | 'lines'>,
): ObjectWrite {
  const { document, connections, managerId, lines } = input;
  return {
    document,
    connections,
    ...(managerId === undefined ? {} : { managerId }),
    ...(lines === undefined ? {} : { text: lines.parts }),
  };
}

function titleOf(key: string): string {
  return key === 'User' ? 'User' : entityOf(key).title;
}

function isId(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 0 && Number(value) <= intMax;
}

/** What is no ID at all is left to the schema. */
async function idFaults(reads: TeamReads, references: string, path: string, value: unknown) {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  const ids = new Set(items.filter(isId));
  if (ids.size === 0) return [];
  const missing = new Set<unknown>(await reads.missing(references, [...ids]));
  const faults = Iterator.from(items.entries()).flatMap(([index, id]): Fault[] => {
    if (!missing.has(id)) return [];
    const Path = Array.isArray(value) ? pathOf(path, index) : path;
    return [{ Path, Code: 'not_found', Message: `names ${titleOf(references)} ${id}, which is not found` }];
  });
  return [...faults.take(faultsShownMax + 1)];
}

async function referenceFaults(reads: TeamReads, entity: Entity, values: Values): Promise<Fault[]> {
  const faults: Fault[][] = [];
  for (const [name, { references }] of Object.entries(entity.fields)) {
    const value = ownMember(values, name);
    if (references === undefined || value === undefined) continue;
    faults.push(await idFaults(reads, references, pathOf(entity.wrapper, name), value));
  }
  return faults.flat();
}

/** `path` replaces the entity's wrapper. */
export function withWrapperPath(entity: Entity, path: string, faults: readonly Fault[]): Fault[] {
  return faults.map((fault) => ({ ...fault, Path: path + fault.Path.slice(entity.wrapper.length) }));
}

export function repeatedValueFaults(entity: Entity, values: Values): Fault[] {
  const { field = '' } = entity.unique ?? {};
  const value = ownMember(values, field);
  if (typeof value !== 'string') return [];
  const Message = `"${value}" is already used by another ${entity.title}; choose another`;
  return [{ Path: pathOf(entity.wrapper, field), Code: 'taken', Message }];
}

/** A value that another object than `id` has. */
export async function uniquenessFaults(reads: TeamReads, entity: Entity, values: Values, id: number) {
  const value = entity.unique && ownMember(values, entity.unique.field);
  const isTaken = typeof value === 'string' && (await reads.taken(entity, value, id));
  return isTaken ? repeatedValueFaults(entity, values) : [];
}

interface CheckedObject {
  readonly input: ObjectInput;
  readonly document: Values;
  /** 0 for a new object. */
  readonly id: number;
  /** Whether `add` follows, which finds taken values by itself. */
  readonly isAddedNext?: boolean;
}

/** Missing objects, taken values, and the entity's own check. */
export async function storeFaults(
  reads: TeamReads,
  entity: Entity,
  { input, document, id, isAddedNext = false }: CheckedObject,
): Promise<Fault[]> {
  const own = objectFaults(entity, document).map((fault) => ({
    ...fault,
    Path: pathOf(entity.wrapper, fault.Path),
  }));
  const references = await referenceFaults(reads, entity, input.sent);
  // With other faults `add` is not called: then taken values are looked up here, to report all at once.
  const isFoundByAdd = isAddedNext && input.faults.length + references.length + own.length === 0;
  const taken = isFoundByAdd ? [] : await uniquenessFaults(reads, entity, input.valid, id);
  return [...references, ...taken, ...own];
}
