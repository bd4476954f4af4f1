import { Type } from 'typebox';
import { closedObject, okStatus, succeeded } from '../../answers/wire-schema.ts';
import { entities } from '../../entities/registry.ts';
import { invalid } from '../../fields/fault.ts';
import { playerPath } from '../../reference/demo-paths.ts';
import type { Demonstration, Store } from '../../store/interface.ts';
import { administrator, reader } from '../endpoint/access.ts';
import { checkedBody } from '../endpoint/body.ts';
import { defineEndpoint, type Tag } from '../endpoint/endpoint.ts';
import { perform } from '../perform.ts';
import { demoExchange } from './demo-exchange.ts';
import { fillDemo } from './demo-fill.ts';

const tag: Tag = {
  name: 'Demonstration',
  description: 'A small exchange with mock DSPs, for trying things out.',
};

const url = Type.String({ description: 'The page that plays its ads; "" if there is no demonstration' });

async function demonstrationOf(store: Store, ofTeam: number): Promise<Demonstration | undefined> {
  return (await store.demonstrations()).find(({ teamId }) => teamId === ofTeam);
}

const operatorOnly =
  'There are several teams here, so only the operator can start the demonstration: bourse demo --mail <mail of a user of the team>';

const hasSeveralTeams = async ({ identity }: Store) => (await identity.teams()).length > 1;

async function hasObjects(store: Store, teamId: number): Promise<boolean> {
  for (const entity of entities) {
    if ((await store.page(entity, teamId, {}, 1)).length > 0) return true;
  }
  return false;
}

const hasObjectsText = 'The team has objects already; the demonstration is for a team without any.';

async function obstacleOf(store: Store, teamId: number): Promise<string> {
  if (await hasSeveralTeams(store)) return operatorOnly;
  return (await hasObjects(store, teamId)) ? hasObjectsText : '';
}

/** For a team without objects (reference, "Demonstration"). */
export const startDemonstration = defineEndpoint({
  method: 'POST',
  path: '/api/demonstration/start',
  name: 'startDemonstration',
  tag,
  summary: 'Start the demonstration',
  description:
    'Adds a small, fully connected exchange to a team that has no objects; its demand is mock DSPs on this server. Within a second the server shows its page, without a login. For a team with objects, or in an installation with several teams: 406, and nothing is added. With several teams, the operator starts it with `bourse demo`.',
  access: administrator,
  accepts: checkedBody({ schema: closedObject({}), example: () => ({}) }),
  returns: {
    description: 'Done',
    schema: closedObject({ Status: okStatus, Url: url }),
    example: ({ baseUrl }) => ({ ...succeeded, Url: baseUrl + playerPath }),
  },
  serve: (context) => async (call) => {
    if (await hasSeveralTeams(context.store)) {
      throw invalid([{ Path: '', Code: 'wrong_state', Message: operatorOnly }]);
    }
    return await perform(context, call, async (transaction) => {
      const links = context.links();
      await fillDemo(transaction, call.caller, demoExchange, { links, nowMs: context.now() });
      return { body: JSON.stringify({ ...succeeded, Url: links.baseUrl + playerPath }) };
    });
  },
});

export const getDemonstration = defineEndpoint({
  method: 'GET',
  path: '/api/demonstration/get',
  name: 'getDemonstration',
  tag,
  summary: 'Fetch the state of the demonstration',
  description: 'Whether the team is a demonstration, where its page is, and whether it can be started.',
  access: reader,
  returns: {
    description: 'The state',
    schema: closedObject({
      Running: Type.Integer({ enum: [0, 1], description: '1 = the team is a demonstration' }),
      CanStart: Type.Integer({
        enum: [0, 1],
        description: '1 = the team has no objects yet, and is the only one',
      }),
      Obstacle: Type.String({ description: 'Why it cannot be started; "" if it can' }),
      Url: url,
    }),
    example: ({ baseUrl }) => ({
      Running: 1,
      CanStart: 0,
      Url: baseUrl + playerPath,
      Obstacle: hasObjectsText,
    }),
  },
  serve:
    ({ store }) =>
    async ({ caller: { teamId } }) => {
      const shown = await demonstrationOf(store, teamId);
      const obstacle = await obstacleOf(store, teamId);
      return {
        Running: shown ? 1 : 0,
        CanStart: obstacle === '' ? 1 : 0,
        Obstacle: obstacle,
        Url: shown ? shown.url + playerPath : '',
      };
    },
});
