import { Badge, Group, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { entityOf, type ShownField } from '../../field-tables.ts';
import { fieldOf, sentenceOf } from '../../fields.ts';
import { Difference, Differences } from '../../parts/difference.tsx';
import { ObjectNames, Saying } from '../../parts/field-value.tsx';
import { Moment } from '../../parts/moment.tsx';
import { inSentences } from '../../parts/sentence.ts';
import { titleOf } from '../../parts/value-text.ts';
import { roleNames } from '../../session/session.ts';
import classes from './change-row.module.css';
import { written } from './change-words.ts';
import type { Change, FieldChange } from './history.ts';

interface RowProps {
  readonly change: Change;
  /** What was changed, where the screen does not say it. */
  readonly about?: ReactNode;
  /** Whether the address means it: it is scrolled to. */
  readonly isMeant?: boolean;
  readonly children?: ReactNode;
}

/** A change: what was done, to what, by whom, when, and each field that differs. */
export function ChangeRow({ change, about, isMeant = false, children }: RowProps) {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isMeant) place.current?.scrollIntoView({ block: 'center' });
  }, [isMeant]);
  const fields =
    change.Operation === 'add' ? [] : change.Changes.filter(({ Field }) => Field !== 'StatusString');
  const entity = entityOf(change.Entity);
  const fieldFor = ({ Field }: FieldChange) => entity && fieldOf(entity, Field);
  return (
    <article ref={place} className={classes.change} aria-current={isMeant ? 'true' : undefined}>
      <Group justify="space-between" align="flex-start">
        <Group gap="xs" miw={0}>
          <Badge variant="light" color={change.Operation === 'deactivate' ? 'gray' : 'indigo'}>
            {written(change.Operation)}
          </Badge>
          {about}
          <Text size="sm">
            by <b>{change.UserName || 'Bourse'}</b>
          </Text>
          <Text size="sm" c="dimmed">
            <Moment time={change.Time} />
          </Text>
        </Group>
        {children}
      </Group>
      {fields.length > 0 && (
        <Differences>
          {inSentences(fields, fieldFor).map((changes) => (
            <FieldRow key={changes[0].Field} field={fieldFor(changes[0])} changes={changes} />
          ))}
        </Differences>
      )}
    </article>
  );
}

/** A value of a user or an API key, which no field table describes. */
function personText(name: string, value: unknown): string {
  if (name === 'Role') return roleNames[Number(value)] ?? String(value);
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

interface FieldRowProps {
  readonly field: ShownField | undefined;
  /** Of the field, or of all fields of a sentence that have changed. */
  readonly changes: readonly [FieldChange, ...FieldChange[]];
}

function FieldRow({ field, changes }: FieldRowProps) {
  const [{ Field, Added = [], Removed = [], Written }] = changes;
  const said = (side: 'Old' | 'New') => {
    const values = Object.fromEntries(changes.map((change) => [change.Field, change[side]]));
    return field ? <Saying field={field} values={values} /> : personText(Field, values[Field]);
  };
  const named = (ids: readonly number[]) => <ObjectNames of={field?.references ?? ''} ids={ids} />;
  return (
    <Difference
      name={titleOf(field ? sentenceOf(field)[0].name : Field)}
      {...(changes.some((change) => 'New' in change) && { before: said('Old'), after: said('New') })}
    >
      {Written === 1 && 'replaced'}
      {Added.length > 0 && <span>connected {named(Added)} </span>}
      {Removed.length > 0 && <span>disconnected {named(Removed)}</span>}
    </Difference>
  );
}
