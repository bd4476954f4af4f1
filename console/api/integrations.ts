import { queryOptions } from '@tanstack/react-query';
import type { ShownEntity } from '../field-tables.ts';
import type { AnswerTo } from './answers.ts';
import { type ApiRequest, sendRequest } from './call.ts';
import type { Stored } from './objects.ts';

/** Ready code for one platform. */
export type Integration = AnswerTo<'api/integrations/get'>[number];

const integrationsRequest = ({ key }: ShownEntity, id: number) =>
  ({ path: 'api/integrations/get', query: { [key]: id } }) satisfies ApiRequest;

/** Asks anew when the object has changed, since its URLs may have. */
export const integrationsQuery = (entity: ShownEntity, object: Stored) =>
  queryOptions({
    queryKey: ['integrations', entity.key, object],
    queryFn: async ({ signal }) =>
      (await sendRequest(integrationsRequest(entity, object.Id), { signal })).data,
  });
