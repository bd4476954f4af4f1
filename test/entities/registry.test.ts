import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Input, Output } from '../../src/entities/entity.ts';
import { type EntityOf, entities, entityOf } from '../../src/entities/registry.ts';

const rows = entities.flatMap((entity) =>
  Object.entries(entity.fields).map(([name, field]) => ({
    entity,
    name,
    field,
    at: `${entity.key}.${name}`,
  })),
);

test('keys and paths are unique', () => {
  for (const name of ['key', 'path'] as const) {
    assert.equal(new Set(entities.map((entity) => entity[name])).size, entities.length);
  }
});

test('every connection with a mirror is the mirror of its mirror', () => {
  for (const { entity, name, field, at } of rows) {
    if (field.place.kind !== 'connection' || field.place.mirror === undefined) continue;
    const other = entityOf(field.place.to).fields[field.place.mirror];
    assert.deepEqual(other?.place, { kind: 'connection', to: entity.key, mirror: name }, at);
  }
});

test('every back reference shows connections that the other entity writes', () => {
  for (const { entity, field, at } of rows) {
    if (field.place.kind !== 'backReference') continue;
    const other = entityOf(field.place.from).fields[field.place.field];
    assert.deepEqual(other?.place, { kind: 'connection', to: entity.key, mirror: undefined }, at);
  }
});

test('every owner is an entity, and the field that names it is required', () => {
  for (const { owner, fields, key } of entities) {
    if (!owner) continue;
    assert.equal(fields[owner.field]?.presence, 'required', key);
    assert.equal(fields[owner.field]?.references, entityOf(owner.entity).key, key);
  }
});

test('every count counts objects that name this entity as their owner', () => {
  for (const { entity, field, at } of rows) {
    if (field.place.kind === 'count') assert.equal(entityOf(field.place.of).owner?.entity, entity.key, at);
  }
});

test('the types of an entity follow its table', () => {
  const least: Input<EntityOf<'VastTag'>> = { PublisherId: 1 };
  const more: Input<EntityOf<'VastTag'>> = { ...least, Countries: [{ CC: 'DE' }], Os: [{ Family: 'iOS' }] };
  // @ts-expect-error: a required field
  const withoutOwner: Input<EntityOf<'VastTag'>> = { Bidfloor: 1 };
  // @ts-expect-error: only answers carry it
  const withStatus: Input<EntityOf<'VastTag'>> = { ...least, Status: 0 };
  const read = ({ Countries, ZoneUrls, Status }: Output<EntityOf<'VastTag'>>) => {
    const country: string | undefined = Countries[0]?.Country;
    const url: string | undefined = ZoneUrls[0]?.ZoneUrl;
    const status: number = Status;
    return { country, url, status };
  };
  assert.equal([more, withoutOwner, withStatus, read].length, 4);
});
