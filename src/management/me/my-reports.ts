import { Type } from 'typebox';
import { entityOf } from '../../entities/registry.ts';
import { type Fault, invalid, pathOf } from '../../fields/fault.ts';
import { intMax } from '../../fields/number.ts';
import type { Bearer } from '../../store/identity/interface.ts';
import type { StoredObject, TeamReads, Transaction, Values } from '../../store/interface.ts';
import type { Context } from '../context.ts';
import { everyUser, keeper } from '../endpoint/access.ts';
import { defineEndpoint, type Endpoint, type Tag } from '../endpoint/endpoint.ts';
import { number } from '../endpoint/parameter.ts';
import { assertMatch } from '../http/entity-tag.ts';
import { compileCheck } from '../input/validation.ts';
import { readInput } from '../object-input.ts';
import { addObject } from '../operations/add.ts';
import { storedObject } from '../operations/entity-operation.ts';
import { addExample, answerExample, updateExample } from '../operations/examples.ts';
import { objectBody } from '../operations/object-body.ts';
import { updateObject } from '../operations/update.ts';
import { perform } from '../perform.ts';
import { compilePostAnswer, notFoundFault } from '../post-answer.ts';
import { compilePresenter } from '../present.ts';
import { addSchema, answerSchema, idOnlySchema, updateSchema } from '../schemas.ts';
import { reportSenders, sendingAnswer, sendingsMax } from '../sendings.ts';
import { ownerIdOf, ownReportFaults } from '../statistics/own-report.ts';

const entity = entityOf('Report');
const { wrapper } = entity;
/** Per user. */
const reportsMax = 50;
const pageSize = 200;

const tag: Tag = {
  name: 'Own reports',
  description:
    'Reports that belong to one user. Users who may change nothing of the team can have them too: reports are run and sent with the rights of their user.',
};

async function ownReports(reads: Pick<TeamReads, 'page'>, userId: number): Promise<StoredObject[]> {
  const own: StoredObject[] = [];
  for (let afterId = 0; ; ) {
    const page = await reads.page(entity, { afterId }, pageSize);
    own.push(...page.filter((report) => ownerIdOf(report) === userId));
    if (page.length < pageSize) return own;
    afterId = page.at(-1)?.id ?? 0;
  }
}

/** Reports of others do not exist. */
async function ownReport(transaction: Transaction, { userId }: Bearer, id: number): Promise<StoredObject> {
  const report = await transaction.find(entity, id);
  if (!report || ownerIdOf(report) !== userId) throw invalid([notFoundFault(entity, id)]);
  return report;
}

async function faultsOf({ store }: Context, caller: Bearer, values: Values): Promise<Fault[]> {
  const user = await store.identity.user(caller.userId);
  return user ? ownReportFaults(store.identity, user, values, wrapper) : [];
}

const returns = storedObject(entity);

const addOwn = defineEndpoint({
  method: 'POST',
  path: '/api/own/report/add',
  name: 'addOwnReport',
  tag,
  summary: 'Add a report of your own',
  description: `Adds a Report that is yours alone: others of the team see it, but cannot change it with this path. At most ${reportsMax}. For users who may change nothing of the team it can be sent by mail only: for a partner to their own address, for an analyst to users of the team. A partner’s report shows what partners see, of their account.`,
  access: keeper,
  etag: 'answered',
  accepts: objectBody(entity, { schema: addSchema(entity), example: () => addExample(entity) }),
  returns,
  serve(context) {
    const check = compileCheck(addSchema(entity));
    const posted = compilePostAnswer(entity, context);
    return async (call) => {
      const { caller } = call;
      const input = await readInput(entity, call.body, check, true);
      const faults = [...input.faults, ...(await faultsOf(context, caller, input.valid))];
      if (faults.length > 0) throw invalid(faults);
      return perform(context, call, async (transaction) => {
        if ((await ownReports(transaction, caller.userId)).length >= reportsMax) {
          const Message = `you already have ${reportsMax} reports; change one that you no longer need`;
          throw invalid([{ Path: wrapper, Code: 'wrong_state', Message }]);
        }
        const own = { ...input, document: { ...input.document, UserId: caller.userId } };
        const addition = { input: own, userId: caller.userId, warningsOf: () => undefined };
        return posted((await addObject(transaction, entity, addition)).object);
      });
    };
  },
});

