import { reader } from '../endpoint/access.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { configParameters, planAnswer, postedDocument, returnedPlan } from './posted-document.ts';
import { prepare } from './prepare.ts';
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
  accepts: postedDocument,
  returns: returnedPlan,
  serve:
    ({ store }) =>
    async ({ caller, parameters, body: { document, faults } }) => {
      const deactivateMissing = parameters.DeactivateMissing === 1;
      const { plan } = await prepare(store, caller, document, { deactivateMissing, faults });
      return planAnswer(await plan());
    },
});
