import { type TSchema, Type } from 'typebox';
import { closedObject } from '../../answers/wire-schema.ts';
import { exchangeKindNames } from '../../entities/kinds.ts';
import type { Answer } from '../context.ts';
import { bytesBody } from '../endpoint/body.ts';
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts';
import { number, text } from '../endpoint/parameter.ts';
import { changesAfter } from './changes.ts';
import { assertProtocol, type EdgeContext, edgeAccess, edgeTag, protocol } from './edge-access.ts';
import { shipmentBytesMax } from './shipment.ts';

const idMax = 2 ** 31 - 1;
const revisionMax = Number.MAX_SAFE_INTEGER;
const waitSecondsMax = 25;
const lines = 'application/x-ndjson; charset=utf-8';

const common = { tag: edgeTag, access: edgeAccess } as const;
const streamed = (description: string, type: string) =>
  ({ description, type, schema: Type.String(), example: () => '{}\n' }) as const;

const exchangeEntity = text({
  help: 'Key of an entity that the exchange reads',
  schema: { type: 'string', maxLength: 40 },
  example: 'VastTag',
  check: (entity) =>
    (exchangeKindNames as readonly string[]).includes(entity)
      ? undefined
      : { Code: 'not_found', Message: 'must be the key of an entity that the exchange reads' },
});

const changes = defineEndpoint({
  ...common,
  method: 'GET',
  path: '/api/edge/changes',
  name: 'edgeChanges',
  summary: 'Fetch what has changed after a revision',
  description:
    'All objects of all teams as they are, or those that have changed after a revision; waits until there is something to return.',
  parameters: {
    Protocol: protocol,
    Home: text({
      help: 'ID of the installation that the edge knows',
      schema: { type: 'string', maxLength: 64 },
      example: '5f1d7a84db00d2fc',
    }),
    AfterRevision: number({ help: 'The revision that the edge has; 0 = none', max: revisionMax }),
    Surroundings: text({
      help: 'Hash of the shared state that the edge has',
      schema: { type: 'string', maxLength: 64 },
      example: '5f1d7a84db00d2fc',
    }),
    WaitSeconds: number({ help: 'How long to wait if nothing has changed', max: waitSecondsMax }),
  },
  returns: streamed('A first line, one line for each object, and a last line', lines),
  serve: ({ edgeHome, isStopping }: EdgeContext) => {
    const answerOf = changesAfter(edgeHome, isStopping);
    return async ({ parameters }): Promise<Answer> => {
      assertProtocol(parameters.Protocol);
      return { type: lines, body: await answerOf(parameters) };
    };
  },
});

const listText = defineEndpoint({
  ...common,
  method: 'GET',
  path: '/api/edge/text',
  name: 'edgeText',
  summary: 'Fetch the text of a list as written by a revision',
  description: 'The lines of a list. What a revision has written never changes.',
  parameters: {
    Protocol: protocol,
    Entity: { ...exchangeEntity, isRequired: true },
    Id: { ...number({ help: 'ID of the list', max: idMax }), isRequired: true },
    Revision: { ...number({ help: 'Revision that wrote the text', max: revisionMax }), isRequired: true },
  },
  returns: streamed('The text', 'text/plain'),
  serve:
    ({ edgeHome }: EdgeContext) =>
    async ({ parameters: { Protocol, Entity = '', Id = 0, Revision = 0 } }): Promise<Answer> => {
      assertProtocol(Protocol);
      return {
        type: 'text/plain; charset=utf-8',
        headers: { 'cache-control': 'private, max-age=31536000, immutable' },
        body: edgeHome.text(Entity, Id, Revision),
      };
    },
});

const user = defineEndpoint({
  ...common,
  method: 'GET',
  path: '/api/edge/user',
  name: 'edgeUser',
  summary: 'Fetch what decides whether a user may test',
  description: 'Team, status and role of a user who opens a test on an edge.',
  parameters: {
    Protocol: protocol,
    Id: { ...number({ help: 'ID of the user', max: idMax }), isRequired: true },
  },
  returns: {
    description: 'The user, if there is one',
    schema: closedObject({
      User: Type.Optional(
        closedObject({ teamId: Type.Integer(), status: Type.Integer(), role: Type.Integer() }),
      ),
    }),
    example: () => ({ User: { teamId: 1, status: 0, role: 1 } }),
  },
  serve:
    ({ edgeHome }: EdgeContext) =>
    async ({ parameters: { Protocol, Id = 0 } }) => {
      assertProtocol(Protocol);
      const found = await edgeHome.user(Id);
      if (!found) return {};
      const { teamId, status, role } = found;
      return { User: { teamId, status, role } };
    },
});

const outbox = defineEndpoint({
  ...common,
  method: 'POST',
  path: '/api/edge/outbox',
  name: 'edgeOutbox',
  summary: 'Accept what an edge has counted',
  description: 'Accepts the records of an outbox, and counts each once, however often it is sent.',
  parameters: { Protocol: protocol },
  accepts: bytesBody(shipmentBytesMax),
  returns: {
    description: 'The place in the source up to which everything has been accepted',
    schema: closedObject({ TakenUntil: Type.Integer() }),
    example: () => ({ TakenUntil: 4711 }),
  },
  serve:
    ({ edgeHome }: EdgeContext) =>
    async ({ parameters, body }) => {
      assertProtocol(parameters.Protocol);
      return { TakenUntil: await edgeHome.take(body) };
    },
});

export const edgeEndpoints: readonly Endpoint<TSchema, EdgeContext>[] = [changes, listText, user, outbox];
