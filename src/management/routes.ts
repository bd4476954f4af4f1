import type { FastifyInstance } from 'fastify';
import type { Entity } from '../entities/entity.ts';
import { listTextOf } from '../entities/list-text-of.ts';
import { entities } from '../entities/registry.ts';
import { callOf, send } from './call.ts';
import type { Context, EntityOperation } from './context.ts';
import { readUpload } from './input/list-upload.ts';
import { entityOperations } from './operations/list.ts';
import { referenceLists } from './reference-lists.ts';

const bodyBytesMax = 1024 * 1024;
const listBodyBytesMax = 64 * 1024 * 1024;

function addRoute(app: FastifyInstance, context: Context, entity: Entity, operation: EntityOperation): void {
  const serve = operation.serve(entity, context);
  const takesList =
    listTextOf(entity) !== undefined && (operation.name === 'add' || operation.name === 'update');
  app.route({
    method: operation.method,
    url: `/api/${entity.path}/${operation.name}`,
    config: { writes: operation.method === 'POST', upload: takesList },
    bodyLimit: takesList ? listBodyBytesMax : bodyBytesMax,
    handler: async (request, reply) => {
      const isUpload = takesList && request.isMultipart();
      const upload = isUpload ? await readUpload(request, entity, listBodyBytesMax) : undefined;
      return send(reply, await serve(callOf(request, upload)));
    },
  });
}

/** Every operation of every entity. */
export function registerEntities(app: FastifyInstance, context: Context): void {
  for (const entity of entities) {
    for (const operation of entityOperations) addRoute(app, context, entity, operation);
  }
}

/** The reference lists under `/api/info/`. */
export function registerReferenceLists(app: FastifyInstance, { links }: Context): void {
  for (const { name, entries } of referenceLists) {
    // Query parameters are ignored: these endpoints know no 406 (specification 7).
    app.get(`/api/info/${name}`, async (_request, reply) =>
      send(reply, { body: JSON.stringify(entries(links())) }),
    );
  }
}
