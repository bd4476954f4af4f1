import { type TSchema, Type } from 'typebox';
import type { Entity } from '../../entities/entity.ts';
import { entities } from '../../entities/registry.ts';
import { type Fault, faultsShownMax, pathOf } from '../../fields/fault.ts';
import { isObject } from '../../protocols/json.ts';
import { ownMember } from '../../reference/own-member.ts';
import type { Values } from '../../store/interface.ts';
import { type Check, compileCheck } from '../input/validation.ts';
import { type ObjectInput, readInput, validValues, withWrapperPath } from '../object-input.ts';
import { documentSchema, objectSchema, objectsMax } from './document-schema.ts';
import type { Managers } from './managers.ts';
import { isKeptWhenOmitted, membersOf, membersOfKind } from './members.ts';
import { numberedKey, readKey } from './object-key.ts';
import { withPauses } from './with-pauses.ts';

/** As far as it can be read without the team's objects. */
export interface Draft {
  readonly entity: Entity;
  readonly key: string;
  /** As `VastTag[Homepage]`. */
  readonly path: string;
  /** Omitted values filled in unless they are kept; nothing that names other objects. */
  readonly input: ObjectInput;
  /** Keys by member, if sent: of the owner (`references`), and of connected objects (each once). */
  readonly references: Readonly<Record<string, string>>;
  readonly connections: Readonly<Record<string, readonly string[]>>;
  /** 0 = nobody; undefined if not given. */
  readonly managerId: number | undefined;
  readonly status: 0 | 1;
}

/** With all faults that show without the team's objects. */
export interface Drafts {
  /** In the order of the registry, then of the document. */
  readonly drafts: readonly Draft[];
  readonly faults: readonly Fault[];
}

const anything = (): TSchema => Type.Unknown();
const checkSections = compileCheck(documentSchema(anything));
const objectChecks = new Map<Entity, Check>(
  entities.map((entity) => [entity, compileCheck(objectSchema(entity))]),
);

/** Its `Key`, else its `Name`; undefined if that is no key of its name. */
function keyIn({ Name: name = '', Key: key = name }: Values): string | undefined {
  return typeof key === 'string' && readKey(key)?.name === name ? key : undefined;
}

/** Why it has no key, and its other faults. */
function keyFaults(entity: Entity, path: string, values: Values): readonly Fault[] {
  const faults = objectChecks.get(entity)?.(values, path) ?? [];
  const isKnown = faults.some(({ Path }) => Path === pathOf(path, 'Name') || Path === pathOf(path, 'Key'));
  if (isKnown) return faults;
  const { Name: name = '' } = values;
  const known = [1, 2].map((n) => `"${numberedKey(String(name), n)}"`).join(', ');
  const Code = 'Key' in values ? 'format' : 'required';
  const Message = `must be one of the keys for its Name: ${known}, …`;
  return [...faults, { Path: pathOf(path, 'Key'), Code, Message }];
}

function duplicateFault(entity: Entity, key: string): Fault {
  const { name = '', n = 1 } = readKey(key) ?? {};
  const Message = `appears twice in the document; give the second one the Key "${numberedKey(name, n + 1)}"`;
  return { Path: `${entity.key}[${key}]`, Code: 'duplicate', Message };
}

/** As `add` takes them; an omitted text is empty. */
function plainValues(entity: Entity, values: Values): Values {
  const plain = membersOf(entity).flatMap(({ name, kind, field, fieldName }) => {
    if (kind === 'value' && Object.hasOwn(values, name)) return [[fieldName, values[name]]];
    return kind === 'text' ? [[fieldName, values[name] ?? field.omitted]] : [];
  });
  return Object.fromEntries(plain);
}

/** Leaves out what an object keeps if omitted (credentials). */
function withoutKeptValues(entity: Entity, values: Values, input: ObjectInput): ObjectInput {
  const kept = membersOfKind(entity, 'value').filter(
    (member) => isKeptWhenOmitted(member) && !Object.hasOwn(values, member.name),
  );
  const names = new Set(kept.map(({ fieldName }) => fieldName));
  const document = Object.entries(input.document).filter(([name]) => !names.has(name));
  return { ...input, document: Object.fromEntries(document) };
}

