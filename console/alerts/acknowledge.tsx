import { Button, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { Moment } from '../parts/moment.tsx';
import { analystReason, mayChange } from '../session/session.ts';
import { useAccount } from '../session/session-context.ts';
import type { Finding } from './alerts.ts';

const load = () => import('./acknowledge-form.tsx');
const AcknowledgeForm = lazy(async () => ({ default: (await load()).AcknowledgeForm }));

interface AcknowledgeProps {
  readonly finding: Finding;
}

/** Who is taking care of it of what fires; while nobody does, a button to say so. */
export function Acknowledge({ finding }: AcknowledgeProps) {
  const [isOpen, setOpen] = useState(false);
  const may = mayChange(useAccount());
  if (finding.Acknowledged !== '') return <Acknowledged finding={finding} />;
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        disabled={!may}
        title={may ? undefined : analystReason}
        onMouseEnter={() => void load()}
        onFocus={() => void load()}
        onClick={() => setOpen(true)}
      >
        Acknowledge<span className="visually-hidden"> {finding.ObjectName || 'all together'}</span>
      </Button>
      {isOpen && (
        <Suspense>
          <AcknowledgeForm finding={finding} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

function Acknowledged({ finding: { AcknowledgedBy, Acknowledged: time, Note } }: AcknowledgeProps) {
  return (
    <Text span display="block" size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      Acknowledged by {AcknowledgedBy || 'somebody'}, <Moment time={time} />
      {Note !== '' && `: ${Note}`}
    </Text>
  );
}
