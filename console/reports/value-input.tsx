import { MultiSelect, TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { reports } from '../field-tables.ts';
import { objectName, pluralOf } from '../parts/object-name.ts';
import { useObjectSearch } from '../parts/object-search.ts';
import { useCodeNames } from './code-names.ts';
import { answerQuery, type Question } from './question.ts';
import { countedBy, useCombinations } from './together.ts';

interface ValueProps {
  readonly dimension: string;
  readonly values: readonly (string | number)[];
  readonly onChange: (values: readonly (string | number)[]) => void;
}

/** Within a popover, which a click outside of it would close. */
const comboboxProps = { withinPortal: false };

/** The values of a filter: objects by name, codes by what they mean, texts. */
export function ValueInput(props: ValueProps & { readonly question: Question }) {
  const { dimension, values, onChange } = props;
  const { [dimension]: codes } = useCodeNames([dimension]);
  const shows = reports.dimensions[dimension]?.shows;
  if (typeof shows === 'object')
    return <ObjectValues {...props} kinds={'account' in shows ? [shows.account] : shows.objects} />;
  if (!codes) return <TextValues {...props} />;
  return (
    <MultiSelect
      label="Values"
      searchable
      hidePickedOptions
      limit={100}
      comboboxProps={comboboxProps}
      data={Object.entries(codes).map(([value, label]) => ({ value, label: label ?? value }))}
      value={values.map(String)}
      onChange={(chosen) => onChange(shows === 'number' ? chosen.map(Number) : chosen)}
    />
  );
}

function ObjectValues({ values, onChange, kinds }: ValueProps & { readonly kinds: readonly string[] }) {
  const [query, setQuery] = useState('');
  const [names, setNames] = useState<Readonly<Record<string, string>>>({});
  const isOfOne = kinds.length === 1 && reports.dimensions[kinds[0] ?? ''] !== undefined;
  const groups = useObjectSearch(kinds, query).map(({ entity, objects }) => ({
    group: pluralOf(entity),
    items: objects.map((object) => ({
      value: isOfOne ? String(object.Id) : `${entity.key}:${object.Id}`,
      label: `${objectName(object)} (${object.Id})`,
    })),
  }));
  const found = new Map(groups.flatMap(({ items }) => items.map(({ value, label }) => [value, label])));
  const gone = values.map(String).filter((value) => !found.has(value));
  return (
    <MultiSelect
      label="Objects"
      placeholder="Name"
      searchable
      hidePickedOptions
      comboboxProps={comboboxProps}
      // The server has searched; what is chosen stays, whatever is searched for then.
      filter={({ options }) => options}
      data={[
        ...groups.filter(({ items }) => items.length > 0),
        ...(gone.length > 0
          ? [{ group: 'Chosen', items: gone.map((value) => ({ value, label: names[value] ?? value })) }]
          : []),
      ]}
      searchValue={query}
      onSearchChange={setQuery}
      value={values.map(String)}
      onChange={(chosen) => {
        setNames({
          ...names,
          ...Object.fromEntries(chosen.map((id) => [id, found.get(id) ?? names[id] ?? id])),
        });
        onChange(isOfOne ? chosen.map(Number) : chosen);
      }}
    />
  );
}

/** Texts, of which those are offered that the period has counted. */
function TextValues({ dimension, values, onChange, question }: ValueProps & { readonly question: Question }) {
  const [figure = 'Impressions'] = countedBy(useCombinations(), [dimension], ['Requests', 'Impressions']);
  const { Measures: _, OrderBy: __, CompareTo: ___, ...time } = question;
  const asked: Question = {
    ...time,
    TimeZone: 'UTC',
    GroupBy: [dimension],
    Measures: [figure],
    Filters: [],
    Total: 1,
    OrderBy: [{ Field: figure, Direction: 'Desc' }],
    Limit: 100,
  };
  const { data } = useQuery(answerQuery(asked));
  const known = (data?.Rows ?? []).map((row) => String(row[dimension] ?? '')).filter(Boolean);
  return (
    <TagsInput
      label="Values"
      description="As counted; the values of the period are suggested"
      data={known}
      comboboxProps={comboboxProps}
      acceptValueOnBlur
      value={values.map(String)}
      onChange={onChange}
    />
  );
}