function sentMembers<T>(entity: Entity, kind: 'reference' | 'connection', values: Values): Record<string, T> {
  const members = membersOfKind(entity, kind).filter(({ name }) => Object.hasOwn(values, name));
  return Object.fromEntries(members.map(({ name }) => [name, ownMember(values, name) as T]));
}

async function readManager(entity: Entity, path: string, values: Values, managers: Managers) {
  const [member] = membersOfKind(entity, 'manager');
  const mail = member && ownMember(values, member.name);
  if (member === undefined || typeof mail !== 'string') return { managerId: undefined, faults: [] };
  const managerId = await managers.idOf(mail);
  if (managerId !== undefined) return { managerId, faults: [] };
  const Message = `${mail} is not a user of this team; name one who is, or leave it out`;
  const fault: Fault = { Path: pathOf(path, member.name), Code: 'not_found', Message };
  return { managerId, faults: [fault] };
}

async function readObject(
  entity: Entity,
  key: string,
  values: Values,
  managers: Managers,
): Promise<{ draft: Draft; faults: readonly Fault[] }> {
  const path = `${entity.key}[${key}]`;
  const formFaults = objectChecks.get(entity)?.(values, path) ?? [];
  const valid = validValues(path, values, formFaults);
  const manager = await readManager(entity, path, valid, managers);
  const noFaults: Check = () => [];
  const sent = { sent: plainValues(entity, valid), faults: [] };
  const input = withoutKeptValues(entity, valid, await readInput(entity, sent, noFaults, true));
  const connections = Object.entries(sentMembers<readonly string[]>(entity, 'connection', valid));
  const draft: Draft = {
    entity,
    key,
    path,
    input,
    references: sentMembers<string>(entity, 'reference', valid),
    connections: Object.fromEntries(connections.map(([name, keys]) => [name, [...new Set(keys)]])),
    managerId: manager.managerId,
    status: valid.Status === 'Inactive' ? 1 : 0,
  };
  return {
    draft,
    faults: [...formFaults, ...manager.faults, ...withWrapperPath(entity, path, input.faults)],
  };
}

/** Stops after `faultsMax`. */
async function readSection(
  entity: Entity,
  objects: readonly unknown[],
  managers: Managers,
  faultsMax: number,
): Promise<Drafts> {
  const drafts = new Map<string, Draft>();
  const faults: Fault[] = [];
  for await (const [index, values] of withPauses(objects.entries())) {
    if (faults.length > faultsMax) break;
    const path = pathOf(entity.key, index);
    const key = isObject(values) ? keyIn(values) : undefined;
    if (!isObject(values)) faults.push({ Path: path, Code: 'type', Message: 'must be an object' });
    else if (key === undefined) faults.push(...keyFaults(entity, path, values));
    else if (drafts.has(key)) faults.push(duplicateFault(entity, key));
    else {
      const read = await readObject(entity, key, values, managers);
      drafts.set(key, read.draft);
      faults.push(...read.faults);
    }
  }
  return { drafts: [...drafts.values()], faults };
}

/** Whatever the objects in them are. */
function sectionFaults(document: unknown): readonly Fault[] {
  if (!isObject(document)) return checkSections(document, '');
  const sections = Object.entries(document).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.slice(0, objectsMax + 1).map(() => null) : value,
  ]);
  return checkSections(Object.fromEntries(sections), '');
}

/** Stops once there are more faults than an answer shows (reference, W20). */
export async function readDrafts(document: unknown, managers: Managers): Promise<Drafts> {
  const sections: Drafts[] = [];
  let faultsMax = faultsShownMax;
  for (const entity of entities) {
    const objects = isObject(document) ? ownMember(document, entity.key) : undefined;
    if (!Array.isArray(objects) || objects.length > objectsMax) continue;
    const section = await readSection(entity, objects, managers, faultsMax);
    sections.push(section);
    faultsMax -= section.faults.length;
  }
  return {
    drafts: sections.flatMap(({ drafts }) => drafts),
    faults: [...sectionFaults(document), ...sections.flatMap(({ faults }) => faults)],
  };
}
