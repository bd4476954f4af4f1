import {
  ActionIcon,
  AppShell,
  Box,
  Burger,
  Group,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet } from '@tanstack/react-router';
import { Moon, Sun } from 'lucide-react';
import type { ReactNode } from 'react';
import { SearchButton } from '../search/search-button.tsx';
import { Navigation } from './navigation.tsx';
import { NoticeList } from './notice-list.tsx';
import { UserMenu } from './user-menu.tsx';
import { ZoneMenu } from './zone-menu.tsx';

function ColorSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme('light') === 'light' ? 'dark' : 'light';
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={`Use ${other} colours`}
      title={`Use ${other} colours`}
      onClick={() => setColorScheme(other)}
    >
      {other === 'dark' ? <Moon size={18} /> : <Sun size={18} />}
    </ActionIcon>
  );
}

interface FrameProps {
  /** What stands in the middle of the bar. */
  readonly middle?: ReactNode;
  /** The menu, which closes itself on a phone. */
  readonly menu: (close: () => void) => ReactNode;
  readonly children: ReactNode;
}

/** What is around every screen of the console. */
export const Shell = () => (
  <Frame middle={<SearchButton />} menu={(close) => <Navigation onNavigate={close} />}>
    <Outlet />
  </Frame>
);

/** The bar above, a menu, and a screen in the middle. */
export function Frame({ middle, menu, children }: FrameProps) {
  const [isOpen, { toggle, close }] = useDisclosure();
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 224, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', sm: 'lg' }}
    >
      <button type="button" className="skip" onClick={() => document.getElementById('content')?.focus()}>
        Skip to the content
      </button>
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />
            <Text fw={700} size="lg" td="none" c="bright" renderRoot={(props) => <Link to="/" {...props} />}>
              Bourse
            </Text>
          </Group>
          {middle}
          <Group gap="xs" wrap="nowrap">
            <Box visibleFrom="sm">
              <ZoneMenu />
            </Box>
            <ColorSwitch />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs">{menu(close)}</AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        {children}
      </AppShell.Main>
      <NoticeList />
    </AppShell>
  );
}
