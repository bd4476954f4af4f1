import type { Entity } from '../../entities/entity.ts';
import { entityOf } from '../../entities/registry.ts';
import type { Place } from '../../fields/field.ts';

/** A kind of connection as one field sees it: its rows, and its side's columns. */
export interface Edge {
  readonly field: string;
  readonly kind: string;
  /** IDs of this object, and of those that it names. */
  readonly self: 'left_id' | 'right_id';
  readonly other: 'left_id' | 'right_id';
  /** Order in this field, and in the other side's. */
  readonly position: 'left_position' | 'right_position';
  readonly otherPosition: 'left_position' | 'right_position';
  /** On the other side, with its mirror field, if any. */
  readonly otherEntity: string;
  readonly otherField: string | undefined;
}

type Side = Pick<Edge, 'self' | 'other' | 'position' | 'otherPosition'>;

const left: Side = {
  self: 'left_id',
  other: 'right_id',
  position: 'left_position',
  otherPosition: 'right_position',
};
const right: Side = {
  self: 'right_id',
  other: 'left_id',
  position: 'right_position',
  otherPosition: 'left_position',
};

/** Of entity `to`: shows which objects name its objects in `<from>.<field>`. */
function backReferenceOf(to: string, from: string, field: string): string | undefined {
  const rows = Object.entries(entityOf(to).fields);
  return rows.find(
    ([, { place }]) => place.kind === 'backReference' && place.from === from && place.field === field,
  )?.[0];
}

/** Of two mirror fields, the alphabetically first `<Entity>.<Field>` names the kind. */
function edgeOf(entity: Entity, field: string, place: Place): Edge | undefined {
  const own = `${entity.key}.${field}`;
  if (place.kind === 'backReference') {
    const { from: otherEntity, field: otherField } = place;
    return { field, kind: `${otherEntity}.${otherField}`, ...right, otherEntity, otherField };
  }
  if (place.kind !== 'connection') return undefined;
  const { to: otherEntity, mirror } = place;
  if (mirror === undefined) {
    const otherField =
      entity.key === otherEntity ? undefined : backReferenceOf(otherEntity, entity.key, field);
    return { field, kind: own, ...left, otherEntity, otherField };
  }
  const theirs = `${otherEntity}.${mirror}`;
  const side = own < theirs ? { kind: own, ...left } : { kind: theirs, ...right };
  return { field, ...side, otherEntity, otherField: mirror };
}

const edgesByEntity = new Map<Entity, readonly Edge[]>();

/** In the order of its table. */
export function edgesOf(entity: Entity): readonly Edge[] {
  const known = edgesByEntity.get(entity);
  if (known) return known;
  const edges = Object.entries(entity.fields).flatMap(
    ([field, { place }]) => edgeOf(entity, field, place) ?? [],
  );
  edgesByEntity.set(entity, edges);
  return edges;
}
