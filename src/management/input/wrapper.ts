import type { Entity } from '../../entities/entity.ts';
import { invalid } from '../../fields/fault.ts';
import { isObject } from '../../protocols/json.ts';
import { ownMember } from '../../reference/own-member.ts';
import type { Values } from '../../store/interface.ts';

const keysShownMax = 10;

/** Below the body's one wrapper key (reference, W4). */
export function unwrap(wrapper: string, body: unknown): Values {
  const expected = `the body must be an object with exactly one key, \`${wrapper}\``;
  if (!isObject(body)) throw invalid([{ Path: '', Code: 'wrapper', Message: expected }]);
  const keys = Object.keys(body);
  if (keys.length !== 1 || keys[0] !== wrapper) {
    const found =
      keys.length === 0
        ? 'none'
        : keys
            .slice(0, keysShownMax)
            .map((key) => `\`${key.slice(0, 64)}\``)
            .join(', ');
    throw invalid([{ Path: '', Code: 'wrapper', Message: `${expected}; found ${found}` }]);
  }
  const inner = ownMember(body, wrapper);
  if (isObject(inner)) return inner;
  throw invalid([{ Path: wrapper, Code: 'type', Message: 'must be an object' }]);
}

/** Without members of answers only, so that a fetched object can be sent back (reference, W5). */
export function withoutDerived(entity: Entity, values: Values, keep: readonly string[] = []): Values {
  const isKept = (name: string) =>
    keep.includes(name) || !Object.hasOwn(entity.fields, name) || entity.fields[name]?.presence !== 'derived';
  return Object.fromEntries(Object.entries(values).filter(([name]) => isKept(name)));
}
