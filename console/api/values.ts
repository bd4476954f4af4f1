import type { Values } from './answers.ts';

export const hasMembers = (value: unknown): value is Values => typeof value === 'object' && value !== null;

/** The items of a field that holds an array; none of another. */
export const itemsIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The rows of a field that holds an array of them. */
export const rowsIn = (value: unknown): readonly Values[] => itemsIn(value).filter(hasMembers);

/** The numbers of a field that holds an array of them. */
export const numbersIn = (value: unknown): readonly number[] =>
  itemsIn(value).filter((item) => typeof item === 'number');

/** The texts of a field that holds an array of them. */
export const textsIn = (value: unknown): readonly string[] =>
  itemsIn(value).filter((item) => typeof item === 'string');
