import { type TUnsafe, Type } from 'typebox';
import { isRate, type Measure } from '../reference/measures.ts';

/** A rate, and a sum of amounts that are not alike, may also be null. */
export function measureSchema(measure: Measure): TUnsafe<number | null> {
  const { help, unit, by } = measure;
  const more = unit ? { 'x-unit': unit } : {};
  if (!isRate(measure) && !by) return Type.Unsafe(Type.Number({ description: help, ...more }));
  const description = `${help}; null ${by ? `in a sum over each ${by}` : 'if there is nothing to divide by'}`;
  return Type.Unsafe(Type.Union([Type.Number(), Type.Null()], { description, ...more }));
}
