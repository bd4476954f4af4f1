import { ActionIcon, Group, Kbd, Text, UnstyledButton } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { Search as SearchIcon } from 'lucide-react';
import { type ComponentType, lazy, Suspense, useState } from 'react';
import classes from './search-button.module.css';

const KeyList = lazy(async () => ({ default: (await import('./key-list.tsx')).KeyList }));
const load = () => import('./search.tsx');

interface SearchProps {
  readonly onKeys: () => void;
}

/** Opens the search, by the mouse and by keys, and the list of keys. */
export function SearchButton() {
  const [Search, setSearch] = useState<ComponentType<SearchProps>>();
  const [areKeysShown, showKeys] = useState(false);
  const open = async () => {
    const { Search: loaded, openSearch } = await load();
    setSearch(() => loaded);
    openSearch();
  };
  useHotkeys([['mod+K', () => void open()]], []);
  useHotkeys([
    ['/', () => void open()],
    ['shift+?', () => showKeys(true)],
  ]);
  const common = { onClick: () => void open(), onMouseEnter: () => void load() };
  return (
    <>
      <UnstyledButton {...common} className={classes.button} visibleFrom="sm" aria-keyshortcuts="Control+K">
        <Group gap="xs" wrap="nowrap">
          <SearchIcon size={16} />
          <Text size="sm" flex={1}>
            Search or jump
          </Text>
          <Kbd size="xs">Ctrl K</Kbd>
        </Group>
      </UnstyledButton>
      <ActionIcon
        {...common}
        variant="subtle"
        color="gray"
        size="lg"
        hiddenFrom="sm"
        aria-label="Search or jump"
      >
        <SearchIcon size={18} />
      </ActionIcon>
      {Search && <Search onKeys={() => showKeys(true)} />}
      {areKeysShown && (
        <Suspense>
          <KeyList onClose={() => showKeys(false)} />
        </Suspense>
      )}
    </>
  );
}
