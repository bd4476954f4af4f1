import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { closedObject, okStatus } from '../../answers/wire-schema.ts';
import { reader, writer } from '../endpoint/access.ts';
import { type ParsedBody, type RequestBody, wrappedMedia } from '../endpoint/body.ts';
import { defineEndpoint, type Tag } from '../endpoint/endpoint.ts';
import { flag } from '../endpoint/parameter.ts';
import { unwrap } from '../input/wrapper.ts';
import { perform } from '../perform.ts';
import { warningFacts } from '../setting-warnings.ts';
import { configSchema } from './document-schema.ts';
import { type ConfigDocument, exportConfig as exportOf } from './export.ts';
import { type ConfigPlan, planSchema } from './plan-entry.ts';
import { prepareConfig } from './prepare.ts';

const configTag: Tag = {
  name: 'Configuration as code',
  description: "A team's whole configuration as one document.",
};

const documentShape =
  'Objects are listed under their kind, each under its `Name`; the second object with a name has the `Key` `<Name>~2`. They refer to each other by key. A member that is left out has the value that an add without it stores. A connection is listed on the supply side, and on the other side only if the order there is different; a side that leaves it out keeps its connections with objects that are not in the document.';

const configExample = {
  Version: 1,
  Publisher: [
    { Name: 'Example Weekly', Mail: 'desk@weekly.example', Country: 'DE', Username: 'example-weekly' },
  ],
  VastTag: [{ Name: 'Weekly pre-roll', Publisher: 'Example Weekly', Bidfloor: 1.5, Tags: ['Weekly'] }],
  Tag: [{ Name: 'Weekly', Color: '#2a7' }],
};

const wrapper = 'Config';
const bodyBytesMax = 64 * 1024 * 1024;
/** Room for 40,000 objects with all their fields. */
const structureBytesMax = 16 * 1024 * 1024;

const configParameters = {
  DeactivateMissing: flag(
    '1 = active objects of the team that are not in the document are deactivated; otherwise they are left alone',
  ),
};

const configBody = {
  media: wrappedMedia(wrapper, configSchema, () => configExample),
  bytesMax: bodyBytesMax,
  structureBytesMax,
  read: ({ body, faults }: ParsedBody) => ({ document: unwrap(wrapper, body), faults }),
} satisfies RequestBody;

const planResponse = {
  description: 'The plan',
  schema: closedObject({ Status: okStatus, ...planSchema }),
  example: () => ({
    Status: 'Ok',
    Plan: [
      {
        Operation: 'update',
        Entity: 'VastTag',
        Key: 'Weekly pre-roll',
        Id: 1,
        Changes: [{ Field: 'Bidfloor', Old: 1.2, New: 1.5 }],
      },
      { Operation: 'add', Entity: 'Tag', Key: 'Weekly', Id: 0, Changes: [] },
    ],
  }),
};

function planAnswer({ entries, warnings }: ConfigPlan) {
  const told = warnings.length > 0 && { Warnings: warnings };
  return { body: JSON.stringify({ Status: 'Ok', Plan: entries, ...told }) };
}

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

export const exportConfig = defineEndpoint({
  method: 'GET',
  path: '/api/config/export',
  name: 'exportConfig',
  tag: configTag,
  summary: 'Export the configuration',
  description: `The whole configuration of the team, in the form that plan and apply take, in a fixed order: the same configuration gives the same document. ${documentShape}`,
  access: reader,
  returns: { description: 'The configuration', schema: configSchema, example: () => configExample },
  serve:
    ({ store }) =>
    async ({ caller }) => ({ body: inPieces(await exportOf(store, caller)) }),
});

export const planConfig = defineEndpoint({
  method: 'POST',
  path: '/api/config/plan',
  name: 'planConfig',
  tag: configTag,
  summary: 'Plan a configuration',
  description: `Returns what apply would do, without changing anything, so every role may call it. ${documentShape}`,
  access: reader,
  parameters: configParameters,
  accepts: configBody,
  returns: planResponse,
  serve:
    (context) =>
    async ({ caller, parameters, body: { document, faults } }) => {
      const deactivateMissing = parameters.DeactivateMissing === 1;
      const facts = warningFacts(context);
      const { plan } = await prepareConfig(context.store, caller, document, {
        deactivateMissing,
        facts,
        faults,
      });
      return planAnswer(await plan());
    },
});

export const applyConfig = defineEndpoint({
  method: 'POST',
  path: '/api/config/apply',
  name: 'applyConfig',
  tag: configTag,
  summary: 'Apply a configuration',
  description: `Makes the team match the document, all of it or nothing. Objects that are not in the document are left alone. The history shows it as one bulk change. Applying it again changes nothing. ${documentShape}`,
  access: writer,
  parameters: configParameters,
  accepts: configBody,
  returns: planResponse,
  serve: (context) => async (call) => {
    const { document, faults } = call.body;
    const deactivateMissing = call.parameters.DeactivateMissing === 1;
    const prepared = await prepareConfig(context.store, call.caller, document, {
      deactivateMissing,
      facts: warningFacts(context),
      faults,
    });
    const apply = await prepared.beginApply();
    const batchId = randomUUID();
    return perform(context, call, async (transaction) => planAnswer(await apply(transaction)), {
      isOfMany: true,
      batchId,
    });
  },
});
