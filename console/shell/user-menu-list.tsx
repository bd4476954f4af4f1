import { Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { contentsPage } from '../help/guide.ts';
import type { MenuProps } from '../parts/menu-button.tsx';
import { MenuTarget } from '../parts/menu-target.tsx';
import { logOut, roleNames } from '../session/session.ts';
import { useAccount } from '../session/session-context.ts';

export function UserMenuList({ id, target, position, isOpen, setOpen }: MenuProps) {
  const account = useAccount();
  return (
    <Menu id={id} opened={isOpen} onChange={setOpen} position={position} width={220}>
      <Menu.Target>
        <MenuTarget of={target} />
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
