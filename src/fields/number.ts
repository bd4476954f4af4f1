import { Type } from 'typebox';
import { documentField, type FieldOptions, type Labels } from './field.ts';

/** On the wire. */
export const intMax = 2_147_483_647;
const moneyMax = 1_000_000;

/** 0 to 2,147,483,647. */
export function int(row: FieldOptions) {
  return documentField(Type.Integer({ minimum: 0, maximum: intMax }), { omitted: 0, ...row });
}

/** From 0. */
export function intUpTo(max: number, row: FieldOptions) {
  return documentField(Type.Integer({ minimum: 0, maximum: max }), { omitted: 0, ...row });
}

/** The least value is the omitted one unless the row says another. */
export const intFrom = (min: number, max: number, row: FieldOptions) =>
  documentField(Type.Integer({ minimum: min, maximum: max }), { omitted: min, ...row });

/** A vendor of the Global Vendor List; 0 = none. Consent strings have 16 bits for it. */
export const gvlId = (row: FieldOptions) => intUpTo(65_535, { example: 755, ...row });

export const idSchema = Type.Integer({ minimum: 1, maximum: intMax });

export function flag(row: FieldOptions) {
  return documentField(Type.Integer({ enum: [0, 1], 'x-wants': 'must be 0 or 1' }), { omitted: 0, ...row });
}

/** Omitted, it is stored as 0, even if that is no code. */
export function choice(row: FieldOptions & { codes: Labels }) {
  const { codes: labels, ...rest } = row;
  const codes = Object.keys(labels).map(Number);
  const wants = `must be one of ${codes.join(', ')}`;
  const schema = Type.Integer({ enum: codes, 'x-wants': wants });
  return { ...documentField(schema, { omitted: 0, example: codes[0], ...rest }), labels };
}

/** Distinguishes no choice: omitted, it is stored as null and shown as 0. */
export function optionalChoice(row: FieldOptions & { codes: Labels }) {
  return {
    ...choice(row),
    omitted: null,
    present: (stored: unknown) => (typeof stored === 'number' ? stored : 0),
  };
}

function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

function decimal(row: FieldOptions & { max: number }) {
  return documentField(Type.Number({ minimum: 0, maximum: row.max }), { omitted: 0, clean: rounded, ...row });
}

/** May be negative; at most six decimals. */
export const figure = (row: FieldOptions) =>
  documentField(Type.Number({ minimum: -1e12, maximum: 1e12 }), { omitted: 0, clean: rounded, ...row });

/** From 0. */
export const amount = (row: FieldOptions) => decimal({ max: 1e12, ...row });

/** 0 to 100 unless the row says more. */
export const percent = (row: FieldOptions & { max?: number }) =>
  decimal({ max: 100, example: 20, unit: '%', ...row });

/** USD, 0 to 1,000,000, at most six decimals. */
export const usd = (row: FieldOptions) => decimal({ max: moneyMax, example: 250, unit: 'USD', ...row });

/** For a click, in the `Currency` of the object. */
export const cpc = (row: FieldOptions) => decimal({ max: moneyMax, unit: 'CPC', ...row });

/** For 1,000 impressions, in the `Currency` of the object. */
export const cpm = (row: FieldOptions) => decimal({ max: moneyMax, example: 1.5, unit: 'CPM', ...row });
