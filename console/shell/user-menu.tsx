import { Button, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { contentsPage } from '../help/guide.ts';
import { logOut, roleNames } from '../session/session.ts';
import { useAccount } from '../session/session-context.ts';

/** Who is logged in, and the way out. */
export function UserMenu() {
  const account = useAccount();
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button variant="subtle" color="gray" size="compact-md" rightSection={<ChevronDown size={14} />}>
          {account.FirstName || account.Mail}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {account.Mail}
          <br />
          {roleNames[account.Role]} of {account.Team.Name}
        </Menu.Label>
        <Menu.Item renderRoot={(props) => <Link to="/console/settings" {...props} />}>Settings</Menu.Item>
        <Menu.Item
          renderRoot={(props) => <Link to="/console/help/$page" params={{ page: contentsPage }} {...props} />}
        >
          Guides
        </Menu.Item>
        <Menu.Item component="a" href="docs">
          API reference
        </Menu.Item>
        <Menu.Item onClick={() => void logOut()}>Log out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
