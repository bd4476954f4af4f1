import { Button, CloseButton, Group, Popover, Select, Stack, Text } from '@mantine/core';
import { Filter } from 'lucide-react';
import { useState } from 'react';
import { reports } from '../field-tables.ts';
import conditions from '../lists/conditions.module.css';
import { ObjectNames } from '../parts/field-value.tsx';
import { titleOf } from '../parts/value-text.ts';
import { useCodeNames } from './code-names.ts';
import type { Question } from './question.ts';
import { groupsOf, type ReportFilter, type ReportSearch } from './report-search.ts';
import { codeValue } from './shown-value.ts';
import { objectOf } from './subject.ts';
import { isTogether, useCombinations } from './together.ts';
import { ValueInput } from './value-input.tsx';

const operators = { In: 'is one of', NotIn: 'is not one of' } as const;

interface FiltersProps {
  readonly search: ReportSearch;
  readonly question: Question;
  readonly onChange: (changed: ReportSearch) => void;
}

/** What counts: values of dimensions, all of them at once. */
export function Filters({ search, question, onChange }: FiltersProps) {
  const filters = search.filter ?? [];
  const set = (filter: readonly ReportFilter[]) =>
    onChange({ filter: filter.length > 0 ? filter : undefined });
  return (
    <Group gap="xs">
      {filters.map((filter, index) => (
        <span key={JSON.stringify(filter)} className={conditions.condition}>
          <span>
            {titleOf(filter.Field)}{' '}
            {filter.Values.length > 1 || filter.Operator === 'NotIn' ? operators[filter.Operator] : 'is'}{' '}
            <b>
              <FilterValues filter={filter} />
            </b>
          </span>
          <CloseButton
            size="xs"
            aria-label={`Remove the filter of ${titleOf(filter.Field)}`}
            onClick={() => set(filters.toSpliced(index, 1))}
          />
        </span>
      ))}
      <AddFilter search={search} question={question} onAdd={(filter) => set([...filters, filter])} />
    </Group>
  );
}

function FilterValues({ filter: { Field, Values } }: { readonly filter: ReportFilter }) {
  const codes = useCodeNames([Field]);
  const objects = Values.flatMap((value) => objectOf(Field, value) ?? []);
  if (objects.length === 0) return Values.map((value) => codeValue(Field, value, codes).text).join(', ');
  return [...Map.groupBy(objects, ({ entity }) => entity)].map(([entity, of], index) => (
    <span key={entity}>
      {index > 0 && ', '}
      <ObjectNames of={entity} ids={of.map(({ id }) => id)} />
    </span>
  ));
}

interface AddProps extends Omit<FiltersProps, 'onChange'> {
  readonly onAdd: (filter: ReportFilter) => void;
}

function AddFilter({ search, question, onAdd }: AddProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} width={340} position="bottom-start" trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          size="xs"
          leftSection={<Filter size={14} />}
          onClick={() => setOpen(!isOpen)}
        >
          Filter
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        {isOpen && (
          <FilterForm
            search={search}
            question={question}
            onAdd={(filter) => {
              onAdd(filter);
              setOpen(false);
            }}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

function FilterForm({ search, question, onAdd }: AddProps) {
  const [dimension, setDimension] = useState<string | null>(null);
  const [operator, setOperator] = useState<keyof typeof operators>('In');
  const [values, setValues] = useState<readonly (string | number)[]>([]);
  const combinations = useCombinations();
  const used = [...groupsOf(search), ...(search.filter ?? []).map(({ Field }) => Field)];
  const options = Object.keys(reports.dimensions).map((value) => ({
    value,
    label: titleOf(value),
    disabled: !used.includes(value) && !isTogether(combinations, [...used, value]),
  }));
  return (
    <Stack gap="sm">
      <Select
        label="Dimension"
        searchable
        data={options}
        comboboxProps={{ withinPortal: false }}
        value={dimension}
        onChange={(next) => {
          setDimension(next);
          setValues([]);
        }}
      />
      {dimension !== null && (
        <>
          <Text size="xs" c="dimmed">
            {reports.dimensions[dimension]?.help}
          </Text>
          <Select
            label="Condition"
            allowDeselect={false}
            data={Object.entries(operators).map(([value, label]) => ({ value, label }))}
            comboboxProps={{ withinPortal: false }}
            value={operator}
            onChange={(next) => setOperator(next === 'NotIn' ? next : 'In')}
          />
          <ValueInput
            key={dimension}
            dimension={dimension}
            question={question}
            values={values}
            onChange={setValues}
          />
        </>
      )}
      <Button
        disabled={dimension === null || values.length === 0}
        onClick={() => onAdd({ Field: dimension ?? '', Operator: operator, Values: values })}
      >
        Add
      </Button>
    </Stack>
  );
}
