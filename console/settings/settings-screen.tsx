import { Stack, Title } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { TabLinks } from '../parts/tab-links.tsx';
import { isPartner } from '../session/session.ts';
import { useAccount } from '../session/session-context.ts';

const base = '/console/settings';
const ownTabs = [
  { to: base, title: 'Profile' },
  { to: `${base}/sessions`, title: 'Sessions' },
];
const tabs = [
  ...ownTabs,
  { to: `${base}/users`, title: 'Users' },
  { to: `${base}/keys`, title: 'API keys' },
  { to: `${base}/team`, title: 'Team' },
  { to: `${base}/server`, title: 'Server' },
];

/** What is not about one object: the user, the team's people and keys, the server. */
export function SettingsScreen() {
  return (
    <Stack gap="lg">
      <Title order={1} size="h3">
        Settings
      </Title>
      <TabLinks label="Parts of the settings" tabs={isPartner(useAccount()) ? ownTabs : tabs} />
      <Outlet />
    </Stack>
  );
}
