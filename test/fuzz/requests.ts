import fc from 'fast-check';
import { entities } from '../../src/entities/registry.ts';
import type { ApiDocument, Found, Json } from '../openapi/document.ts';
import { drawn } from './drawn.ts';
import { listTexts, moments, urls } from './format-values.ts';
import { type Making, schemaValues } from './schema-values.ts';
import { type Spoil, spoiling } from './spoiling.ts';

/** Whose token a request carries. */
export type Who =
  | 'administrator'
  | 'manager'
  | 'analyst'
  | 'apiKey'
  | 'other'
  | 'fresh'
  | 'nonsense'
  | 'nobody';

/** One request as it was made, before anything is drawn; small enough to be printed. */
export interface FuzzCase {
  /** `POST /api/tag/add`. */
  readonly name: string;
  readonly who: Who;
  readonly query: readonly (readonly [name: string, value: unknown])[];
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** How the body travels. */
  readonly form: 'json' | 'multipart' | 'broken' | 'none';
  readonly spoils: readonly Spoil[];
  /** Whether it is sent again at once, under the same key. */
  readonly isRepeated: boolean;
}

type Weighted<T> = readonly (readonly [weight: number, value: T])[];

function weighted<T>(rows: Weighted<T>): fc.Arbitrary<T> {
  return fc.oneof(...rows.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));
}

/** The value so many times of a hundred, else none. */
function sometimes<T>(percent: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof(
    { weight: 100 - percent, arbitrary: fc.constant(undefined) },
    { weight: percent, arbitrary },
  );
}

/** Which entity's objects a member of that name holds IDs of, as the field tables tell. */
const references = new Map(
  entities.flatMap(({ fields }) =>
    Object.entries(fields).flatMap(([name, field]) =>
      field.references === undefined ? [] : [[name, field.references] as const],
    ),
  ),
);
/** Macros that a URL of that name may hold, as the field tables tell. */
const macros = new Map(
  entities.flatMap(({ fields }) =>
    Object.entries(fields).flatMap(([name, field]) => (field.macros ? [[name, field.macros] as const] : [])),
  ),
);
const momentNames = new Set(['AsOf', 'From', 'To', 'ExpiresAt']);
const textNames = new Set(['ListText', 'File']);

/** The entity whose operation a path is. */
export const entityAt = (path: string) => entities.find((entity) => path.startsWith(`/api/${entity.path}/`));

/** What is drawn for a member `Id` of an operation. */
function idKind(path: string): string {
  return path.includes('/apikey/') ? 'ApiKey' : (entityAt(path)?.key ?? 'Any');
}

function drawnIds(kind: string, schema: Json): fc.Arbitrary<unknown> | undefined {
  if (schema.type === 'array') return fc.array(drawn(kind), { maxLength: 3 });
  return schema.type === 'integer' ? drawn(kind) : undefined;
}

/** Members of saved reports whose rules are about each other, for which schemas have no word. */
const reportValues = new Map<string, fc.Arbitrary<unknown>>([
  ...['From', 'To', 'PivotBy'].map((name) => [name, fc.constant('')] as const),
  ...['Filters', 'OrderBy'].map((name) => [name, fc.constant([])] as const),
  ['TimeZone', fc.constantFrom('', 'Europe/Berlin', 'Asia/Kathmandu')],
  ['GroupBy', fc.constantFrom([], ['Day'], ['Hour', 'Supply'], ['Publisher', 'Country'])],
  ['Measures', fc.constantFrom(['Requests'], ['Revenue', 'Ecpm'])],
  ['Schedule', fc.constant(0)],
]);

/** The same of alerts. */
const alertValues = new Map<string, fc.Arbitrary<unknown>>([
  ['Filters', fc.constant([])],
  ['TimeZone', fc.constantFrom('', 'Europe/Berlin')],
  [
    'Condition',
    fc.constantFrom(
      'Below',
      'Above',
      'FallsBy',
      'Nothing',
      'LimitReached',
      'AdsTxtMissing',
      'CurrencyRefused',
    ),
  ],
  ['Measure', fc.constantFrom('Requests', 'TimeoutRate', 'Profit', 'Refusals')],
  ['MinVolumeOf', fc.constantFrom('Requests', 'Calls')],
  ['Threshold', fc.constantFrom(1, 40, 2.5)],
  ['Window', fc.constantFrom(15, 30, 60, 1440)],
  ['MutedUntil', fc.constantFrom('', '2027-01-31', '2027-01-31T12:00:00Z')],
]);

/** Values of entities whose rules schemas have no word for, by what their operations' paths begin with. */
const valuesOf = [
  ['/api/report/', reportValues],
  ['/api/own/report/', reportValues],
  ['/api/alert/', alertValues],
] as const;

