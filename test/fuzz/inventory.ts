import { entities } from '../../src/entities/registry.ts';
import type { Json } from '../openapi/document.ts';
import type { Draw } from './drawn.ts';
import { entityAt, type FuzzCase } from './requests.ts';

const absentId = 2_000_000_000;
const hugeCharacters = 70_000;
/**
 * One in so many IDs is of another team or of nobody: there are dozens of IDs in a body, and half of all should pass.
 */
const strangeEvery = 400;
const objectsOfConfig = 3;

/** What exists that requests may name. */
export interface Inventory {
  readonly draw: Draw;
  /** Takes note of what an answer has made. */
  note(request: FuzzCase, answer: unknown): void;
  /** Takes all IDs anew. */
  renew(ids: ReadonlyMap<string, readonly number[]>): void;
  /** Takes the configuration as it is now: objects in it are named by their names, which change. */
  renewConfig(config: Json): void;
}

/** What is fixed for the whole of a run. */
export interface Fixed {
  readonly userIds: readonly number[];
  /** IDs of another team's objects, by entity. */
  readonly foreign: ReadonlyMap<string, number>;
  readonly mail: string;
  readonly password: string;
}

const at = <T>(list: readonly T[], pick: number): T | undefined => list[pick % Math.max(1, list.length)];

/** A part of a configuration, with an object more and, now and then, others that are switched off. */
function partOf(config: Json, pick: number): Json {
  const parts = Object.entries(config).map(([name, value]) => {
    if (!Array.isArray(value)) return [name, value];
    const from = pick % Math.max(1, value.length);
    const objects = structuredClone(value.slice(from, from + objectsOfConfig)) as Json[];
    return [name, pick % 5 === 0 ? objects.map((object) => ({ ...object, Status: 'Inactive' })) : objects];
  });
  const { Tag = [], ...sections } = Object.fromEntries(parts) as { Tag?: Json[] };
  return { ...sections, Tag: [...Tag, { Name: `new ${pick}` }] };
}

export function createInventory({ userIds, foreign, mail, password }: Fixed): Inventory {
  const ids = new Map<string, number[]>([['User', [...userIds]]]);
  const usedKeys: string[] = [];
  let keys = 0;
  let configuration: Json = { Version: 1 };

  const idOf = (kind: string, pick: number): number => {
    if (pick % strangeEvery === 1) return foreign.get(kind) ?? absentId;
    if (pick % strangeEvery === 2) return absentId;
    return at(ids.get(kind) ?? [], pick) ?? 1;
  };
  const freshKey = () => {
    keys += 1;
    return `key-${keys}`;
  };
  const special: Readonly<Record<string, (pick: number) => unknown>> = {
    Any: (pick) => idOf(at(entities, pick)?.key ?? 'Tag', pick),
    Username: (pick) => (pick % 8 === 0 ? 'nobody@example.com' : mail),
    Password: (pick) => (pick % 8 === 1 ? 'not the password' : password),
    Config: (pick) => partOf(configuration, pick),
    Huge: () => 'x'.repeat(hugeCharacters),
    FreshKey: freshKey,
    UsedKey: (pick) => at(usedKeys, pick) ?? 'never-used',
  };
  return {
    draw: (kind, pick) => special[kind]?.(pick) ?? idOf(kind, pick),
    note({ name }, answer) {
      const [, path = ''] = name.split(' ');
      if (!path.endsWith('/add')) return;
      const entity = entityAt(path);
      const wrapper = entity?.wrapper ?? 'ApiKey';
      const { Id } = ((answer as Json)[wrapper] ?? {}) as { Id?: number };
      if (Id === undefined) return;
      const known = ids.get(entity?.key ?? wrapper) ?? [];
      if (!known.includes(Id)) ids.set(entity?.key ?? wrapper, [...known, Id]);
      if (keys > 0) usedKeys.push(`key-${keys}`);
    },
    renew(all) {
      for (const [kind, found] of all) ids.set(kind, [...found]);
    },
    renewConfig(config) {
      configuration = config;
    },
  };
}
