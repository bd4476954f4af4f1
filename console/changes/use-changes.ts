import { useQueries, useQuery } from '@tanstack/react-query';
import { objectsQuery } from '../api/objects.ts';
import { entities, entityOf } from '../field-tables.ts';
import { type Change, historyQuery } from '../objects/history/history.ts';
import type { ReportFilter } from '../reports/report-search.ts';
import { objectOf, type Subject } from '../reports/subject.ts';

/** Kinds whose changes may move figures: no labels, saved reports and the like. */
const isMoving = ({ Entity, Operation }: Change) =>
  Operation !== 'add' && (entityOf(Entity)?.side ?? 'label') !== 'label';

const keyOf = (entity: string, id: number) => `${entity} ${id}`;

/** The objects that filters leave, as far as they name such. */
const subjectsOf = (filters: readonly ReportFilter[]): readonly Subject[] =>
  filters.flatMap(({ Field, Operator, Values }) =>
    Operator === 'In' ? Values.flatMap((value) => objectOf(Field, value) ?? []) : [],
  );

const isAccount = ({ entity }: Subject) => entityOf(entity)?.side === 'account';

function useOwned(accounts: readonly Subject[]): readonly string[] {
  const asked = accounts.flatMap(({ entity: account, id }) =>
    entities.flatMap((entity) =>
      entity.owner?.entity === account
        ? [{ entity, filter: [{ Field: entity.owner.field, Operator: 'in', Values: [id] }] }]
        : [],
    ),
  );
  return useQueries({
    queries: asked.map(({ entity, filter }) => objectsQuery(entity, { filter })),
    combine: (results) =>
      results.flatMap(({ data = [] }, index) =>
        data.map(({ Id }) => keyOf(asked[index]?.entity.key ?? '', Id)),
      ),
  });
}

/**
 * Changes of the configuration between two times, the newest first: of the objects that filters name, and of what the
 * accounts among them own; of the whole team where they name none. `from` undefined = none are asked for.
 */
export function useChanges(
  filters: readonly ReportFilter[],
  from: string | undefined,
  to: string | undefined,
): readonly Change[] {
  const subjects = subjectsOf(filters);
  const owned = useOwned(subjects.filter(isAccount));
  const [single, ...others] = subjects;
  const isSingle = single !== undefined && others.length === 0 && !isAccount(single);
  const of = isSingle ? { Entity: single.entity, Id: single.id } : {};
  const { data = [] } = useQuery({
    ...historyQuery({ ...of, From: from, To: to }),
    enabled: from !== undefined,
    staleTime: 30_000,
  });
  const wanted = new Set([...subjects.map(({ entity, id }) => keyOf(entity, id)), ...owned]);
  return data.filter(
    (change) => isMoving(change) && (wanted.size === 0 || wanted.has(keyOf(change.Entity, change.Id))),
  );
}
