import { Alert, Button, Group, Text } from '@mantine/core';
import type { Remedy } from '../../src/answers/failure.ts';
import { CallError } from '../api/call.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { titleOf } from '../parts/value-text.ts';
import { timeText } from '../parts/zone-text.ts';
import { dayAfter, todayIn } from './period.ts';
import { figuresOf, groupsOf, type ReportSearch } from './report-search.ts';

/** What can be asked instead, and what the address says then. */
interface Way {
  readonly label: string;
  readonly search: ReportSearch;
}

const without = (names: readonly string[], left: readonly string[]) =>
  names.filter((name) => !left.includes(name)).join();

/** The address without some names: of groups, filters and figures. */
function leavingOut(search: ReportSearch, left: readonly string[]): Way {
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

/** The address from a day of UTC on; in other zones, a day begins at another time, so from the next one. */
function beginningAt(search: ReportSearch, since: string): Way {
  const from = search.zone === 'UTC' ? since : dayAfter(since, 1);
  const to = search.to !== undefined && search.to >= from ? search.to : todayIn('UTC');
  return {
    label: `Start on ${timeText(Date.parse(from), 'UTC', 'day')}`,
    search: { ...search, period: undefined, from, to },
  };
}

function addressOf(search: ReportSearch, { LeaveOut, From, GroupBy }: Remedy): Way {
  if (LeaveOut) return leavingOut(search, LeaveOut);
  if (From) return beginningAt(search, From.slice(0, 'YYYY-MM-DD'.length));
  return {
    label: 'Use UTC days',
    search: { ...search, ...(GroupBy && { by: GroupBy.join() }), zone: 'UTC' },
  };
}

interface ReportRefusalProps {
  readonly error: Error;
  readonly search: ReportSearch;
  readonly onAsk: (search: ReportSearch) => void;
  /** Whether a question can be asked here; absent = all can. */
  readonly canAsk?: (search: ReportSearch) => boolean;
}

/** Why the server answers nothing, and what it would answer, to be asked at once. */
export function ReportRefusal({ error, search, onAsk, canAsk = () => true }: ReportRefusalProps) {
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
        {error.faults
          .flatMap(({ Remedies = [] }) => Remedies.map((remedy) => addressOf(search, remedy)))
          .filter((way) => canAsk(way.search))
          .map((way) => (
            <Button key={way.label} size="xs" variant="default" onClick={() => onAsk(way.search)}>
              {way.label}
            </Button>
          ))}
      </Group>
    </Alert>
  );
}
