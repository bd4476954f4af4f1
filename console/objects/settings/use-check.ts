import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Fault } from '../../../src/answers/failure.ts';
import { CallError } from '../../api/call.ts';
import { type Operation, type Stored, sendObject, type Values, type Warning } from '../../api/objects.ts';
import type { ShownEntity } from '../../field-tables.ts';
import { mayChange } from '../../session/session.ts';
import { useAccount } from '../../session/session-context.ts';

/** What the server says of values before they are saved. */
export interface CheckResult {
  readonly faults: readonly Fault[];
  readonly warnings: readonly Warning[];
}

const pauseMs = 400;
const nothing: CheckResult = { faults: [], warnings: [] };

/** Asks the server what it would say of these values, after a pause. No rule is checked here. */
export function useCheck(
  entity: ShownEntity,
  operation: Operation,
  values: Values,
  isAsked: boolean,
): CheckResult {
  const [settled] = useDebouncedValue(values, pauseMs);
  const { data } = useQuery({
    queryKey: ['check', entity.key, operation, settled],
    enabled: isAsked,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    async queryFn({ signal }): Promise<CheckResult> {
      try {
        const { warnings } = await sendObject(entity, operation, settled, { isTried: true, signal });
        return { faults: [], warnings };
      } catch (error) {
        if (error instanceof CallError && error.status === 406) return { faults: error.faults, warnings: [] };
        throw error;
      }
    },
  });
  return isAsked ? (data ?? nothing) : nothing;
}

/** Of an object with these changes. Without changes only what the server may warn of is asked, by those who may save. */
export function useChangeCheck(entity: ShownEntity, { Id }: Stored, changed: Values): CheckResult {
  const may = mayChange(useAccount());
  const isAsked = Object.keys(changed).length > 0 || (may && entity.hasSettingWarnings === true);
  return useCheck(entity, 'update', { Id, ...changed }, isAsked);
}

/** The field that a path such as `VastTag.Countries[2].CC` is about. */
export const fieldOfPath = (path: string): string => path.split('.')[1]?.replace(/\[.*$/, '') ?? '';

/** The rest of such a path, below the field: `[2].CC`. */
export const pathInField = (path: string): string =>
  path.split('.').slice(1).join('.').slice(fieldOfPath(path).length).replace(/^\./, '');
