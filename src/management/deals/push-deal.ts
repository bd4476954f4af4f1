import { entityOf } from '../../entities/registry.ts';
import { invalid } from '../../fields/fault.ts';
import { writer } from '../endpoint/access.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { compileFigures } from '../figures.ts';
import { assertMatch } from '../http/entity-tag.ts';
import { compileCheck } from '../input/validation.ts';
import { operationOn, storedObject } from '../operations/entity-operation.ts';
import { objectBody } from '../operations/object-body.ts';
import { perform } from '../perform.ts';
import { compilePostAnswer, requireObject } from '../post-answer.ts';
import { idOnlySchema } from '../schemas.ts';
import { pushTarget } from './deal-message.ts';

const deal = entityOf('Deal');
const check = compileCheck(idOnlySchema);

export const pushDeal = defineEndpoint({
  ...operationOn(deal, 'push'),
  method: 'POST',
  name: 'pushDeal',
  summary: 'Send a Deal to its buyer',
  description:
    'Sends the deal as it is now to its `PushUrl`, as JSON of the IAB Deals API 1.0 with `PushHeaders`. It is sent after the answer; `/api/deal/sendings` says what became of it. What the buyer answers (BuyerSeat) stands in `BuyerStatus`. Send it again to ask again.',
  access: writer,
  etag: 'If-Match',
  accepts: objectBody(deal, { schema: idOnlySchema, example: () => ({ Id: 1 }), kept: ['Id'] }),
  returns: storedObject(deal),
  serve(context) {
    const posted = compilePostAnswer(deal, context);
    const figures = compileFigures(deal, context);
    return async (call) => {
      const { sent, faults: known } = call.body;
      const faults = [...known, ...check(sent, deal.wrapper)];
      if (faults.length > 0) throw invalid(faults);
      const id = Number(sent.Id);
      return perform(context, call, async (transaction) => {
        const current = await requireObject(transaction, deal, id);
        assertMatch(call.ifMatch, current);
        const url = String(current.document.PushUrl ?? '');
        if (url === '') {
          const Message =
            'is empty, so the deal cannot be sent; set it to the URL at which the buyer takes deals';
          throw invalid([{ Path: 'Deal.PushUrl', Code: 'wrong_state', Message }]);
        }
        await transaction.addSendings({
          teamId: current.teamId,
          entity: 'Deal',
          objectId: id,
          dueMs: context.now(),
          to: [{ channel: 'webhook', target: pushTarget(url) }],
        });
        return posted(current, { figures: await figures.one(current) });
      });
    };
  },
});
