import type { Entity } from '../../entities/entity.ts';
import { entityOf } from '../../entities/registry.ts';
import type { Place } from '../../fields/field.ts';

/** A kind of connection as one field sees it: which rows belong to it, and which columns hold the field's own side. */
export interface Edge {
  readonly field: string;
  readonly kind: string;
  /** The columns with the ID of this object, and with the IDs that it names. */
  readonly self: 'left_id' | 'right_id';
  readonly other: 'left_id' | 'right_id';
  /** The columns with the order of the IDs in this field, and in the field of the other side. */
  readonly position: 'left_position' | 'right_position';
  readonly otherPosition: 'left_position' | 'right_position';
  /** The entity on the other side, and its field that shows the same connections, where it has one. */
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

/** The field of entity `to` that shows which objects name its objects in `<from>.<field>`. */
function backReferenceOf(to: string, from: string, field: string): string | undefined {
  const rows = Object.entries(entityOf(to).fields);
  return rows.find(
    ([, { place }]) => place.kind === 'backReference' && place.from === from && place.field === field,
  )?.[0];
}

/** Where two fields show the same connections, the alphabetically first `<Entity>.<Field>` names the kind. */
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

/** Every connection field of an entity, in the order of its table. */
export function edgesOf(entity: Entity): readonly Edge[] {
  const known = edgesByEntity.get(entity);
  if (known) return known;
  const edges = Object.entries(entity.fields).flatMap(
    ([field, { place }]) => edgeOf(entity, field, place) ?? [],
  );
  edgesByEntity.set(entity, edges);
  return edges;
}
