import type { Entity } from '../../entities/entity.ts';
import { withArticle } from '../../entities/with-article.ts';
import { invalid } from '../../fields/fault.ts';
import { ownMember } from '../../reference/own-member.ts';
import type { StoredObject, Transaction, Values } from '../../store/interface.ts';
import { checkChange } from '../check-change.ts';
import { writer } from '../endpoint/access.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { compileFigures } from '../figures.ts';
import { assertMatch } from '../http/entity-tag.ts';
import { compileCheck } from '../input/validation.ts';
import { type ObjectInput, objectWriteOf, readInput } from '../object-input.ts';
import { perform } from '../perform.ts';
import { compilePostAnswer, requireObject } from '../post-answer.ts';
import { updateSchema } from '../schemas.ts';
import { compileWarnings } from '../warnings.ts';
import { type EntityOperation, operationOn, storedObject } from './entity-operation.ts';
import { updateExample } from './examples.ts';
import { formHint, objectOrForm } from './object-body.ts';

export interface Update {
  readonly input: ObjectInput;
  /** As sent, including ignored ones. */
  readonly values: Values;
  readonly ifMatch?: string | undefined;
}

/** Leaves choices open that nobody made and that were sent back as shown. */
function withoutOpenChoices({ fields }: Entity, sent: Values, stored: Values): Values {
  const isUnmade = (name: string) =>
    ownMember(fields, name)?.omitted === null && (ownMember(stored, name) ?? null) === null;
  return Object.fromEntries(
    Object.entries(sent).filter(
      ([name, value]) => !(isUnmade(name) && ownMember(fields, name)?.present?.(null) === value),
    ),
  );
}

/** Refuses with `invalid` and all faults, or with `changed_meanwhile`. */
export async function updateObject(
  transaction: Transaction,
  entity: Entity,
  { input, values, ifMatch }: Update,
): Promise<StoredObject> {
  const { current, faults } = await checkChange(transaction, entity, { input, values });
  if (faults.length > 0 || !current) throw invalid(faults);
  assertMatch(ifMatch, current);
  const document = withoutOpenChoices(entity, input.document, current.document);
  await transaction.update(entity, current, objectWriteOf({ ...input, document }));
  return requireObject(transaction, entity, current.id);
}

/** Changes only the fields that are sent (reference, "Resources"). */
export const update: EntityOperation = (entity) =>
  defineEndpoint({
    ...operationOn(entity, 'update'),
    method: 'POST',
    name: `update${entity.key}`,
    summary: `Update ${entity.title}`,
    description: `Changes ${withArticle(entity)} by its Id: only the fields that are sent; the others keep their values. \`[]\` and \`""\` clear a field. The answer contains the whole object. Members that only answers have are ignored.${formHint(entity)}`,
    access: writer,
    etag: 'If-Match',
    accepts: objectOrForm(entity, {
      schema: updateSchema(entity),
      example: () => updateExample(entity),
      kept: ['Id'],
    }),
    returns: storedObject(entity),
    serve(context) {
      const check = compileCheck(updateSchema(entity));
      const posted = compilePostAnswer(entity, context);
      const warningsOf = compileWarnings(entity, context);
      const figures = compileFigures(entity, context);
      return async (call) => {
        const { body, ifMatch } = call;
        const input = await readInput(entity, body, check, false);
        return perform(context, call, async (transaction) => {
          const object = await updateObject(transaction, entity, { input, values: body.values, ifMatch });
          const { id, document, derived: connections } = object;
          const warnings = await warningsOf(transaction, { id, document, connections });
          return posted(object, { figures: await figures.one(object), warnings });
        });
      };
    },
  });
