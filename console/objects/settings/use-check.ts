import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Fault } from '../../../src/answers/failure.ts';
import { CallError } from '../../api/call.ts';
import {
  type Operation,
  type Stored,
  sendObject,
  storedWarnings,
  type Values,
  type Warning,
} from '../../api/objects.ts';
import type { ShownEntity } from '../../field-tables.ts';

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

/** Of an object as it is stored, which those may ask, too, who may not change it. */
function useStoredCheck(entity: ShownEntity, id: number, isAsked: boolean): CheckResult {
  const { data } = useQuery({
    queryKey: ['check', entity.key, 'stored', id],
    enabled: isAsked,
    queryFn: async ({ signal }): Promise<CheckResult> => ({
      faults: [],
      warnings: await storedWarnings(entity, id, signal),
    }),
  });
  return isAsked ? (data ?? nothing) : nothing;
}

/** Of an object with these changes; without changes what the server warns of. */
export function useChangeCheck(entity: ShownEntity, { Id }: Stored, changed: Values): CheckResult {
  const isChanged = Object.keys(changed).length > 0;
  const ofChange = useCheck(entity, 'update', { Id, ...changed }, isChanged);
  const ofStored = useStoredCheck(entity, Id, !isChanged && entity.hasSettingWarnings === true);
  return isChanged ? ofChange : ofStored;
}

/** The field that a path such as `VastTag.Countries[2].CC` is about. */
export const fieldOfPath = (path: string): string => path.split('.')[1]?.replace(/\[.*$/, '') ?? '';

/** The rest of such a path, below the field: `[2].CC`. */
export const pathInField = (path: string): string =>
  path.split('.').slice(1).join('.').slice(fieldOfPath(path).length).replace(/^\./, '');
