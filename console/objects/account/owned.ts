import { queryOptions } from '@tanstack/react-query';
import { arrayIn } from '../../api/answers.ts';
import { sendRequest } from '../../api/call.ts';
import { objectsRequest } from '../../api/objects.ts';
import { entities, type ShownEntity } from '../../field-tables.ts';

/** Kinds of what an account owns. */
export const ownedBy = ({ key }: ShownEntity): readonly ShownEntity[] =>
  entities.filter(({ owner }) => owner?.entity === key);

type Side = 'supply' | 'demand';

/** What an account sells by, or buys by. */
export const sideOf = (entity: ShownEntity): Side =>
  ownedBy(entity).some(({ side }) => side === 'demand') ? 'demand' : 'supply';

/** Money first by whose it is: publishers are paid, advertisers pay. */
export const figuresOf = {
  supply: ['Cost', 'Revenue', 'Profit', 'Requests', 'Impressions', 'FillRate'],
  demand: ['Revenue', 'Cost', 'Profit', 'Wins', 'Impressions', 'Ctr'],
} as const satisfies Readonly<Record<Side, readonly string[]>>;

/** Of the figures, those that an object's row has room for. */
export const rowFigures = {
  supply: ['Requests', 'FillRate', 'Impressions', 'Cost', 'Revenue'],
  demand: ['Wins', 'Impressions', 'Revenue', 'Cost', 'Profit'],
} as const satisfies Readonly<Record<Side, readonly string[]>>;

export const shownMax = 10;
const pollMs = 60_000;

const isOwned = ({ owner }: ShownEntity, id: number) => ({
  Field: owner?.field ?? '',
  Operator: 'in',
  Values: [id],
});

/** Those of an account that earn most today, and how many it has. */
export function ownedRequest(entity: ShownEntity, side: Side, id: number) {
  const fields = [...rowFigures[side].map((name) => `Today.${name}`), 'Health.State'];
  const request = objectsRequest(entity, { fields, filter: [isOwned(entity, id)], sort: '-Today.Revenue' });
  return { ...request, query: { ...request.query, Limit: shownMax } };
}

export const ownedQuery = (entity: ShownEntity, side: Side, id: number) =>
  queryOptions({
    queryKey: ['objects', entity.key, 'owned', id],
    async queryFn({ signal }) {
      const { data, headers } = await sendRequest(ownedRequest(entity, side, id), { signal });
      return { objects: arrayIn(data), total: Number(headers.get('bourse-total')) };
    },
    refetchInterval: pollMs,
  });