function namedValues(path: string): Making['named'] {
  return (name, schema) => {
    const known = valuesOf.find(([start]) => path.startsWith(start))?.[1].get(name);
    if (known) return known;
    if (path === '/api/auth/login') return drawn(name);
    if (path.startsWith('/api/config/') && name === 'Config') return drawn('Config');
    if (momentNames.has(name)) return moments;
    if (textNames.has(name)) return listTexts(entityAt(path)?.key ?? '');
    if (name === 'Id') return drawnIds(idKind(path), schema);
    if (name === 'UserId') return drawn('User');
    const ofUrl = macros.get(name);
    if (ofUrl) return fc.oneof({ weight: 6, arbitrary: urls(ofUrl) }, fc.constant(''));
    const kind = references.get(name);
    return kind === undefined ? undefined : drawnIds(kind, schema);
  };
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Json;
}

const badTexts = [
  '-1',
  '1.5',
  '1e3',
  '',
  ' 1',
  '0x1',
  '٣',
  'null',
  'true',
  '99999999999999999999',
  '1,2',
  '\u0000',
  '%',
  'é',
];

function queryOf(parameters: readonly Parameter[], making: Making): fc.Arbitrary<FuzzCase['query']> {
  const right = parameters.map(({ name, schema }) =>
    sometimes(
      name === 'Id' ? 60 : 25,
      (making.named(name, schema) ?? schemaValues(schema, making)).map((value) => [name, value] as const),
    ),
  );
  const names = [...parameters.map(({ name }) => name), 'Nonsense', 'id', '__proto__'];
  const wrong = sometimes(8, fc.tuple(fc.constantFrom(...names), fc.constantFrom(...badTexts)));
  return fc
    .tuple(fc.tuple(...right), wrong)
    .map(([rows, bad]) => [...rows, bad].flatMap((row) => (row === undefined ? [] : [row])));
}

const tags = fc.constantFrom('*', '"1"', 'W/"2"', '"3", "4"', 'nonsense', '"', '"9-abc"', '"1-', ',,', 'W/*');

function headersOf(parameters: readonly Parameter[]): fc.Arbitrary<FuzzCase['headers']> {
  const key = weighted<unknown>([
    [60, undefined],
    [30, { drawn: 'FreshKey', pick: 0 }],
    [1, 'x'.repeat(256)],
    [1, 'é'],
  ]);
  const used = drawn('UsedKey');
  const rows = parameters.map(({ name }) => [
    name,
    name === 'Idempotency-Key' ? fc.oneof({ weight: 20, arbitrary: key }, used) : sometimes(15, tags),
  ]);
  return fc.record(Object.fromEntries(rows) as Record<string, fc.Arbitrary<unknown>>);
}

function bodyOf({ operation }: Found, making: Making): fc.Arbitrary<Pick<FuzzCase, 'body' | 'form'>> {
  const { 'application/json': json, 'multipart/form-data': multipart } = operation.requestBody?.content ?? {};
  const values = json ? schemaValues(json.schema, making) : fc.constantFrom<unknown>({}, undefined);
  const whole = values.map((body) => ({
    body,
    form: body === undefined ? ('none' as const) : ('json' as const),
  }));
  const broken = values.map((body) => ({ body, form: 'broken' as const }));
  const forms = multipart
    ? [
        {
          weight: 6,
          arbitrary: schemaValues(multipart.schema, making).map((body) => ({
            body,
            form: 'multipart' as const,
          })),
        },
      ]
    : [];
  return fc.oneof({ weight: 20, arbitrary: whole }, { weight: 1, arbitrary: broken }, ...forms);
}

const usual: Weighted<Who> = [
  [80, 'administrator'],
  [6, 'apiKey'],
  [4, 'manager'],
  [3, 'analyst'],
  [1, 'nonsense'],
  [1, 'nobody'],
];
/** Who ends the token of the request has one of its own. */
const ending: Weighted<Who> = [
  [8, 'fresh'],
  [2, 'apiKey'],
  [1, 'nobody'],
];

const endsToken = (path: string) => /^\/api\/auth\/(refresh|logout)$/.test(path);

/** Requests of one operation, about half of which it takes. */
export function casesOf(document: ApiDocument, found: Found): fc.Arbitrary<FuzzCase> {
  const { name, path, method, operation } = found;
  const resolve = (reference: string) => {
    const parts = reference.slice('#/'.length).split('/');
    return parts.reduce<unknown>((at, part) => (at as Json)[part], document) as Json;
  };
  const making: Making = { resolve, named: namedValues(path) };
  const parameters = (operation.parameters ?? []) as unknown as readonly Parameter[];
  const inPlace = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const isPost = method === 'POST';
  return fc
    .record({
      who: weighted(endsToken(path) ? ending : usual),
      query: queryOf(inPlace('query'), making),
      headers: headersOf(inPlace('header')),
      sent: isPost ? bodyOf(found, making) : fc.constant({ body: undefined, form: 'none' as const }),
      spoils: isPost
        ? fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(spoiling, { maxLength: 2 }))
        : fc.constant([]),
      isRepeated: weighted([
        [9, false],
        [1, isPost],
      ]),
    })
    .map(({ sent, ...rest }) => ({ name, ...rest, ...sent }));
}
