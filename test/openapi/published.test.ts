import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { faultCodes } from '../../src/answers/failure.ts';
import { demandKindNames } from '../../src/entities/kinds.ts';
import { entities } from '../../src/entities/registry.ts';
import { type Format, type FormatName, formats } from '../../src/fields/formats.ts';
import { sections } from '../../src/fields/section-names.ts';
import { endpoints } from '../../src/management/endpoints.ts';
import { openApiDocument } from '../../src/management/openapi/document.ts';
import { formatValues } from '../fuzz/format-values.ts';
import { seeded } from '../support/seed.ts';
import { type ApiDocument, type Json, operationsOf } from './document.ts';

const links = { baseUrl: 'https://exchange.example', regions: [{ name: 'eu', url: 'https://eu.example' }] };
const document = JSON.parse(JSON.stringify(openApiDocument(endpoints, links))) as ApiDocument;

/** Every object within a value. */
function* objectsIn(value: unknown): Generator<Json> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Json;
  for (const member of Object.values(value)) yield* objectsIn(member);
}

const propertiesOf = (name: string) =>
  (document.components.schemas[name]?.properties ?? {}) as Readonly<Record<string, Json>>;

describe('what every field tells', () => {
  for (const { key, fields } of entities) {
    test(`${key}: a section that forms know, in the document too`, () => {
      for (const [name, { section, unit, isAdvanced, isWriteOnly }] of Object.entries(fields)) {
        assert.ok(Object.hasOwn(sections, section), `${key}.${name}: ${section}`);
        const shown = propertiesOf(isWriteOnly ? `New${key}` : key)[name];
        assert.equal(shown?.['x-section'], section, name);
        assert.equal(shown?.['x-unit'], unit, name);
        assert.equal(shown?.['x-advanced'], isAdvanced, name);
      }
    });

    test(`${key}: a unit where it is an amount or a limit`, () => {
      const measured =
        /(Limit|LimitPerIp|Qps|Tmax|Revenue|FillRate|Bidfloor|Cpm|Cpc|Width|Height|Share|Margin)$/;
      const without = Object.entries(fields).filter(
        ([name, { unit, accepts }]) =>
          measured.test(name) && (accepts as Json).type !== 'string' && unit === undefined,
      );
      assert.deepEqual(
        without.map(([name]) => name),
        [],
      );
    });

    test(`${key}: a title for each code`, () => {
      for (const [name, { labels, accepts }] of Object.entries(fields)) {
        const { enum: values = [] } = ((accepts as Json).items ?? accepts) as {
          readonly enum?: readonly unknown[];
        };
        if (values.length === 0 || (values.every((value) => value === 0 || value === 1) && !labels)) continue;
        if (typeof values[0] === 'string') continue;
        assert.deepEqual(Object.keys(labels ?? {}).map(Number), values, `${key}.${name}`);
        const shown = propertiesOf(key)[name];
        const { oneOf } = (shown?.items ?? shown) as { readonly oneOf: readonly Json[] };
        assert.deepEqual(
          oneOf.map((choice) => [choice.const, choice.title]),
          Object.entries(labels ?? {}).map(([code, label]) => [Number(code), label]),
        );
      }
    });
  }

  test('no section is there for nothing', () => {
    const used = new Set(
      entities.flatMap(({ fields }) => Object.values(fields).map(({ section }) => section)),
    );
    assert.deepEqual([...used].sort(), Object.keys(sections).sort());
  });
});

describe('the document', () => {
  test('keeps to itself what only the checks of the server read', () => {
    const keywords = new Set([...objectsIn(document)].flatMap((one) => Object.keys(one)));
    for (const internal of ['x-wants', 'x-macros', 'x-labels']) assert.ok(!keywords.has(internal), internal);
  });

  test('names no format that validators do not know', () => {
    const named = [...objectsIn(document.paths), ...objectsIn(document.components)].flatMap(({ format }) =>
      typeof format === 'string' ? [format] : [],
    );
    assert.deepEqual([...new Set(named)], ['binary']);
  });

  test('lists every kind of fault with its meaning', () => {
    const { Errors } = propertiesOf('Failure') as Record<
      string,
      { readonly items: { readonly properties: { readonly Code: { readonly oneOf: readonly Json[] } } } }
    >;
    const oneOf = Errors?.items.properties.Code.oneOf ?? [];
    assert.deepEqual(Object.fromEntries(oneOf.map((choice) => [choice.const, choice.title])), faultCodes);
  });

  test('describes each operation in words of its own', () => {
    const byText = Map.groupBy(operationsOf(document), ({ operation }) => operation.description);
    const shared = [...byText.values()].filter((found) => found.length > 1);
    // The same answer by GET and by POST.
    const names = shared.map((found) => found.map(({ name }) => name));
    assert.deepEqual(names, [['GET /api/auth/apikey/get', 'POST /api/auth/apikey/get']]);
    for (const { name, operation } of operationsOf(document)) {
      assert.ok(operation.description.length >= 60, `${name}: ${operation.description}`);
      assert.match(operation.description, /[.:]$/, name);
    }
    for (const { title, path, help } of entities) {
      for (const { name, operation } of operationsOf(document).filter((found) =>
        found.path.startsWith(`/api/${path}/`),
      )) {
        assert.ok(operation.description.includes(title), name);
      }
      assert.ok(document.paths[`/api/${path}/add`]?.post?.description.includes(help), title);
    }
  });
});

test('every kind that a publisher owns is explained, and a parameter of the auctions', () => {
  const supplies = entities.filter(({ owner }) => owner?.entity === 'Publisher').map(({ key }) => key);
  const media = document.paths['/api/exchange/explain']?.post?.requestBody?.content?.['application/json'];
  const { oneOf = [] } = (media?.schema ?? {}) as {
    readonly oneOf?: readonly { readonly required: readonly string[] }[];
  };
  assert.deepEqual(
    oneOf.map(({ required }) => required),
    supplies.map((key) => [key]),
  );
  const parameters = document.paths['/api/exchange/auctions']?.get?.parameters?.map(({ name }) => name);
  assert.deepEqual(parameters, [...supplies, ...demandKindNames, 'Reason', 'Limit']);
});

describe('the pattern of a format', () => {
  const rows = Object.entries<Format>(formats).filter(([, { pattern }]) => pattern !== undefined);
  for (const [name, { test: admits, pattern = '' }] of rows) {
    test(`${name} matches all that is admitted, and the empty text`, () => {
      const expression = new RegExp(pattern, 'u');
      assert.match('', expression);
      const values = formatValues(name as FormatName);
      assert.ok(values);
      fc.assert(
        fc.property(values, (value) => {
          if (admits(value)) assert.match(value, expression);
        }),
        seeded(200),
      );
    });
  }
});
