import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { ManyChange } from '../api/batch.ts';
import type { Stored } from '../api/objects.ts';
import { BulkDialog } from '../bulk/bulk-dialog.tsx';
import { ChooseChange, loadInput } from '../bulk/choose-change.tsx';
import type { ShownEntity } from '../field-tables.ts';
import { isActive } from '../parts/object-name.ts';
import { countText } from '../parts/value-text.ts';
import { analystReason, mayChange } from '../session/session.ts';
import { useAccount } from '../session/session-context.ts';

interface BarProps {
  readonly entity: ShownEntity;
  readonly objects: readonly Stored[];
  readonly onDone: () => void;
}

/** What is to be done with many objects: tried first, shown, then done as one, and undone as one. */
export function BulkBar({ entity, objects, onDone }: BarProps) {
  const may = mayChange(useAccount());
  const [changes, setChanges] = useState<readonly ManyChange[]>();
  const [isChoosing, setChoosing] = useState(false);
  const reason = may ? undefined : analystReason;
  const setStatus = (Operation: 'activate' | 'deactivate') => {
    const affected = objects.filter((object) => isActive(object) !== (Operation === 'activate'));
    setChanges(affected.map(({ Id }) => ({ Entity: entity.key, Operation, Object: { Id } })));
  };
  return (
    <Group gap="xs" role="region" aria-label="Selected objects">
      <Text size="sm" fw={600}>
        {countText(objects.length)} selected
      </Text>
      <Button
        size="xs"
        variant="default"
        disabled={!may}
        title={reason}
        onClick={() => setStatus('activate')}
      >
        Activate…
      </Button>
      <Button
        size="xs"
        variant="default"
        disabled={!may}
        title={reason}
        onClick={() => setStatus('deactivate')}
      >
        Deactivate…
      </Button>
      <Button
        size="xs"
        variant="default"
        disabled={!may}
        title={reason}
        onMouseEnter={() => void loadInput()}
        onFocus={() => void loadInput()}
        onClick={() => setChoosing(true)}
      >
        Change a field…
      </Button>
      <Button size="xs" variant="subtle" onClick={onDone}>
        Select none
      </Button>
      {isChoosing && (
        <ChooseChange
          entity={entity}
          objects={objects}
          onClose={() => setChoosing(false)}
          onChosen={(chosen) => {
            setChoosing(false);
            setChanges(chosen);
          }}
        />
      )}
      {changes && (
        <BulkDialog
          changes={changes}
          onClose={(isChanged) => {
            setChanges(undefined);
            if (isChanged) onDone();
          }}
        />
      )}
    </Group>
  );
}
