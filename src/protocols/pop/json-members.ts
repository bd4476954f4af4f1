import { parseJson } from '../json.ts';
import { depthMax, type Members, membersMax, normalizedName } from './members.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function shallow(value: Readonly<Record<string, unknown>>): Members {
  const members = new Map<string, string>();
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'string' || typeof member === 'number')
      members.set(normalizedName(name), String(member));
  }
  return members;
}

/** Of every object, outer ones first; undefined if it is no JSON. */
export function jsonMembers(text: string): Members[] | undefined {
  const document = parseJson(text);
  if (document === undefined) return undefined;
  let level = [document];
  const found: Members[] = [];
  for (let depth = 0; depth < depthMax && level.length > 0; depth += 1) {
    const objects = level.filter(isObject).slice(0, membersMax);
    for (const object of objects) if (!Array.isArray(object)) found.push(shallow(object));
    level = objects.flatMap((object) => Object.values(object)).filter(isObject);
  }
  return found;
}
