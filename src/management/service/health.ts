import { anyone } from '../endpoint/access.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { succeeded } from '../endpoint/wire-schema.ts';
import { okSchema, serviceTag } from './tag.ts';

/** Whether the server is there, for load balancers (decisions O8). */
export const health = defineEndpoint({
  method: 'GET',
  path: '/healthz',
  name: 'health',
  tag: serviceTag,
  summary: 'Ask whether the server serves',
  description:
    'Answers 200 from the moment the server serves until it shuts down, without asking the database.',
  isVital: true,
  access: anyone,
  parameters: 'ignored',
  returns: { description: 'It serves', schema: okSchema, example: () => succeeded },
  serve: () => () => succeeded,
});
