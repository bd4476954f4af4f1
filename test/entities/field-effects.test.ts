import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Entity } from '../../src/entities/entity.ts';
import { entities } from '../../src/entities/registry.ts';
import type { Field } from '../../src/fields/field.ts';
import { type Effect, effects } from './field-effects.ts';

const words = (text: string) => text.split(' ');
const reasonCharactersMin = 20;

/** The text of a file below `test/`; undefined where there is none. */
function textOf(path: string): string | undefined {
  const place = new URL(`../${path}`, import.meta.url);
  return existsSync(place) ? readFileSync(place, 'utf8') : undefined;
}

/** The entities whose fields a row is about. */
function entitiesOf({ fields, of }: Effect, all: readonly Entity[]): readonly Entity[] {
  const named = of === undefined ? all : all.filter(({ key }) => words(of).includes(key));
  return named.filter((entity) => words(fields).some((field) => Object.hasOwn(entity.fields, field)));
}

/** What is wrong with the test that a row names. */
function testFaults(effect: Effect): string[] {
  if ('forPeople' in effect) {
    return effect.forPeople.length < reasonCharactersMin ? [`${effect.fields}: no reason is given`] : [];
  }
  if ('case' in effect) {
    const text = textOf(`cases/${effect.case}.yaml`) ?? '';
    const silent = words(effect.fields).filter((field) => !new RegExp(`\\b${field}\\b`).test(text));
    return silent.map((field) => `${field}: there is no case ${effect.case} that has it`);
  }
  const [file, name] = effect.test;
  const text = textOf(file);
  if (text === undefined || !file.endsWith('.test.ts')) return [`${effect.fields}: there is no test ${file}`];
  const rows = effect.rows === undefined ? '' : textOf(effect.rows);
  if (rows === undefined) return [`${effect.fields}: there is no file ${effect.rows}`];
  const isNamed = ["'", '"', '`'].some((quote) => text.includes(`${quote}${name}`));
  const silent = words(effect.fields).filter((field) => !new RegExp(`\\b${field}\\b`).test(text + rows));
  return [
    ...(isNamed ? [] : [`${effect.fields}: ${file} has no test "${name}"`]),
    ...silent.map((field) => `${field}: ${file} does not speak of it`),
  ];
}

/** Whether a field depends on another one that has to be set for it: as it is by itself, it has no effect. */
function neededBy({ onlyIf }: Field, fields: Entity['fields']): string | undefined {
  if (onlyIf === undefined) return undefined;
  const omitted = fields[onlyIf.field]?.omitted;
  return 'values' in onlyIf && onlyIf.values.some((value) => value === omitted) ? undefined : onlyIf.field;
}

/** Fields that a test's text does not speak of, though those that it shows have no effect without them. */
function unmetIn(effect: Effect, all: readonly Entity[]): string[] {
  if ('forPeople' in effect) return [];
  const paths =
    'case' in effect
      ? [`cases/${effect.case}.yaml`]
      : [effect.test[0], ...(effect.rows ? [effect.rows] : [])];
  const text = paths.map(textOf).join(' ');
  const needed = entitiesOf(effect, all).flatMap(({ key, fields }) =>
    words(effect.fields).flatMap((name) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      const needed = field && neededBy(field, fields);
      return needed === undefined ? [] : [[`${key}.${name}`, needed] as const];
    }),
  );
  const silent = needed.filter(([, field]) => !new RegExp(`\\b${field}\\b`).test(text));
  return silent.map(([name, field]) => `${name} needs ${field}, of which its test does not speak`);
}

/** What is wrong with a table of effects for these entities. */
function faultsOf(table: readonly Effect[], all: readonly Entity[]): string[] {
  const told = new Map<string, number>();
  const unknown = table.flatMap((effect) => {
    const of = entitiesOf(effect, all);
    for (const { key, fields } of of)
      for (const field of words(effect.fields))
        if (Object.hasOwn(fields, field)) told.set(`${key}.${field}`, (told.get(`${key}.${field}`) ?? 0) + 1);
    const absent = words(effect.fields).filter(
      (field) => !of.some(({ fields }) => Object.hasOwn(fields, field)),
    );
    const strangers = words(effect.of ?? '').filter(
      (key) => key !== '' && !all.some((one) => one.key === key),
    );
    return [...absent, ...strangers].map((name) => `${name} is in the table, and nowhere else`);
  });
  const missing = all.flatMap(({ key, fields }) =>
    Object.keys(fields).flatMap((field) => {
      const times = told.get(`${key}.${field}`) ?? 0;
      return times === 1 ? [] : [`${key}.${field} has ${times} entries, and needs one`];
    }),
  );
  const unmet = table.flatMap((effect) => unmetIn(effect, all));
  return [...unknown, ...missing, ...table.flatMap(testFaults), ...unmet];
}

test('of every field of every entity, a test shows the effect, or it is for people only', () => {
  assert.deepEqual(faultsOf(effects, entities), []);
});

test('a field without an entry, a test that is not there, and a stranger in the table are told', () => {
  const [first, ...others] = entities;
  assert.ok(first);
  const [name = ''] = Object.keys(first.fields);
  const added = { ...first, fields: { ...first.fields, Added: first.fields[name] as never } };
  const cases: readonly (readonly [readonly Effect[], readonly Entity[], RegExp])[] = [
    [effects, [added, ...others], /Publisher\.Added has 0 entries/],
    [[...effects, { fields: 'Id', forPeople: 'said a second time' }], entities, /Publisher\.Id has 2 entries/],
    [[...effects, { fields: 'Moon', forPeople: 'there is no such field' }], entities, /Moon is in the table/],
    [[{ fields: 'Id', test: ['entities/no.test.ts', 'x'] }], entities, /there is no test entities\/no\.test\.ts/],
    [[{ fields: 'Id', test: ['launch.test.ts', 'no such test'] }], entities, /has no test "no such test"/],
    [[{ fields: 'AutoOptimize', test: ['launch.test.ts', 'x'] }], entities, /does not speak of it/],
    [[{ fields: 'Id', forPeople: '' }], entities, /no reason/],
    [[{ fields: 'SeatListMode', test: ['launch.test.ts', 'x'] }], entities, /SeatListMode needs SeatList/],
  ]; // biome-ignore format: a table
  for (const [table, all, says] of cases) assert.match(faultsOf(table, all).join('\n'), says);
});

test('nothing says of a field that it is without effect', () => {
  for (const { key, fields } of entities) {
    for (const [field, { help }] of Object.entries(fields))
      assert.doesNotMatch(help, /without effect|no effect|is a note|nothing is fetched/, `${key}.${field}`);
  }
  for (const page of globSync('docs/reference/*.md', { cwd: new URL('../../', import.meta.url) }))
    assert.doesNotMatch(
      readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8'),
      /without effect|notes for people/i,
    );
});
