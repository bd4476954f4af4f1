import { Alert, Button, Group, Text } from '@mantine/core';
import { CallError } from '../api/call.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { titleOf } from '../parts/value-text.ts';
import { applyRemedy } from './apply-remedy.ts';
import { todayIn } from './period.ts';
import type { ReportSearch } from './report-search.ts';

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
          .flatMap(({ Remedies = [] }) =>
            Remedies.map((remedy) => applyRemedy(search, remedy, todayIn('UTC'))),
          )
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
