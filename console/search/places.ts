import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { entities, entityOf, measures } from '../field-tables.ts';
import { fieldsOf } from '../fields.ts';
import { helpEntries } from '../help/help-entries.ts';
import { pluralOf } from '../parts/object-name.ts';
import { titleOf } from '../parts/value-text.ts';
import { logOut, mayChange } from '../session/session.ts';
import { useAccount } from '../session/session-context.ts';
import { type FoundGroup, isSearched, type Place } from './found.ts';

/** Screens that are about no entity, by their addresses. */
const screens = [
  { to: '/', label: 'Overview', words: 'home today figures' },
  {
    to: '/console/reports',
    label: 'Reports',
    words: 'figures statistics dimensions chart pivot csv country',
  },
  { to: '/console/funnel', label: 'Funnel', words: 'requests bids wins refused lost value why' },
  { to: '/console/health', label: 'Health', words: 'timeouts errors latency paused faulty state dsp' },
  { to: '/console/auctions', label: 'Sampled auctions', words: 'last held reason refused' },
  { to: '/console/consent', label: 'Consent', words: 'privacy string tcf gpp us privacy gdpr gvl vendor' },
  { to: '/console/settings', label: 'Settings: profile', words: 'password second factor time zone name' },
  { to: '/console/settings/sessions', label: 'Settings: sessions', words: 'logged in' },
  { to: '/console/settings/users', label: 'Settings: users', words: 'invite role people' },
  { to: '/console/settings/keys', label: 'Settings: API keys', words: 'token machine' },
  { to: '/console/settings/team', label: 'Settings: team', words: '' },
  { to: '/console/settings/server', label: 'Settings: server', words: 'version threads revision database' },
  { to: '/console/first-ad', label: 'Your first ad', words: 'begin guide steps' },
] as const;

/** The fields of the object whose screen is shown. */
function useFieldPlaces(): readonly Place[] {
  const { entity: key = '', id } = useParams({ strict: false });
  const navigate = useNavigate();
  const entity = entityOf(key);
  if (!entity || !id) return [];
  return fieldsOf(entity)
    .filter(isSearched)
    .map(({ name, help, section }) => ({
      id: `field-${name}`,
      label: titleOf(name),
      text: help,
      name,
      words: section,
      go: () =>
        void navigate({ to: '/console/$entity/$id', params: { entity: key, id }, search: { field: name } }),
    }));
}

function useActionPlaces(onKeys: () => void): readonly Place[] {
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme('light') === 'light' ? 'dark' : 'light';
  const added = entities.map(({ key, title, help }) => ({
    id: `new-${key}`,
    label: `New ${title}`,
    text: help,
    words: 'add create',
    go: () => void navigate({ to: '/console/$entity/new', params: { entity: key } }),
  }));
  return [
    ...(mayChange(useAccount()) ? added : []),
    {
      id: 'colours',
      label: `Use ${other} colours`,
      words: 'theme mode dark light',
      go: () => setColorScheme(other),
    },
    { id: 'keys', label: 'Show the keys', words: 'keyboard shortcuts help', go: onKeys },
    { id: 'docs', label: 'API reference', words: 'docs openapi', go: () => location.assign('docs') },
    { id: 'log-out', label: 'Log out', words: 'leave sign', go: () => void logOut() },
  ];
}

function useScreenPlaces(): readonly Place[] {
  const navigate = useNavigate();
  const lists = entities.map((entity) => ({
    id: `list-${entity.key}`,
    label: pluralOf(entity),
    text: entity.help,
    words: entity.key,
    go: () => void navigate({ to: '/console/$entity', params: { entity: entity.key } }),
  }));
  const others = screens.map(({ to, label, words }) => ({
    id: to,
    label,
    words,
    go: () => void navigate({ to }),
  }));
  return [...others.slice(0, 1), ...lists, ...others.slice(1)];
}

/** The figures of reports, each leading to a report that shows it. */
function useFigurePlaces(): readonly Place[] {
  const navigate = useNavigate();
  return Object.entries(measures).map(([name, { help }]) => ({
    id: `figure-${name}`,
    label: titleOf(name),
    name,
    text: help,
    go: () => void navigate({ to: '/console/reports', search: { figures: name } }),
  }));
}

/** The guides are loaded with the first search: screens do without them. */
const helpQuery = queryOptions({
  queryKey: ['help'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async () => helpEntries((await import('virtual:guides')).guides),
});

function useHelpPlaces(isSearching: boolean): readonly Place[] {
  const navigate = useNavigate();
  const { data = [] } = useQuery({ ...helpQuery, enabled: isSearching });
  return data.map(({ page, hash, title, text }) => ({
    id: `help-${page}-${hash}`,
    label: title,
    text,
    go: () => void navigate({ to: '/console/help/$page', params: { page }, hash }),
  }));
}

/** What the search finds without asking the server, by kinds. */
export const usePlaces = (onKeys: () => void, isSearching: boolean): readonly FoundGroup[] => [
  { title: 'Fields of this object', places: useFieldPlaces() },
  { title: 'Screens', places: useScreenPlaces() },
  { title: 'Actions', places: useActionPlaces(onKeys) },
  { title: 'Figures', places: useFigurePlaces() },
  { title: 'Help', places: useHelpPlaces(isSearching) },
];
