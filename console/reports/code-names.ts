import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { consentStates } from '../../src/reference/consent-states.ts';
import { reasonHelp } from '../../src/reference/reason-help.ts';
import { referenceQuery } from '../api/reference.ts';
import { entityOf, reports } from '../field-tables.ts';
import { reasonText } from '../parts/reason-text.ts';
import type { CodeNames } from './shown-value.ts';

type Entry = Readonly<Record<string, unknown>>;

/** How the server lists what codes of a dimension mean: where, and which members say code and name. */
const lists = {
  Country: { path: 'api/info/countries', code: 'CC', label: 'Country' },
  DeviceType: { path: 'api/info/devicetypes', code: 'Id', label: 'Name' },
} as const;

/** Dimensions whose values are kinds of objects, with what these are called. */
const kinds: CodeNames = Object.fromEntries(
  Object.values(reports.dimensions).flatMap(({ shows }) =>
    typeof shows === 'object' && 'objects' in shows
      ? [[shows.kindAs, Object.fromEntries(shows.objects.map((key) => [key, entityOf(key)?.title ?? key]))]]
      : [],
  ),
);

const reasons: CodeNames[string] = Object.fromEntries(
  Object.keys(reasonHelp).map((name) => [name, reasonText(name)]),
);

function useListed(dimension: keyof typeof lists, isWanted: boolean) {
  const { path, code, label } = lists[dimension];
  const { data }: { data?: readonly Entry[] } = useQuery({ ...referenceQuery(path), enabled: isWanted });
  return useMemo(
    () => data && Object.fromEntries(data.map((entry) => [String(entry[code]), String(entry[label])])),
    [data, code, label],
  );
}

/** What the codes of these dimensions mean, as far as there is a list of them. */
export function useCodeNames(names: readonly string[]): CodeNames {
  const Country = useListed('Country', names.includes('Country'));
  const DeviceType = useListed('DeviceType', names.includes('DeviceType'));
  return useMemo(
    () => ({ ...kinds, Reason: reasons, Consent: consentStates, Country, DeviceType }),
    [Country, DeviceType],
  );
}
