import { Type } from 'typebox';
import { anyone } from '../endpoint/access.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { serviceTag } from './tag.ts';

const prometheusText = 'text/plain; version=0.0.4; charset=utf-8';

/** Figures of the server, for Prometheus (decisions O8). */
export const metricsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/metrics',
  name: 'metrics',
  tag: serviceTag,
  summary: 'Fetch figures for Prometheus',
  description:
    'Counts and durations of requests by operation, load of the database and of the event loop, the revision; of all threads of this server together, in the text format of Prometheus.',
  isVital: true,
  access: anyone,
  parameters: 'ignored',
  returns: {
    description: 'Metrics',
    type: 'text/plain',
    schema: Type.String(),
    example: () => 'bourse_revision 4711\n',
  },
  serve:
    ({ metrics }) =>
    async () => ({ type: prometheusText, body: await metrics() }),
});
