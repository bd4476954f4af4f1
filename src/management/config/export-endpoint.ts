import { setImmediate as turn } from 'node:timers/promises';
import { reader } from '../endpoint/access.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { configSchema } from './document-schema.ts';
import { type ConfigDocument, exportConfig as exportOf } from './export.ts';
import { configExample, configTag, documentShape } from './tag.ts';

/** A document as JSON, object by object. */
async function* inPieces({ Version, ...sections }: ConfigDocument): AsyncGenerator<string> {
  yield `{"Version":${Version}`;
  for (const [entity, objects] of Object.entries(sections)) {
    let before = `,${JSON.stringify(entity)}:[`;
    for (const object of [objects].flat()) {
      yield before + JSON.stringify(object);
      before = ',';
      await turn();
    }
    yield ']';
  }
  yield '}';
}

/** A team's configuration as one document (decisions, "Configuration as code"). */
export const exportConfig = defineEndpoint({
  method: 'GET',
  path: '/api/config/export',
  name: 'exportConfig',
  tag: configTag,
  summary: 'Export the configuration',
  description: `The whole configuration of the team, as plan and apply take it, in an order of its own: the same configuration gives the same document. ${documentShape}`,
  access: reader,
  returns: { description: 'The configuration', schema: configSchema, example: () => configExample },
  serve:
    ({ store }) =>
    async ({ caller }) => ({ body: inPieces(await exportOf(store, caller)) }),
});
