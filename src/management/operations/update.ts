import type { Entity } from '../../entities/entity.ts';
import { invalid } from '../../fields/fault.ts';
import type { StoredObject, Transaction } from '../../store/interface.ts';
import type { EntityOperation } from '../context.ts';
import { compilePairWarnings } from '../exchange/pair-warnings.ts';
import { compileFigures } from '../figures.ts';
import { assertMatch } from '../http/entity-tag.ts';
import { compileCheck } from '../input/validation.ts';
import { unwrap, withoutDerived } from '../input/wrapper.ts';
import { type Intake, storeFaults, takeIn, writingOf } from '../intake.ts';
import { perform } from '../perform.ts';
import { compilePosted, existing, notFound } from '../posted.ts';
import { updateSchema } from '../schemas.ts';

async function change(
  transaction: Transaction,
  entity: Entity,
  { intake, ifMatch }: { intake: Intake; ifMatch: string | undefined },
): Promise<StoredObject> {
  const id = typeof intake.sound.Id === 'number' ? intake.sound.Id : 0;
  const current = await transaction.find(entity, id);
  const whole = { ...current?.document, ...intake.document };
  const beside = await storeFaults(transaction, entity, { intake, whole, id });
  const absent = current || id === 0 ? [] : [notFound(entity, id)];
  const faults = [...absent, ...intake.faults, ...beside];
  if (faults.length > 0 || !current) throw invalid(faults);
  assertMatch(ifMatch, current);
  await transaction.update(entity, current, writingOf(intake));
  return existing(transaction, entity, id);
}

/** POST <entity>/update: changes the fields that are sent, and no others (decisions, "Resources"). */
export const update: EntityOperation = {
  name: 'update',
  method: 'POST',
  serve: (entity, context) => {
    const check = compileCheck(updateSchema(entity));
    const posted = compilePosted(entity, context);
    const warningsOf = compilePairWarnings(entity, context.judgePair);
    const figures = compileFigures(entity, context);
    return async (call) => {
      const { body, faults, ifMatch } = call;
      const sent = withoutDerived(entity, unwrap(entity.wrapper, body), ['Id']);
      const intake = await takeIn(entity, { sent, faults }, check, false);
      return perform(context, call, async (transaction) => {
        const object = await change(transaction, entity, { intake, ifMatch });
        const { document, derived: connections } = object;
        const warnings = await warningsOf(transaction, { document, connections });
        return posted(object, { figures: await figures.one(object.id), warnings });
      });
    };
  },
};
