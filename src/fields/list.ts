import { type Static, type TSchema, Type } from 'typebox';
import { countryName } from '../reference/countries.ts';
import { creativeAttributes as knownAttributes } from '../reference/creative-attributes.ts';
import { documentField, type FieldOptions, type Labels } from './field.ts';
import { mimePattern, mimeWants } from './text.ts';

const itemsMax = 10_000;

function listOf<S extends TSchema>(item: S, row: FieldOptions) {
  return documentField(Type.Array(item, { maxItems: itemsMax }), { omitted: [], ...row });
}

export function sizes(row: FieldOptions) {
  const size = Type.String({
    pattern: '^[1-9]\\d{0,4}x[1-9]\\d{0,4}$',
    maxLength: 64,
    'x-wants': 'must be a size WIDTHxHEIGHT, like 640x360',
  });
  return listOf(size, { example: ['640x360'], ...row });
}

export function mailAddresses({ max, ...row }: FieldOptions & { max: number }) {
  const address = Type.String({ format: 'mail', minLength: 1, maxLength: 320 });
  const schema = Type.Array(address, { maxItems: max });
  return documentField(schema, { omitted: [], example: ['desk@example.com'], ...row });
}

export function mimeTypes(row: FieldOptions) {
  const type = Type.String({ pattern: mimePattern, maxLength: 255, 'x-wants': mimeWants });
  return listOf(type, { example: ['video/mp4'], ...row });
}

export function iabCategories(row: FieldOptions) {
  const name = Type.String({ format: 'iab-category', minLength: 1, maxLength: 64 });
  return listOf(name, { example: ['IAB1', 'IAB9-30'], ...row });
}

export function labelsOf(list: readonly { readonly Id: number; readonly Name: string }[]): Labels {
  return Object.fromEntries(list.map(({ Id, Name }) => [Id, Name]));
}

export function codes(row: FieldOptions & { of: Labels; list: string }) {
  const { of: labels, list, ...rest } = row;
  const known = Object.keys(labels).map(Number);
  const code = Type.Integer({ enum: known, 'x-wants': `is not a code of ${list}` });
  return { ...listOf(code, { example: known.slice(0, 2), ...rest }), labels };
}

/** AdCOM's 1 to 23, and vendors' own from 500. */
export function creativeAttributes(row: FieldOptions) {
  const attribute = Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    not: { type: 'integer', exclusiveMinimum: 23, exclusiveMaximum: 500 },
    'x-wants': 'must be a creative attribute of /api/info/creativeattributes (1 to 23), or 500 and over',
  });
  return { ...listOf(attribute, { example: [1, 2], ...row }), labels: labelsOf(knownAttributes) };
}

const countryAccepted = Type.Array(
  Type.Object(
    {
      CC: Type.String({ format: 'country', minLength: 1, maxLength: 64 }),
      Country: Type.Optional(Type.String()),
    },
    { additionalProperties: false },
  ),
  { maxItems: itemsMax },
);
const countryReturned = Type.Array(
  Type.Object({ CC: Type.String(), Country: Type.String() }, { additionalProperties: false }),
);

/** `{ CC }` in, `{ CC, Country }` out, each once (reference, "Values"). Stored as bare codes. */
export function countries(row: FieldOptions) {
  return {
    ...documentField(countryAccepted, { omitted: [], example: [{ CC: 'US' }, { CC: 'DE' }], ...row }),
    returns: countryReturned,
    clean: (value: Static<typeof countryAccepted>) => [...new Set(value.map(({ CC }) => CC))],
    present: (stored: unknown) => (stored as string[]).map((CC) => ({ CC, Country: countryName(CC) ?? CC })),
    resend: (stored: unknown) => (stored as string[]).map((CC) => ({ CC })),
  };
}

const versionPart = Type.String({ pattern: '^\\d{0,6}$', 'x-wants': 'must be digits, or "" for any' });

function familiesWith<V extends TSchema>(format: 'os-family' | 'browser-family', version: V) {
  const family = Type.Object(
    {
      Family: Type.String({ format, minLength: 1, maxLength: 64 }),
      Versions: Type.Optional(Type.Array(version, { maxItems: itemsMax })),
    },
    { additionalProperties: false },
  );
  return Type.Array(family, { maxItems: itemsMax });
}

/** Each with versions, or none for all (reference, "Values"). */
export function families({ format, ...row }: FieldOptions & { format: 'os-family' | 'browser-family' }) {
  const closed = { additionalProperties: false };
  const part = Type.Optional(versionPart);
  const accepts = familiesWith(format, Type.Object({ Major: part, Minor: part }, closed));
  const returns = familiesWith(format, Type.Object({ Major: versionPart, Minor: versionPart }, closed));
  const clean = (value: Static<typeof accepts>): Static<typeof returns> =>
    value.map(({ Family, Versions = [] }) => {
      if (Versions.length === 0) return { Family };
      return { Family, Versions: Versions.map(({ Major = '', Minor = '' }) => ({ Major, Minor })) };
    });
  return { ...documentField(accepts, { omitted: [], ...row }), returns, clean };
}

const pathName = Type.String({
  pattern: '^.{0,255}$',
  'x-wants': 'must have paths of at most 255 characters',
});

/** Dotted paths with string values (DSP RTB EP `CustomParams`). */
export function pathValues(row: FieldOptions) {
  const schema = Type.Record(
    Type.String({ pattern: '^[A-Za-z_]\\w*(\\.\\w+)*$' }),
    Type.String({ maxLength: 1024 }),
    { additionalProperties: false, propertyNames: pathName, maxProperties: itemsMax },
  );
  return documentField(schema, { omitted: {}, example: { 'imp.tagid': 'home' }, ...row });
}
