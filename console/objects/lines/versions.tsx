import { Select } from '@mantine/core';
import { useTimeZone } from '../../parts/time-zone.ts';
import { timeText } from '../../parts/zone-text.ts';
import type { Change } from '../history/history.ts';
import type { LinesSearch } from './lines-search.ts';

export interface Version {
  readonly revision: number;
  readonly time: string;
  readonly userName: string;
}

/** The texts that a list had, the newest first. */
export const versionsOf = (changes: readonly Change[]): readonly Version[] =>
  changes
    .filter(({ Operation, Changes }) => Operation === 'add' || Changes.some(({ Written }) => Written === 1))
    .map(({ Revision, Time, UserName }) => ({ revision: Revision, time: Time, userName: UserName }));

interface ChoiceProps {
  readonly versions: readonly Version[];
  readonly search: LinesSearch;
  readonly onChange: (changed: LinesSearch) => void;
}

/** Chooses two versions to be compared, or none. */
export function VersionChoice({ versions, search, onChange }: ChoiceProps) {
  const { since, until } = search;
  const [zone] = useTimeZone();
  const older = versions.filter(({ revision }) => revision < (until ?? versions[0]?.revision ?? 0));
  const newer = versions.slice(1).filter(({ revision }) => revision > (since ?? 0));
  const options = (shown: readonly Version[]) =>
    shown.map(({ revision, time, userName }) => ({
      value: String(revision),
      label: `${timeText(new Date(time), zone)}${userName ? `, ${userName}` : ''}`,
    }));
  return (
    <>
      <Select
        w={300}
        aria-label="Compare with"
        placeholder={older.length > 0 ? 'Compare with the lines of…' : 'There is no earlier version'}
        disabled={older.length === 0}
        clearable
        data={options(older)}
        value={since === undefined ? null : String(since)}
        onChange={(revision) =>
          onChange(
            revision === null
              ? { since: undefined, until: undefined, side: undefined }
              : { since: Number(revision) },
          )
        }
      />
      {since !== undefined && newer.length > 0 && (
        <Select
          w={300}
          aria-label="What is compared"
          allowDeselect={false}
          data={[{ value: '', label: 'and the current lines' }, ...options(newer)]}
          value={until === undefined ? '' : String(until)}
          onChange={(revision) => onChange({ until: revision ? Number(revision) : undefined })}
        />
      )}
    </>
  );
}
