import '@mantine/spotlight/styles.css';
import { Badge, Loader } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Search as SearchIcon } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { call } from '../api/call.ts';
import { entityOf } from '../field-tables.ts';
import { fieldOf } from '../fields.ts';
import { type FoundGroup, foundGroups, keptResults, resultText, type SearchResult } from './found.ts';
import { usePlaces } from './places.ts';
import classes from './search.module.css';

const [store, { open }] = createSpotlight();

/** Opens the search, once it is shown somewhere. */
export const openSearch = open;

const pauseMs = 150;
const objectsMax = 8;
const placesMax = 5;

/**
 * Makes the best that is found what Enter opens, also where the server answers later than the rest was there: the
 * spotlight knows no other way than the key.
 */
function selectFirst(input: HTMLInputElement | null): void {
  store.setState({ ...store.getState(), selected: -1 });
  input?.dispatchEvent(new KeyboardEvent('keydown', { code: 'ArrowDown', bubbles: true }));
}

/** What is found for a query: until the server has answered, what it found before and this query finds, too. */
function useObjects(query: string) {
  const [settled] = useDebouncedValue(query, pauseMs);
  const { data = [], isFetching } = useQuery({
    queryKey: ['search', settled],
    enabled: settled !== '',
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await call('api/search', { query: { Query: settled, Limit: objectsMax }, signal })).data,
  });
  const isAsking = isFetching || settled !== query;
  const found = isAsking ? keptResults(data, query) : data;
  return { objects: query === '' ? [] : found, isAsking };
}

function ObjectAction({ found }: { readonly found: SearchResult }) {
  const navigate = useNavigate();
  const { Entity, Id, StatusString, Field, Value } = found;
  const entity = entityOf(Entity);
  const { label, description, isLine } = resultText(found, entity, entity && fieldOf(entity, Field)?.place);
  const params = { entity: Entity, id: String(Id) };
  return (
    <Spotlight.Action
      label={label}
      description={description}
      rightSection={
        StatusString === 'Inactive' && (
          <Badge color="gray" variant="light">
            inactive
          </Badge>
        )
      }
      onClick={() =>
        void navigate(
          isLine
            ? { to: '/console/$entity/$id/lines', params, search: { q: Value } }
            : { to: '/console/$entity/$id', params },
        )
      }
    />
  );
}

function Group({ title, places }: FoundGroup) {
  return (
    <Spotlight.ActionsGroup label={title}>
      {places.map(({ id, label, text, go }) => (
        <Spotlight.Action key={id} label={label} {...(text && { description: text })} onClick={go} />
      ))}
    </Spotlight.ActionsGroup>
  );
}

/** What is found where nothing is typed: where one can go, and what can be done. */
const withoutQuery = ['Screens', 'Actions'];

/** Finds objects, fields of the object that is shown, screens, actions, figures and help. `onKeys` shows the list of keys. */
export function Search({ onKeys }: { readonly onKeys: () => void }) {
  const [typed, type] = useState('');
  const query = typed.trim();
  const { objects, isAsking } = useObjects(query);
  const places = usePlaces(onKeys, query !== '').filter(
    ({ title }) => query !== '' || withoutQuery.includes(title),
  );
  const groups = foundGroups(places, query, placesMax);
  const best = objects[0] ?? groups[0]?.places[0]?.id;
  const input = useRef<HTMLInputElement>(null);
  // Before it is painted: no Enter comes between what is shown and what is chosen of it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: anew for each answer
  useLayoutEffect(() => {
    if (query !== '') selectFirst(input.current);
  }, [query, best]);
  const isNothing = objects.length === 0 && groups.length === 0;
  return (
    <Spotlight.Root
      store={store}
      shortcut={null}
      query={typed}
      onQueryChange={type}
      onSpotlightClose={() => type('')}
      scrollable
      maxHeight="min(60dvh, 560px)"
      size={620}
      // Keys are its own from the moment that it is seen, until it is gone.
      transitionProps={{ duration: 0 }}
      classNames={{ action: classes.action ?? '' }}
      attributes={{ content: { 'aria-label': 'Search or jump' } }}
    >
      <Spotlight.Search
        ref={input}
        autoFocus
        aria-label="Name, ID, URL, credential, domain or line of a list; a screen, an action, a field, a figure or help"
        placeholder="Name, ID, URL, line of a list; a screen, action, field, figure; help"
        leftSection={<SearchIcon size={18} />}
        rightSection={query !== '' && isAsking ? <Loader size="xs" aria-hidden /> : null}
      />
      <Spotlight.ActionsList>
        {objects.length > 0 && (
          <Spotlight.ActionsGroup label="Objects">
            {objects.map((found) => (
              <ObjectAction key={`${found.Entity}${found.Id}`} found={found} />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {groups.map((group) => (
          <Group key={group.title} {...group} />
        ))}
        {isNothing && !isAsking && (
          <Spotlight.Empty>No matches. Names, IDs and domains work best.</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
