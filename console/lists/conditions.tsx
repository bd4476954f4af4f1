import { Button, CloseButton, Group, Popover, Select, Stack, TagsInput, Text } from '@mantine/core';
import { Filter } from 'lucide-react';
import { useState } from 'react';
import type { Condition } from '../api/objects.ts';
import type { ShownEntity, ValueForm } from '../field-tables.ts';
import { byLabelOrName } from '../parts/by-label-or-name.ts';
import { isFlag } from '../parts/value-text.ts';
import { choosable, columnOf, columnTitle } from './columns.ts';
import classes from './conditions.module.css';

const words: Readonly<Record<string, string>> = {
  in: 'is one of',
  not_in: 'is not one of',
  contains: 'contains',
  not_contains: 'does not contain',
  at_least: 'is at least',
  at_most: 'is at most',
  is_empty: 'is empty',
  is_not_empty: 'is not empty',
};

const isNumeric = ({ form }: ValueForm) => form.type === 'integer' || form.type === 'number';
const hasCodes = (field: ValueForm) => field.labels !== undefined || isFlag(field);

function operatorsOf(field: ValueForm): readonly string[] {
  if (hasCodes(field)) return ['in', 'not_in'];
  if (field.form.type === 'array') return ['in', 'not_in', 'is_empty', 'is_not_empty'];
  return isNumeric(field)
    ? ['at_least', 'at_most', 'in', 'not_in']
    : ['contains', 'not_contains', 'in', 'not_in', 'is_empty', 'is_not_empty'];
}

const takesNone = (operator: string) => operator.endsWith('empty');
const itemsAreNumbers = ({ form }: ValueForm) =>
  (form.items ?? form).type !== 'string' && !form.items?.properties;

interface Choice {
  readonly value: string;
  readonly label: string;
}

function labelsOf(field: ValueForm): readonly Choice[] {
  const labels = isFlag(field) ? { 0: 'no', 1: 'yes' } : (field.labels ?? {});
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}

function textOf(entity: ShownEntity, { Field, Operator, Values }: Condition): string {
  const field = columnOf(entity, Field);
  const known = new Map(field ? labelsOf(field).map(({ value, label }) => [value, label]) : []);
  const values = Values.map((value) => known.get(String(value)) ?? String(value)).join(', ');
  return `${columnTitle(field?.name ?? Field)} ${words[Operator] ?? Operator} ${values}`.trim();
}

interface ConditionsProps {
  readonly entity: ShownEntity;
  readonly conditions: readonly Condition[];
  readonly onChange: (conditions: readonly Condition[]) => void;
}

/** What a list's objects have to meet, beyond its search: any field, by the API's own operators. */
export function Conditions({ entity, conditions, onChange }: ConditionsProps) {
  return (
    <Group gap="xs">
      {conditions.map((condition, index) => (
        <span key={JSON.stringify(condition)} className={classes.condition}>
          {textOf(entity, condition)}
          <CloseButton
            size="xs"
            aria-label={`Remove: ${textOf(entity, condition)}`}
            onClick={() => onChange(conditions.toSpliced(index, 1))}
          />
        </span>
      ))}
      <AddCondition entity={entity} onAdd={(condition) => onChange([...conditions, condition])} />
    </Group>
  );
}

interface AddProps {
  readonly entity: ShownEntity;
  readonly onAdd: (condition: Condition) => void;
}

function AddCondition({ entity, onAdd }: AddProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} width={320} position="bottom-start" trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<Filter size={14} />} onClick={() => setOpen(!isOpen)}>
          Filter
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        {isOpen && (
          <ConditionForm
            entity={entity}
            onAdd={(condition) => {
              onAdd(condition);
              setOpen(false);
            }}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

function ConditionForm({ entity, onAdd }: AddProps) {
  const [name, setName] = useState<string | null>(null);
  const [operator, setOperator] = useState('in');
  const [chosen, setChosen] = useState<string[]>([]);
  // What is typed counts, too, whether it was ended with Enter or not.
  const [typed, setTyped] = useState('');
  const field = name === null ? undefined : columnOf(entity, name);
  const values = [...chosen, ...(typed.trim() === '' ? [] : [typed.trim()])].map((text) =>
    field && hasCodes(field) ? (text.split(' ')[0] ?? text) : text,
  );
  const isComplete = field !== undefined && (takesNone(operator) || values.length > 0);
  const combobox = { withinPortal: false };
  const choose = (next: string | null) => {
    setName(next);
    setOperator(operatorsOf(columnOf(entity, next ?? '') ?? { form: {} })[0] ?? 'in');
    setChosen([]);
  };
  const add = () => {
    if (!field) return;
    const sent = itemsAreNumbers(field) ? values.map(Number) : values;
    onAdd({ Field: field.name, Operator: operator, Values: takesNone(operator) ? [] : sent });
  };
  return (
    <Stack gap="sm">
      <Select
        label="Field"
        filter={byLabelOrName}
        searchable
        data={choosable(entity).map((one) => ({ value: one.name, label: columnTitle(one.name) }))}
        comboboxProps={combobox}
        value={name}
        onChange={choose}
      />
      {field && (
        <>
          <Text size="xs" c="dimmed">
            {field.help}
          </Text>
          <Select
            label="Condition"
            allowDeselect={false}
            data={operatorsOf(field).map((value) => ({ value, label: words[value] ?? value }))}
            comboboxProps={combobox}
            value={operator}
            onChange={(next) => setOperator(next ?? 'in')}
          />
          {!takesNone(operator) && (
            <TagsInput
              label="Values"
              data={labelsOf(field).map(({ value, label }) => `${value} ${label}`)}
              comboboxProps={combobox}
              acceptValueOnBlur
              value={chosen}
              onChange={setChosen}
              searchValue={typed}
              onSearchChange={setTyped}
            />
          )}
        </>
      )}
      <Button disabled={!isComplete} onClick={add}>
        Add
      </Button>
    </Stack>
  );
}
