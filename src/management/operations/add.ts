import type { Entity } from '../../entities/entity.ts';
import { withArticle } from '../../entities/with-article.ts';
import { invalid } from '../../fields/fault.ts';
import type { StoredObject, Transaction } from '../../store/interface.ts';
import { writer } from '../endpoint/access.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { flag } from '../endpoint/parameter.ts';
import { compileFigures } from '../figures.ts';
import { compileCheck } from '../input/validation.ts';
import {
  type ObjectInput,
  objectWriteOf,
  readInput,
  repeatedValueFaults,
  storeFaults,
} from '../object-input.ts';
import { perform, type WriteJob } from '../perform.ts';
import { compilePostAnswer, requireObject } from '../post-answer.ts';
import { addSchema } from '../schemas.ts';
import { makeSecrets } from '../secrets.ts';
import { compileWarnings } from '../warnings.ts';
import { type EntityOperation, operationOn, storedObject } from './entity-operation.ts';
import { addExample } from './examples.ts';
import { formHint, objectOrForm } from './object-body.ts';

/** By default it is whoever adds the object. */
function isManaged(entity: Entity): boolean {
  return Object.values(entity.fields).some(
    ({ place, presence }) => place.kind === 'manager' && presence === 'optional',
  );
}

/** `warningsOf` finds its warnings. */
export interface Addition {
  readonly input: ObjectInput;
  readonly userId: number;
  readonly warningsOf: ReturnType<typeof compileWarnings>;
}

/** With its secrets. Refuses with `invalid` and all faults. */
export async function addObject(
  transaction: Transaction,
  entity: Entity,
  { input, userId, warningsOf }: Addition,
): Promise<{ object: StoredObject; warnings: readonly object[] | undefined }> {
  const document = { ...input.document, ...makeSecrets(entity) };
  const beside = await storeFaults(transaction, entity, {
    input,
    document,
    id: 0,
    isAddedNext: true,
  });
  const faults = [...input.faults, ...beside];
  if (faults.length > 0) throw invalid(faults);
  const managerId = input.managerId ?? (isManaged(entity) ? userId : undefined);
  // First, because after `add` the transaction must not be used any more.
  const finding = warningsOf(transaction, { document, connections: input.connections });
  const warnings = finding && (await finding);
  const object = await transaction.add(entity, objectWriteOf({ ...input, document, managerId }));
  if (object) return { object, warnings };
  throw invalid(repeatedValueFaults(entity, document));
}

/** In the same transaction. */
async function deactivated(transaction: Transaction, entity: Entity, object: StoredObject) {
  await transaction.setStatus(entity, object, 1);
  return requireObject(transaction, entity, object.id);
}

/** Stores a new object, active unless it is to start inactive. */
export const add: EntityOperation = (entity) =>
  defineEndpoint({
    ...operationOn(entity, 'add'),
    method: 'POST',
    name: `add${entity.key}`,
    summary: `Add ${entity.title}`,
    description: `Adds ${withArticle(entity)}: ${entity.help}. It is active at once unless \`Inactive\` is 1, and the answer contains it with its Id and all derived fields. Members that only answers have are ignored.${formHint(entity)}`,
    access: writer,
    parameters: { Inactive: flag('1 = it starts inactive, for example because it is not ready to serve') },
    etag: 'answered',
    accepts: objectOrForm(entity, { schema: addSchema(entity), example: () => addExample(entity) }),
    returns: storedObject(entity),
    serve(context) {
      const check = compileCheck(addSchema(entity));
      const warningsOf = compileWarnings(entity, context);
      const posted = compilePostAnswer(entity, context);
      const figures = compileFigures(entity, context);
      return async (call) => {
        const input = await readInput(entity, call.body, check, true);
        const { userId } = call.caller;
        const isInactive = call.parameters.Inactive === 1;
        const job: WriteJob = async (transaction) => {
          const { object, warnings } = await addObject(transaction, entity, { input, userId, warningsOf });
          const stored = isInactive ? await deactivated(transaction, entity, object) : object;
          return posted(stored, { figures: await figures.one(stored), warnings });
        };
        return perform(context, call, job, { isOfMany: isInactive });
      };
    },
  });
