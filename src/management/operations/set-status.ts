import type { Entity } from '../../entities/entity.ts';
import { invalid } from '../../fields/fault.ts';
import type { Call, Context, EntityOperation } from '../context.ts';
import { compileFigures } from '../figures.ts';
import { assertMatch } from '../http/entity-tag.ts';
import { compileCheck } from '../input/validation.ts';
import { unwrap, withoutDerived } from '../input/wrapper.ts';
import { perform } from '../perform.ts';
import { compilePosted, existing } from '../posted.ts';
import { idOnlySchema } from '../schemas.ts';

const check = compileCheck(idOnlySchema);

function serveStatus(status: 0 | 1) {
  return (entity: Entity, context: Context) => {
    const posted = compilePosted(entity, context);
    const figures = compileFigures(entity, context);
    return async (call: Call) => {
      const { body, faults: known, ifMatch } = call;
      const sent = withoutDerived(entity, unwrap(entity.wrapper, body), ['Id']);
      const faults = [...known, ...check(sent, entity.wrapper)];
      if (faults.length > 0) throw invalid(faults);
      const id = sent.Id as number;
      return perform(context, call, async (transaction) => {
        const current = await existing(transaction, entity, id);
        assertMatch(ifMatch, current);
        await transaction.setStatus(entity, current, status);
        return posted(await existing(transaction, entity, id), { figures: await figures.one(id) });
      });
    };
  };
}

/** POST <entity>/activate: makes an object active; an active one stays so (specification 4.4). */
export const activate: EntityOperation = { name: 'activate', method: 'POST', serve: serveStatus(0) };

/** POST <entity>/deactivate: makes an object inactive; an inactive one stays so (specification 4.4). */
export const deactivate: EntityOperation = { name: 'deactivate', method: 'POST', serve: serveStatus(1) };
