import type { Entity } from '../entities/entity.ts';
import { type Fault, invalid, pathOf } from '../fields/fault.ts';
import type { StoredObject, Transaction } from '../store/interface.ts';
import type { Context } from './context.ts';
import { entityTag } from './http/entity-tag.ts';
import { compilePresenter } from './present.ts';
import { newFigures, type ShownFigures } from './shown-figures.ts';

interface AnswerExtras {
  readonly figures: ShownFigures | undefined;
  readonly warnings: readonly object[] | undefined;
}

/** `Status`, and the object under its wrapper. */
export function compilePostAnswer(entity: Entity, context: Pick<Context, 'links' | 'now'>) {
  const present = compilePresenter(entity, 'posted');
  return (object: StoredObject, { figures, warnings = [] }: Partial<AnswerExtras> = {}) => ({
    body: JSON.stringify({
      Status: 'Ok',
      [entity.wrapper]: present(object, context.links(), figures ?? newFigures(context.now())),
      ...(warnings.length > 0 && { Warnings: warnings }),
    }),
    headers: { etag: entityTag(object) },
  });
}

/** Another team's counts as not found too (reference, W10). */
export function notFoundFault(entity: Entity, id: number): Fault {
  const Message = `${entity.title} ${id} is not found`;
  return { Path: pathOf(entity.wrapper, 'Id'), Code: 'not_found', Message };
}

/** The team's object with that ID; refuses with `invalid` if there is none. */
export async function requireObject(
  transaction: Transaction,
  entity: Entity,
  id: number,
): Promise<StoredObject> {
  const object = await transaction.find(entity, id);
  if (!object) throw invalid([notFoundFault(entity, id)]);
  return object;
}
