import {
  ActionIcon,
  AppShell,
  Burger,
  Group,
  Menu,
  NavLink,
  ScrollArea,
  Text,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { entities, type ShownEntity } from '../field-tables.ts';
import { type Account, accountQuery, logOut, roleNames } from '../session/session.ts';

/** The groups of the menu, each with the sides whose entities it shows. */
const groups: readonly { readonly title: string; readonly sides: readonly ShownEntity['side'][] }[] = [
  { title: 'Supply', sides: ['supply'] },
  { title: 'Demand', sides: ['demand'] },
  { title: 'Accounts', sides: ['account'] },
  { title: 'Lists', sides: ['list', 'label'] },
];

/** The name of many objects of an entity. */
export const pluralOf = ({ title }: ShownEntity): string => (/[^aeiou]y$/.test(title) ? title.replace(/y$/, 'ies') : `${title}s`);

function ColorSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const other = scheme === 'light' ? 'dark' : 'light';
  return (
    <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Use ${other} colours`} onClick={() => setColorScheme(other)}>
      {scheme === 'light' ? '☾' : '☀'}
    </ActionIcon>
  );
}

function UserMenu({ account }: { readonly account: Account }) {
  const client = useQueryClient();
  const leave = async () => {
    await logOut();
    client.clear();
    await client.invalidateQueries({ queryKey: accountQuery.queryKey });
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <UnstyledButton px="xs" py={4}>
          {account.FirstName || account.Mail} ▾
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {account.Mail}
          <br />
          {roleNames[account.Role]} of {account.Team.Name}
        </Menu.Label>
        <Menu.Item component="a" href="/docs">
          API reference
        </Menu.Item>
        <Menu.Item onClick={() => void leave()}>Log out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Navigation({ onNavigate }: { readonly onNavigate: () => void }) {
  const { pathname } = useLocation();
  return (
    <ScrollArea>
      {groups.map(({ title, sides }) => (
        <NavLink key={title} label={title} defaultOpened component="button" type="button">
          {entities
            .filter(({ side }) => sides.includes(side))
            .map((entity) => (
              <NavLink
                key={entity.key}
                renderRoot={(props) => <Link to="/$entity" params={{ entity: entity.key }} {...props} />}
                label={pluralOf(entity)}
                active={pathname.split('/')[1] === entity.key}
                onClick={onNavigate}
              />
            ))}
        </NavLink>
      ))}
    </ScrollArea>
  );
}

/** What is around every screen: the bar above, the menu, and the screen in the middle. */
export function Shell({ account }: { readonly account: Account }) {
  const [isOpen, { toggle, close }] = useDisclosure();
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="lg"
    >
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />
            <Text fw={700} size="lg" renderRoot={(props) => <Link to="/" {...props} />}>
              Bourse
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <ColorSwitch />
            <UserMenu account={account} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs">
        <Navigation onNavigate={close} />
      </AppShell.Navbar>
      <AppShell.Main>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}
