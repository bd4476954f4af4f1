import { MultiSelect, TagsInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sendRequest } from '../api/call.ts';
import { objectsRequest, type Stored } from '../api/objects.ts';
import { entityOf, reports } from '../field-tables.ts';
import { nameOf, pluralOf } from '../parts/object-name.ts';
import { useCodeNames } from './code-names.ts';
import { answerQuery, type Question } from './question.ts';
import { countedBy } from './together.ts';

interface ValueProps {
  readonly dimension: string;
  readonly values: readonly (string | number)[];
  readonly onChange: (values: readonly (string | number)[]) => void;
}

/** Within a popover, which a click outside of it would close. */
const comboboxProps = { withinPortal: false };
const foundMax = 20;
const pauseMs = 150;

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

/** Objects of some kinds whose names have a text, those of each kind under its name. */
function useFound(kinds: readonly string[], query: string) {
  const [settled] = useDebouncedValue(query.trim(), pauseMs);
  const entities = kinds.flatMap((kind) => entityOf(kind) ?? []);
  return useQueries({
    queries: entities.map((entity) => {
      const filter = settled === '' ? [] : [{ Field: 'Name', Operator: 'contains', Values: [settled] }];
      const request = objectsRequest(entity, { filter, sort: 'Name' });
      return {
        queryKey: ['found', entity.key, settled],
        queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
          (
            await sendRequest<readonly Stored[]>(
              { ...request, query: { ...request.query, Limit: foundMax } },
              { signal },
            )
          ).data,
        placeholderData: keepPreviousData,
        staleTime: 30_000,
      };
    }),
    combine: (results) =>
      results.flatMap(({ data }, index) => {
        const entity = entities[index];
        return entity && data ? [{ entity, objects: data }] : [];
      }),
  });
}

function ObjectValues({ values, onChange, kinds }: ValueProps & { readonly kinds: readonly string[] }) {
  const [query, setQuery] = useState('');
  const [names, setNames] = useState<Readonly<Record<string, string>>>({});
  const isOfOne = kinds.length === 1 && reports.dimensions[kinds[0] ?? ''] !== undefined;
  const groups = useFound(kinds, query).map(({ entity, objects }) => ({
    group: pluralOf(entity),
    items: objects.map((object) => ({
      value: isOfOne ? String(object.Id) : `${entity.key}:${object.Id}`,
      label: `${nameOf(object)} (${object.Id})`,
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
  const [figure = 'Impressions'] = countedBy([dimension], ['Requests', 'Impressions']);
  const { Measures: _, OrderBy: __, CompareTo: ___, ...time } = question;
  const asked: Question = {
    ...time,
    ...{ TimeZone: 'UTC', GroupBy: [dimension], Measures: [figure], Filters: [], Total: 1 },
    ...{ OrderBy: [{ Field: figure, Direction: 'Desc' }], Limit: 100 },
  };
  const { data } = useQuery(answerQuery(asked));
  const known = (data?.Rows ?? []).map((row) => String(row[dimension] ?? '')).filter(Boolean);
  return (
    <TagsInput
      label="Values"
      description="As they are counted; those of the period are offered"
      data={known}
      comboboxProps={comboboxProps}
      acceptValueOnBlur
      value={values.map(String)}
      onChange={onChange}
    />
  );
}
