import { type TSchema, Type } from 'typebox';
import { closedObject } from '../../answers/wire-schema.ts';
import type { Entity } from '../../entities/entity.ts';
import { connectionField, type ServedKind, servedKindNames } from '../../entities/kinds.ts';
import { entityOf } from '../../entities/registry.ts';
import type { Fault } from '../../fields/fault.ts';
import { isObject } from '../../protocols/json.ts';
import type { Values } from '../../store/interface.ts';
import { updateSchema } from '../schemas.ts';

/** Unsaved values in stored form, every field filled. */
export interface Draft {
  readonly entity: string;
  readonly id: number;
  readonly teamId: number;
  readonly ownerId: number | undefined;
  readonly status: number;
  readonly settings: Values;
  readonly connections: Readonly<Record<string, readonly number[]>>;
}

export interface SentDraft {
  readonly entity: Entity;
  readonly path: string;
  readonly values: Values;
}

/** Kinds of demand it can be connected to, and its own kind. */
function draftKinds({ key }: Entity): readonly ServedKind[] {
  return servedKindNames.filter((kind) => kind === key || connectionField(kind, key as ServedKind) !== '');
}

export function draftSchema(entity: Entity): TSchema {
  const { Id: _, ...own } = updateSchema(entity).properties;
  const others = draftKinds(entity).filter((kind) => kind !== entity.key);
  return Type.Unsafe<unknown>({
    description:
      'Values that are not saved: of the object itself, or of one demand object, under the key of its entity and with its Id',
    anyOf: [
      closedObject(own),
      ...others.map((kind) => closedObject({ [kind]: updateSchema(entityOf(kind)) })),
    ],
  });
}

/** Undefined if there are none. */
export function readDraft(asked: Entity, sent: unknown): SentDraft | undefined | readonly Fault[] {
  if (sent === undefined) return undefined;
  const kinds = draftKinds(asked);
  const wants = `must be an object with values of ${asked.title}, or with one of \`${kinds.join('`, `')}\` that contains them`;
  if (!isObject(sent)) return [{ Path: 'Draft', Code: 'type', Message: wants }];
  const named = kinds.filter((kind) => Object.hasOwn(sent, kind));
  const [kind] = named;
  if (kind === undefined) return { entity: asked, path: 'Draft', values: sent };
  const values = sent[kind];
  const path = `Draft.${kind}`;
  if (Object.keys(sent).length > 1) return [{ Path: 'Draft', Code: 'wrapper', Message: wants }];
  if (!isObject(values)) return [{ Path: path, Code: 'type', Message: 'must be an object' }];
  return { entity: entityOf(kind), path, values };
}