const updateOwn = defineEndpoint({
  method: 'POST',
  path: '/api/own/report/update',
  name: 'updateOwnReport',
  tag,
  summary: 'Change a report of your own',
  description:
    'Changes the fields that are sent of a Report of your own; the same bounds apply as for a new one.',
  access: keeper,
  etag: 'If-Match',
  accepts: objectBody(entity, {
    schema: updateSchema(entity),
    example: () => updateExample(entity),
    kept: ['Id'],
  }),
  returns,
  serve(context) {
    const check = compileCheck(updateSchema(entity));
    const posted = compilePostAnswer(entity, context);
    return async (call) => {
      const { caller, body, ifMatch } = call;
      const input = await readInput(entity, body, check, false);
      if (input.faults.length > 0) throw invalid(input.faults);
      return perform(context, call, async (transaction) => {
        const current = await ownReport(transaction, caller, Number(input.valid.Id));
        const whole = { ...current.document, ...input.document };
        const faults = await faultsOf(context, caller, whole);
        if (faults.length > 0) throw invalid(faults);
        return posted(await updateObject(transaction, entity, { input, values: body.values, ifMatch }));
      });
    };
  },
});

const setOwnStatus = (word: 'activate' | 'deactivate', status: 0 | 1): Endpoint =>
  defineEndpoint({
    method: 'POST',
    path: `/api/own/report/${word}`,
    name: `${word}OwnReport`,
    tag,
    summary: `${status === 0 ? 'Activate' : 'Deactivate'} a report of your own`,
    description: `Makes a Report of your own ${status === 0 ? 'active, so that it is sent again' : 'inactive, so that it is no longer sent'}.`,
    access: keeper,
    etag: 'If-Match',
    accepts: objectBody(entity, { schema: idOnlySchema, example: () => ({ Id: 1 }), kept: ['Id'] }),
    returns,
    serve(context) {
      const check = compileCheck(idOnlySchema);
      const posted = compilePostAnswer(entity, context);
      return async (call) => {
        const { sent, faults: known } = call.body;
        const faults = [...known, ...check(sent, wrapper)];
        if (faults.length > 0) throw invalid(faults);
        return perform(context, call, async (transaction) => {
          const current = await ownReport(transaction, call.caller, Number(sent.Id));
          assertMatch(call.ifMatch, current);
          await transaction.setStatus(entity, current, status);
          return posted(await ownReport(transaction, call.caller, current.id));
        });
      };
    },
  });

const getOwn = defineEndpoint({
  method: 'GET',
  path: '/api/own/report/get',
  name: 'getOwnReports',
  tag,
  summary: 'Fetch the reports of your own',
  description: `The Reports that belong to you alone, at most ${reportsMax}, in order of ID.`,
  access: everyUser,
  parameters: {},
  returns: {
    description: 'The reports',
    schema: Type.Array(answerSchema(entity, 'single')),
    example: (links) => [answerExample(entity, 'single', links)],
  },
  serve(context) {
    const present = compilePresenter(entity, 'single');
    return async ({ caller: { teamId, userId } }) => {
      const own = await ownReports(context.store.reads(teamId), userId);
      return { body: JSON.stringify(own.map((report) => present(report, context.links()))) };
    };
  },
});

const sendings = sendingAnswer(reportSenders);

const getOwnSendings = defineEndpoint({
  method: 'GET',
  path: '/api/own/report/sendings',
  name: 'getOwnReportSendings',
  tag,
  summary: 'Fetch the sendings of a report of your own',
  description: `The last ${sendingsMax} sendings of a Report of your own, newest first.`,
  access: everyUser,
  parameters: { Id: { ...number({ help: 'ID of the report', max: intMax }), isRequired: true } },
  returns: sendings.returns,
  serve:
    ({ store }) =>
    async ({ caller: { teamId, userId }, parameters: { Id = 0 } }) => {
      const report = await store.find(entity, teamId, { id: Id });
      if (!report || ownerIdOf(report) !== userId) {
        throw invalid([{ ...notFoundFault(entity, Id), Path: pathOf('Id') }]);
      }
      const sent = await store.sending.ofTeam(teamId, { entity: 'Report', objectId: Id }, sendingsMax);
      return { body: sendings.body(sent) };
    },
});

export const myReportEndpoints: readonly Endpoint[] = [
  addOwn,
  updateOwn,
  setOwnStatus('activate', 0),
  setOwnStatus('deactivate', 1),
  getOwn,
  getOwnSendings,
];
