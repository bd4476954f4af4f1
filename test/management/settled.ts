import { entities } from '../../src/entities/registry.ts';
import type { Values } from './api.ts';

const kinds: readonly string[] = ['alertState', 'dealState'];
const names = new Set(
  entities.flatMap(({ fields }) =>
    Object.entries(fields).flatMap(([name, { place }]) => (kinds.includes(place.kind) ? [name] : [])),
  ),
);

/** Without what follows from other fields, or changes with time: an alert is judged each minute. */
export const settled = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.has(name)));
