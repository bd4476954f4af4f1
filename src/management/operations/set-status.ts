import { withArticle } from '../../entities/with-article.ts';
import { invalid } from '../../fields/fault.ts';
import { writer } from '../endpoint/access.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { compileFigures } from '../figures.ts';
import { assertMatch } from '../http/entity-tag.ts';
import { compileCheck } from '../input/validation.ts';
import { perform } from '../perform.ts';
import { compilePostAnswer, requireObject } from '../post-answer.ts';
import { idOnlySchema } from '../schemas.ts';
import { type EntityOperation, operationOn, storedObject } from './entity-operation.ts';
import { objectBody } from './object-body.ts';

const check = compileCheck(idOnlySchema);

interface Change {
  readonly operation: 'activate' | 'deactivate';
  readonly word: string;
  readonly state: string;
  /** The end of a sentence. */
  readonly effect: string;
  readonly status: 0 | 1;
}

function setStatus({ operation, word, state, effect, status }: Change): EntityOperation {
  return (entity) =>
    defineEndpoint({
      ...operationOn(entity, operation),
      method: 'POST',
      name: `${operation}${entity.key}`,
      summary: `${word} ${entity.title}`,
      description: `Makes ${withArticle(entity)} ${state} by its Id${effect}. If it is already ${state}, nothing changes.`,
      access: writer,
      etag: 'If-Match',
      accepts: objectBody(entity, { schema: idOnlySchema, example: () => ({ Id: 1 }), kept: ['Id'] }),
      returns: storedObject(entity),
      serve(context) {
        const posted = compilePostAnswer(entity, context);
        const figures = compileFigures(entity, context);
        return async (call) => {
          const { sent, faults: known } = call.body;
          const faults = [...known, ...check(sent, entity.wrapper)];
          if (faults.length > 0) throw invalid(faults);
          const id = sent.Id as number;
          return perform(context, call, async (transaction) => {
            const current = await requireObject(transaction, entity, id);
            assertMatch(call.ifMatch, current);
            await transaction.setStatus(entity, current, status);
            const object = await requireObject(transaction, entity, id);
            return posted(object, { figures: await figures.one(object) });
          });
        };
      },
    });
}

export const activate = setStatus({
  operation: 'activate',
  word: 'Activate',
  state: 'active',
  effect: ', so that it takes effect again',
  status: 0,
});

export const deactivate = setStatus({
  operation: 'deactivate',
  word: 'Deactivate',
  state: 'inactive',
  effect: ', so that it no longer has any effect; nothing is deleted',
  status: 1,
});
