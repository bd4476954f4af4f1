import { MenuButton } from '../parts/menu-button.tsx';
import { useAccount } from '../session/session-context.ts';

const load = async () => (await import('./user-menu-list.tsx')).UserMenuList;

/** Who is logged in, and the way out. */
export function UserMenu() {
  const { FirstName, Mail } = useAccount();
  return (
    <MenuButton popup="menu" load={load} variant="subtle" size="compact-md">
      {FirstName || Mail}
    </MenuButton>
  );
}
