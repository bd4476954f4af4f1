import type { Entity } from '../../src/entities/entity.ts';
import { entities, entityOf } from '../../src/entities/registry.ts';
import type { Filter, Values } from '../../src/store/interface.ts';

/** An object as the model keeps it: everything in plain arrays and records. */
interface ModelObject {
  readonly id: number;
  readonly key: string;
  readonly teamId: number;
  status: 0 | 1;
  managerId: number;
  document: Values;
  /** IDs by connection field. */
  readonly connections: Record<string, number[]>;
}

/** What a store shows of an object, as the model derives it. */
export interface ModelView {
  readonly id: number;
  readonly status: 0 | 1;
  readonly document: Values;
  readonly accountName: unknown;
  readonly managerId: number;
  readonly derived: Values;
}

/** What `add` and `update` are given. */
export interface ModelWriting {
  readonly document: Values;
  readonly connections: Readonly<Record<string, readonly number[]>>;
  readonly managerId?: number;
}

const mirrorOf = (entity: Entity, field: string) => {
  const place = entity.fields[field]?.place;
  if (place?.kind !== 'connection') throw new Error(`${entity.key}.${field} is no connection`);
  return place;
};

/** The store, as naively as it can be written: no tables, no queries, every view found by looking at everything. */
export class NaiveModel {
  readonly objects: ModelObject[] = [];

  of(key: string): ModelObject[] {
    return this.objects.filter((object) => object.key === key);
  }

  private the(key: string, id: number): ModelObject {
    const object = this.of(key).find((candidate) => candidate.id === id);
    if (!object) throw new Error(`the model has no ${key} ${id}`);
    return object;
  }

  add(key: string, id: number, teamId: number, writing: ModelWriting): void {
    const { document, managerId = 0 } = writing;
    this.objects.push({ id, key, teamId, status: 0, managerId, document, connections: {} });
    this.connect(key, id, writing);
  }

  update(key: string, id: number, writing: ModelWriting): void {
    const object = this.the(key, id);
    object.document = { ...object.document, ...writing.document };
    object.managerId = writing.managerId ?? object.managerId;
    this.connect(key, id, writing);
  }

  setStatus(key: string, id: number, status: 0 | 1): void {
    this.the(key, id).status = status;
  }

  /** Sets one side; on the other, what is no longer named goes, what is new comes last, the rest stays. */
  private connect(key: string, id: number, { connections }: ModelWriting): void {
    for (const [field, ids] of Object.entries(connections)) {
      this.the(key, id).connections[field] = [...ids];
      const { to, mirror } = mirrorOf(entityOf(key), field);
      if (mirror === undefined) continue;
      for (const other of this.of(to)) {
        const theirs = (other.connections[mirror] ?? []).filter(
          (mine) => mine !== id || ids.includes(other.id),
        );
        if (ids.includes(other.id) && !theirs.includes(id)) theirs.push(id);
        other.connections[mirror] = theirs;
      }
    }
  }

  private accountOf({ key, document, managerId }: ModelObject): { name: unknown; managerId: number } {
    const { owner, fields } = entityOf(key);
    if (!owner)
      return 'AccManagerId' in fields ? { name: document.Name, managerId } : { name: '', managerId: 0 };
    const account = this.of(owner.entity).find(({ id }) => id === document[owner.field]);
    return account
      ? { name: account.document.Name, managerId: account.managerId }
      : { name: '', managerId: 0 };
  }

  private derivedOf(object: ModelObject, form: 'single' | 'array'): Values {
    const derived: Record<string, unknown> = {};
    for (const [name, { place, inArray }] of Object.entries(entityOf(object.key).fields)) {
      if (place.kind === 'count') {
        derived[name] = this.of(place.of).filter(({ key, document }) => {
          const owner = entityOf(key).owner;
          return owner !== undefined && document[owner.field] === object.id;
        }).length;
      }
      if (form === 'array' && !inArray) continue;
      if (place.kind === 'connection') derived[name] = object.connections[name] ?? [];
      if (place.kind === 'backReference') derived[name] = this.usersOf(object.id, place);
    }
    return derived;
  }

  /** Who names a list: in what order is not told, so in order of ID. */
  private usersOf(id: number, { from, field }: { from: string; field: string }): number[] {
    return this.of(from)
      .filter(({ connections }) => connections[field]?.includes(id))
      .map((user) => user.id);
  }

  /** Everything that a fetch would show, in order of ID. */
  view(key: string, teamId: number, filter: Filter, form: 'single' | 'array'): ModelView[] {
    return this.of(key)
      .map((object) => ({ object, account: this.accountOf(object) }))
      .filter(({ object, account }) => {
        const owner = entityOf(key).owner;
        if (object.teamId !== teamId) return false;
        if (filter.id && object.id !== filter.id) return false;
        if (filter.ownerId && (!owner || object.document[owner.field] !== filter.ownerId)) return false;
        if (filter.managerId && account.managerId !== filter.managerId) return false;
        if (filter.activeOnly && object.status !== 0) return false;
        return object.id > (filter.afterId ?? 0);
      })
      .toSorted((a, b) => a.object.id - b.object.id)
      .map(({ object, account }) => ({
        id: object.id,
        status: object.status,
        document: object.document,
        accountName: account.name,
        managerId: account.managerId,
        derived: this.derivedOf(object, form),
      }));
  }
}

/** Entities that the model's sequences are made of: one of each way of being connected. */
export const modelled = entities.filter(({ key }) =>
  ['Publisher', 'Advertiser', 'VastTag', 'DspVastTag', 'RtbEp', 'Campaign', 'DomainList', 'Tag'].includes(
    key,
  ),
);

/** Connection fields of an entity whose other side is modelled too. */
export function connectionsOf({ fields }: Entity): { field: string; to: string }[] {
  return Object.entries(fields).flatMap(([field, { place }]) =>
    place.kind === 'connection' && modelled.some(({ key }) => key === place.to)
      ? [{ field, to: place.to }]
      : [],
  );
}
