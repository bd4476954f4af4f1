import { reader } from '../endpoint/access.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { configBody, configParameters, planAnswer, planResponse } from './config-body.ts';
import { prepareConfig } from './prepare.ts';
import { configTag, documentShape } from './tag.ts';

/** What apply would do (decisions C12). */
export const planConfig = defineEndpoint({
  method: 'POST',
  path: '/api/config/plan',
  name: 'planConfig',
  tag: configTag,
  summary: 'Plan a configuration',
  description: `Tells what apply would do, and changes nothing, so every role may ask. ${documentShape}`,
  access: reader,
  parameters: configParameters,
  accepts: configBody,
  returns: planResponse,
  serve:
    ({ store }) =>
    async ({ caller, parameters, body: { document, faults } }) => {
      const deactivateMissing = parameters.DeactivateMissing === 1;
      const { plan } = await prepareConfig(store, caller, document, { deactivateMissing, faults });
      return planAnswer(await plan());
    },
});
