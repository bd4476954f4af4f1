import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef } from 'react';
import { CallError } from '../../api/call.ts';
import type { Stored, Values } from '../../api/objects.ts';
import type { ShownEntity } from '../../field-tables.ts';
import { fieldOf } from '../../fields.ts';
import { FieldInput } from '../../objects/settings/field-input.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { analystReason, mayChange } from '../../session/session.ts';
import { useAccount } from '../../session/session-context.ts';

/** A field of an entity, and whether the way needs it. */
export interface NeededField {
  readonly entity: ShownEntity;
  readonly name: string;
  readonly isNeeded: boolean;
}

interface FormProps {
  readonly asked: readonly NeededField[];
  readonly values: Values;
  readonly onChange: (values: Values) => void;
  readonly actionText: string;
  /** Adds what the step is about. `key` names the attempt, so that a repetition adds nothing twice. */
  readonly add: (key: string) => Promise<Stored>;
  readonly onAdded: (added: Stored) => void;
  readonly children?: ReactNode;
}

/** The few fields that a step needs, each with what the server says of it. */
export function AddForm({ asked, values, onChange, actionText, add, onAdded, children }: FormProps) {
  const may = mayChange(useAccount());
  const key = useRef(crypto.randomUUID());
  const adding = useMutation({
    mutationFn: () => add(key.current),
    onSuccess: onAdded,
    onError() {
      key.current = crypto.randomUUID();
    },
  });
  const faults = adding.error instanceof CallError ? adding.error.faults : [];
  const faultOf = ({ entity, name }: NeededField) =>
    faults.find(({ Path }) => Path === `${entity.wrapper}.${name}`)?.Message;
  const others = faults.filter(
    ({ Path }) => !asked.some((one) => `${one.entity.wrapper}.${one.name}` === Path),
  );
  const missing = asked.filter(({ name, isNeeded }) => isNeeded && !values[name]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    adding.mutate();
  };
  return (
    <Stack gap="md" component="form" onSubmit={submit}>
      {children}
      {asked.map((one) => {
        const field = fieldOf(one.entity, one.name);
        return (
          field && (
            <FieldInput
              key={one.name}
              field={field}
              value={values[one.name]}
              error={faultOf(one)}
              isDisabled={!may}
              isRequired={one.isNeeded}
              onChange={(value) => onChange({ ...values, [one.name]: value })}
            />
          )
        );
      })}
      {adding.error && (faults.length === 0 || others.length > 0) && (
        <ErrorNote
          error={
            faults.length === 0
              ? adding.error
              : new Error(others.map(({ Path, Message }) => `${Path} ${Message}`).join('; '))
          }
        />
      )}
      <Group>
        <Button
          type="submit"
          loading={adding.isPending}
          disabled={!may || missing.length > 0}
          title={
            may ? missing.map(({ name }) => `${name} is required`).join(', ') || undefined : analystReason
          }
        >
          {actionText}
        </Button>
      </Group>
    </Stack>
  );
}
