import { Type } from 'typebox';
import { hasRight } from '../../identity/roles.ts';
import type { Bearer } from '../../store/identity/interface.ts';
import { peopleKinds } from '../../store/interface.ts';
import { reader } from '../endpoint/access.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { changeSchema, type HistoryRow } from './history-row.ts';
import { historyParameters, historyQuery } from './parameters.ts';
import { answerHistory } from './read-history.ts';

const row = { Time: '2027-01-31T12:00:00.000Z', UserId: 1, UserName: 'Ada Byron' } as const;
const example: readonly HistoryRow[] = [
  {
    Revision: 17,
    ...row,
    Entity: 'VastTag',
    Id: 3,
    Operation: 'update',
    Changes: [
      { Field: 'Bidfloor', Old: 1.25, New: 1.5 },
      { Field: 'Countries', Old: [], New: [{ CC: 'DE', Country: 'Germany' }] },
      { Field: 'DspVastTags', Old: [4], New: [4, 9] },
    ],
  },
  {
    Revision: 18,
    ...row,
    Entity: 'DspVastTag',
    Id: 9,
    Operation: 'connect',
    Changes: [{ Field: 'VastTags', Added: [3], Removed: [] }],
  },
  {
    Revision: 19,
    ...row,
    Entity: 'DomainList',
    Id: 2,
    Operation: 'update',
    Changes: [
      { Field: 'DomainCount', Old: 10, New: 12 },
      { Field: 'ListText', Written: 1 },
    ],
  },
];

/** Only those who may manage users see changes of users and API keys (reference, A5, H10). */
function hiddenFrom({ role }: Bearer) {
  return hasRight(role, 'manage_users') ? {} : { exceptEntities: peopleKinds };
}

export const getHistory = defineEndpoint({
  method: 'GET',
  path: '/api/history/get',
  name: 'getHistory',
  tag: { name: 'History', description: 'Who changed what, and when.' },
  summary: 'Fetch changes',
  description:
    "The team's changes that match the parameters, in order of revision, one page at a time: continue with `AfterRevision`. With `Order`, oldest or newest first, the header `Bourse-Cursor` says where the next page begins, if there is one. A change that connects objects has a row for each of them. Only administrators see changes of users and API keys. Credentials are never shown.",
  access: reader,
  parameters: historyParameters,
  pages: 'uncounted',
  returns: { description: 'The changes', schema: Type.Array(changeSchema), example: () => example },
  serve:
    ({ store }) =>
    ({ caller, parameters }) => {
      const question = historyQuery(parameters);
      const filter = { ...question.filter, ...hiddenFrom(caller) };
      return answerHistory(store, caller.teamId, { ...question, filter });
    },
});
