import { Button, Group, Modal, NumberInput, Select, Skeleton, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { ManyChange } from '../api/batch.ts';
import { currentObjects, type Stored } from '../api/objects.ts';
import type { ShownEntity, ShownField } from '../field-tables.ts';
import { fieldOf, fieldsOf } from '../fields.ts';
import { isSame } from '../objects/settings/draft.ts';
import { byLabelOrName } from '../parts/by-label-or-name.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { countText, titleOf } from '../parts/value-text.ts';
import { type Operation, operationsFor } from './operations.ts';

export const loadInput = () => import('../objects/settings/field-input.tsx');
const FieldInput = lazy(async () => ({ default: (await loadInput()).FieldInput }));

interface ChooseProps {
  readonly entity: ShownEntity;
  readonly objects: readonly Stored[];
  readonly onClose: () => void;
  readonly onChosen: (changes: readonly ManyChange[]) => void;
}

const settable = (entity: ShownEntity): readonly ShownField[] =>
  fieldsOf(entity).filter(({ presence, place }) => presence !== 'derived' && place !== 'listText');

/** Chooses a field of many objects, and what is done with it. */
export function ChooseChange({ entity, objects, onClose, onChosen }: ChooseProps) {
  const client = useQueryClient();
  const [name, setName] = useState<string | null>(null);
  const [key, setKey] = useState('set');
  const [entered, setEntered] = useState<unknown>();
  const field = name === null ? undefined : fieldOf(entity, name);
  const offered = field ? operationsFor(field) : [];
  const operation = offered.find((one) => one.key === key) ?? offered[0];
  const choose = (chosen: string | null, next: string) => {
    setName(chosen);
    setKey(next);
    const of = chosen === null ? undefined : fieldOf(entity, chosen);
    setEntered(of && startOf(of, next, objects[0]));
  };
  const making = useMutation({
    async mutationFn({ of, by }: { readonly of: ShownField; readonly by: Operation }) {
      const ids = objects.map(({ Id }) => Id);
      const now = by.needsOld ? await currentObjects(client, entity, ids, [of.name]) : objects;
      const byId = new Map(now.map((object) => [object.Id, object[of.name]]));
      return ids.flatMap((Id): ManyChange[] => {
        const old = byId.get(Id);
        const value = by.apply(old, entered, of);
        if (by.needsOld && isSame(old, value)) return [];
        return [{ Entity: entity.key, Operation: 'update', Object: { Id, [of.name]: value } }];
      });
    },
    onSuccess: onChosen,
  });
  const isEntered = operation?.takes === 'none' || (entered !== undefined && entered !== '');
  return (
    <Modal opened onClose={onClose} title={`Change a field of ${countText(objects.length)}`} size="lg">
      <Stack>
        {making.error && <ErrorNote error={making.error} />}
        <Select
          label="Field"
          filter={byLabelOrName}
          data={settable(entity).map((one) => ({ value: one.name, label: titleOf(one.name) }))}
          searchable
          value={name}
          onChange={(chosen) => choose(chosen, 'set')}
        />
        {field && offered.length > 1 && (
          <Select
            label="What to do"
            data={offered.map((one) => ({ value: one.key, label: one.label }))}
            allowDeselect={false}
            value={operation?.key ?? null}
            onChange={(next) => choose(name, next ?? 'set')}
          />
        )}
        {field && operation && (
          <Operand field={field} operation={operation} value={entered} onChange={setEntered} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            disabled={!field || !operation || !isEntered}
            loading={making.isPending}
            onClick={() => field && operation && making.mutate({ of: field, by: operation })}
          >
            See the differences
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** A value to begin with: that of the first object, which shows its form. */
function startOf(field: ShownField, key: string, first: Stored | undefined): unknown {
  if (key === 'set') return first?.[field.name];
  return field.form.type === 'array' ? [] : undefined;
}

interface OperandProps {
  readonly field: ShownField;
  readonly operation: Operation;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

function Operand({ field, operation, value, onChange }: OperandProps) {
  if (operation.takes === 'none') return null;
  if (operation.takes === 'number') {
    return (
      <NumberInput
        label={operation.label}
        description={field.help}
        maw={320}
        hideControls
        suffix={operation.suffix ?? (operation.key === 'plus' && field.unit ? ` ${field.unit}` : '')}
        value={typeof value === 'number' ? value : ''}
        onChange={(number) => onChange(typeof number === 'number' ? number : undefined)}
      />
    );
  }
  return (
    <Suspense fallback={<Skeleton h={60} />}>
      <FieldInput
        field={field}
        value={value}
        onChange={onChange}
        error={undefined}
        isDisabled={false}
        isRequired={false}
      />
    </Suspense>
  );
}
