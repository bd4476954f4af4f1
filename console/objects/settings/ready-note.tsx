import { Alert } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import type { Warning } from '../../api/objects.ts';
import type { ShownEntity } from '../../field-tables.ts';
import { Lacks } from '../../parts/lacks.tsx';
import { fieldOfPath } from './use-check.ts';

interface NoteProps {
  readonly entity: ShownEntity;
  readonly id: number | undefined;
  readonly warnings: readonly Warning[];
}

/** Says what an object needs before it can serve; nothing if it is ready. */
export function ReadyNote({ entity, id, warnings }: NoteProps) {
  const lacks = warnings
    .filter(({ Blocking }) => Blocking === 1)
    .map(({ Path, Message }) => ({ Field: fieldOfPath(Path), Message }));
  if (lacks.length === 0) return null;
  const count = lacks.length === 1 ? 'one thing is' : `${lacks.length} things are`;
  return (
    <Alert
      color="orange"
      variant="light"
      icon={<TriangleAlert size={18} />}
      title={`Not ready to serve: ${count} missing`}
      role="status"
    >
      <Lacks entity={entity} lacks={lacks} {...(id !== undefined && { id })} />
    </Alert>
  );
}
