import { writer } from '../endpoint/access.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { perform } from '../perform.ts';
import { configBody, configParameters, planAnswer, planResponse } from './config-body.ts';
import { prepareConfig } from './prepare.ts';
import { configTag, documentShape } from './tag.ts';

/** Makes a team's configuration what a document says (decisions, "Configuration as code"). */
export const applyConfig = defineEndpoint({
  method: 'POST',
  path: '/api/config/apply',
  name: 'applyConfig',
  tag: configTag,
  summary: 'Apply a configuration',
  description: `Brings the team to what the document says, whole or not at all. Objects that it does not name are left alone. Applied again it changes nothing. ${documentShape}`,
  access: writer,
  parameters: configParameters,
  accepts: configBody,
  returns: planResponse,
  serve: (context) => async (call) => {
    const { document, faults } = call.body;
    const deactivateMissing = call.parameters.DeactivateMissing === 1;
    const prepared = await prepareConfig(context.store, call.caller, document, { deactivateMissing, faults });
    const apply = await prepared.beginApply();
    return perform(context, call, async (transaction) => planAnswer(await apply(transaction)));
  },
});
