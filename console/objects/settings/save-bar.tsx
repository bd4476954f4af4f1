import { Button, Group, Paper, Text, Transition } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import type { ReactNode } from 'react';
import classes from './save-bar.module.css';

interface BarProps {
  readonly changes: number;
  readonly faults: number;
  readonly failure: Error | undefined;
  readonly isSaving: boolean;
  readonly isBlocked: boolean;
  readonly onSave: () => void;
  readonly onDiscard: () => void;
  /** What else can be done with the changes. */
  readonly extra?: ReactNode;
  readonly saveText?: string;
  readonly children?: ReactNode;
}

function stateText({
  changes,
  faults,
  failure,
}: Pick<BarProps, 'changes' | 'faults' | 'failure'>): ReactNode {
  if (failure)
    return (
      <Text c="red" size="sm">
        {failure.message}
      </Text>
    );
  const count = `${changes} unsaved ${changes === 1 ? 'change' : 'changes'}`;
  if (faults === 0) return <Text size="sm">{count}</Text>;
  return (
    <Text size="sm" c="red">
      {count}, {faults === 1 ? 'one is' : `${faults} are`} not accepted: see the fields
    </Text>
  );
}

/** Stays in sight while something is changed: saves all of it, or none. */
export function SaveBar(props: BarProps) {
  const { changes, isSaving, isBlocked, onSave, onDiscard, extra, saveText = 'Save', children } = props;
  const isOpen = changes > 0;
  useHotkeys([['mod+S', () => isOpen && !isSaving && !isBlocked && onSave()]], []);
  return (
    <Transition mounted={isOpen} transition="slide-up" duration={120}>
      {(style) => (
        <Paper
          className={classes.bar}
          data-save-bar
          withBorder
          shadow="md"
          px="lg"
          py="sm"
          style={style}
          role="region"
          aria-label="Unsaved changes"
        >
          {children}
          <Group justify="space-between" wrap="wrap">
            <div role="status">{stateText(props)}</div>
            <Group gap="xs">
              {extra}
              <Button variant="default" onClick={onDiscard} disabled={isSaving}>
                Discard
              </Button>
              <Button onClick={onSave} loading={isSaving} disabled={isBlocked} title="Ctrl S">
                {saveText}
              </Button>
            </Group>
          </Group>
        </Paper>
      )}
    </Transition>
  );
}
