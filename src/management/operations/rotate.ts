import { type TObject, Type } from 'typebox';
import { closedObject, oneOf } from '../../answers/wire-schema.ts';
import type { Entity } from '../../entities/entity.ts';
import { formerSecretsIn, formerSecretsMember } from '../../entities/former-secrets.ts';
import { withArticle } from '../../entities/with-article.ts';
import { invalid, pathOf } from '../../fields/fault.ts';
import { idSchema } from '../../fields/number.ts';
import { ownMember } from '../../reference/own-member.ts';
import type { Values } from '../../store/interface.ts';
import { writer } from '../endpoint/access.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { compileFigures } from '../figures.ts';
import { assertMatch } from '../http/entity-tag.ts';
import { compileCheck } from '../input/validation.ts';
import { perform } from '../perform.ts';
import { compilePostAnswer, requireObject } from '../post-answer.ts';
import { makeSecret, secretNames } from '../secrets.ts';
import { type EntityOperation, operationOn, storedObject } from './entity-operation.ts';
import { objectBody } from './object-body.ts';

const hourMs = 3_600_000;
const keepHoursMax = 168;
const keepHoursOmitted = 24;
/** Per field, at a time. */
const formersMax = 5;

interface Rotation {
  readonly Id: number;
  readonly Field: string;
  readonly KeepOldHours?: number;
}

function rotationSchema(entity: Entity): TObject {
  return closedObject({
    Id: { ...idSchema, description: `ID of the ${entity.title}` },
    Field: oneOf(secretNames(entity) as [string, ...string[]], 'The credential to replace'),
    KeepOldHours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: keepHoursMax,
        description: `Hours for which former credentials still work, but no longer than they would have anyway; 0 = they end at once; omitted = ${keepHoursOmitted}`,
      }),
    ),
  });
}

/** Refuses with `invalid`. */
function rotated(
  { wrapper }: Entity,
  document: Values,
  { Field, KeepOldHours = keepHoursOmitted }: Rotation,
  nowMs: number,
): Values {
  const untilMs = nowMs + KeepOldHours * hourMs;
  const known = formerSecretsIn(document) ?? {};
  const former = [
    { Value: String(ownMember(document, Field) ?? ''), UntilMs: untilMs },
    ...(ownMember(known, Field) ?? []),
  ]
    .map(({ Value, UntilMs }) => ({ Value, UntilMs: Math.min(UntilMs, untilMs) }))
    .filter(({ Value, UntilMs }) => Value !== '' && UntilMs > nowMs);
  if (former.length > formersMax) {
    const Message = `${formersMax} former credentials still work; send 0, which ends them, or wait until one has expired`;
    throw invalid([{ Path: pathOf(wrapper, 'KeepOldHours'), Code: 'wrong_state', Message }]);
  }
  return { [Field]: makeSecret(), [formerSecretsMember]: { ...known, [Field]: former } };
}

/** Replaces a credential; the old one works for a while. */
export const rotate: EntityOperation = (entity) =>
  defineEndpoint({
    ...operationOn(entity, 'rotate'),
    method: 'POST',
    name: `rotate${entity.key}`,
    summary: `Rotate a credential of ${entity.title}`,
    description: `Replaces a credential of ${withArticle(entity)} (${secretNames(entity).join(' or ')}) with a new one, which the answer contains. The old one also works for \`KeepOldHours\`, so that URLs can be replaced in the meantime. The history records the rotation.`,
    access: writer,
    etag: 'If-Match',
    accepts: objectBody(entity, {
      schema: rotationSchema(entity),
      example: () => ({ Id: 1, Field: secretNames(entity)[0], KeepOldHours: keepHoursOmitted }),
      kept: ['Id'],
    }),
    returns: storedObject(entity),
    serve(context) {
      const check = compileCheck(rotationSchema(entity));
      const posted = compilePostAnswer(entity, context);
      const figures = compileFigures(entity, context);
      return async (call) => {
        const { sent, faults: known } = call.body;
        const faults = [...known, ...check(sent, entity.wrapper)];
        if (faults.length > 0) throw invalid(faults);
        const rotation = sent as unknown as Rotation;
        return perform(context, call, async (transaction) => {
          const current = await requireObject(transaction, entity, rotation.Id);
          assertMatch(call.ifMatch, current);
          const values = rotated(entity, current.document, rotation, context.now());
          await transaction.rotate(entity, current, { field: rotation.Field, values });
          const object = await requireObject(transaction, entity, rotation.Id);
          return posted(object, { figures: await figures.one(object) });
        });
      };
    },
  });

export function hasSecrets(entity: Entity): boolean {
  return secretNames(entity).length > 0;
}
