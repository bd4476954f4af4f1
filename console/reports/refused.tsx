import { Alert, Button, Group, Text } from '@mantine/core';
import { CallError } from '../api/call.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { titleOf } from '../parts/value-text.ts';
import { timeText } from '../parts/zone-text.ts';
import { dayAfter, todayIn } from './period.ts';
import { figuresOf, groupsOf, type ReportSearch } from './report-search.ts';
import { isTogether } from './together.ts';

/** What can be asked instead, and what the address says then. */
interface Remedy {
  readonly label: string;
  readonly search: ReportSearch;
}

const without = (names: readonly string[], left: readonly string[]) =>
  names.filter((name) => !left.includes(name)).join();

/** The address without some names: of groups, filters and figures. */
function leavingOut(search: ReportSearch, left: readonly string[]): Remedy {
  if (left.includes('CompareTo')) {
    return { label: 'Compare with nothing', search: { ...search, compare: undefined } };
  }
  const figures = without(figuresOf(search), left);
  return {
    label: `Leave out ${left.map(titleOf).join(', ')}`,
    search: {
      ...search,
      by: without(groupsOf(search), left),
      figures: figures === '' ? undefined : figures,
      filter: search.filter?.filter(({ Field }) => !left.includes(Field)),
    },
  };
}

/** The names of an address with days in place of shorter steps of time. */
const inDays = (search: ReportSearch) =>
  groupsOf(search)
    .map((name) => (name === 'Hour' || name === 'QuarterHour' ? 'Day' : name))
    .join();

/** The address from a day of UTC on; in other zones, a day begins at another time, so from the next one. */
function beginningAt(search: ReportSearch, since: string): Remedy {
  const from = search.zone === 'UTC' ? since : dayAfter(since, 1);
  const to = search.to !== undefined && search.to >= from ? search.to : todayIn('UTC');
  return {
    label: `Begin on ${timeText(Date.parse(from), 'UTC', 'day')}`,
    search: { ...search, period: undefined, from, to },
  };
}

/** Names that a refusal says are to be left out: each time one after "leave out". */
const namedIn = (message: string): readonly (readonly string[])[] =>
  [...message.matchAll(/leave out ((?:[A-Z]\w*(?:, )?)+)/g)].map(([, names = '']) =>
    names.split(', ').filter(Boolean),
  );

/** What a refused question could be instead, by what the server says, each as an address. */
function remediesOf(error: CallError, search: ReportSearch): readonly Remedy[] {
  const text = error.faults.map(({ Message }) => Message).join(' ');
  const used = [...groupsOf(search), ...(search.filter ?? []).map(({ Field }) => Field)];
  const isOfComparison = error.faults.some(({ Path }) => Path === 'CompareTo');
  const since = /since (\d{4}-\d{2}-\d{2})T/.exec(text)?.[1];
  const apart = text.includes('not counted together')
    ? used.filter((name) => isTogether(used.filter((one) => one !== name))).map((name) => [name])
    : [];
  return [
    ...(text.includes('longer steps')
      ? [{ label: 'Ask for days of UTC', search: { ...search, by: inDays(search), zone: 'UTC' } }]
      : []),
    ...(text.includes('TimeZone UTC')
      ? [{ label: 'Ask for days of UTC', search: { ...search, zone: 'UTC' } }]
      : []),
    ...(since && !isOfComparison ? [beginningAt(search, since)] : []),
    ...[...namedIn(text), ...apart].map((names) => leavingOut(search, names)),
  ];
}

interface RefusedProps {
  readonly error: Error;
  readonly search: ReportSearch;
  readonly onAsk: (search: ReportSearch) => void;
  /** Whether a question can be asked here; absent = all can. */
  readonly canAsk?: (search: ReportSearch) => boolean;
}

/** Why the server answers nothing, and what it would answer, to be asked at once. */
export function Refused({ error, search, onAsk, canAsk = () => true }: RefusedProps) {
  if (!(error instanceof CallError) || error.faults.length === 0) return <ErrorNote error={error} />;
  return (
    <Alert color="orange" variant="light" role="alert" title="This can't be answered">
      {error.faults.map(({ Path, Message }) => (
        <Text key={Path + Message} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {Path && `${titleOf(Path)}: `}
          {Message}.
        </Text>
      ))}
      <Group gap="xs" mt="sm">
        {remediesOf(error, search)
          .filter((remedy) => canAsk(remedy.search))
          .map((remedy) => (
            <Button key={remedy.label} size="xs" variant="default" onClick={() => onAsk(remedy.search)}>
              {remedy.label}
            </Button>
          ))}
      </Group>
    </Alert>
  );
}
