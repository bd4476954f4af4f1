import { NavLink } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import {
  Bell,
  ChartNoAxesCombined,
  FileCog,
  Funnel,
  HeartPulse,
  History,
  LayoutDashboard,
  ListChecks,
  Radio,
  Settings,
  ShieldCheck,
  ShoppingCart,
  Users,
} from 'lucide-react';
import type { ComponentType } from 'react';
import { alertKey } from '../alerts/alert-key.ts';
import { entities, type ShownEntity } from '../field-tables.ts';
import { pluralOf } from '../parts/object-name.ts';
import { reportKey } from '../reports/report-key.ts';

interface NavigationGroup {
  readonly title: string;
  readonly Icon: ComponentType<{ readonly size: number }>;
  readonly sides: readonly ShownEntity['side'][];
}

const groups: readonly NavigationGroup[] = [
  { title: 'Supply', Icon: Radio, sides: ['supply', 'floor'] },
  { title: 'Demand', Icon: ShoppingCart, sides: ['demand', 'deal'] },
  { title: 'Accounts', Icon: Users, sides: ['account'] },
  { title: 'Lists', Icon: ListChecks, sides: ['list', 'label'] },
];
/** Kinds that another screen leads to. */
const elsewhere: readonly string[] = [reportKey, alertKey];
const iconSize = 16;

const figureScreens = [
  { to: '/console/reports', title: 'Reports', Icon: ChartNoAxesCombined },
  { to: '/console/funnel', title: 'Funnel', Icon: Funnel },
  { to: '/console/health', title: 'Health', Icon: HeartPulse },
  { to: '/console/alerts', title: 'Alerts', Icon: Bell },
] as const;

/** Screens of the team as a whole, and of who is logged in. */
const teamScreens = [
  { to: '/console/consent', title: 'Consent', Icon: ShieldCheck },
  { to: '/console/history', title: 'History', Icon: History },
  { to: '/console/configuration', title: 'Configuration', Icon: FileCog },
  { to: '/console/settings', title: 'Settings', Icon: Settings },
] as const;

/** The menu: every kind of object, in groups. */
export function Navigation({ onNavigate }: { readonly onNavigate: () => void }) {
  const { pathname } = useLocation();
  const [, , shown] = pathname.split('/');
  return (
    <nav className="main-menu" aria-label="Main">
      <NavLink
        label="Overview"
        py={6}
        leftSection={<LayoutDashboard size={iconSize} />}
        active={pathname === '/'}
        renderRoot={(props) => <Link to="/" {...props} />}
        onClick={onNavigate}
      />
      <ScreenLinks screens={figureScreens} shown={shown} onNavigate={onNavigate} />
      {groups.map(({ title, Icon, sides }) => (
        <NavLink
          key={title}
          label={title}
          py={6}
          leftSection={<Icon size={iconSize} />}
          defaultOpened
          component="button"
          type="button"
          fw={600}
        >
          {entities
            .filter(({ key, side }) => sides.includes(side) && !elsewhere.includes(key))
            .map((entity) => (
              <NavLink
                key={entity.key}
                fw={400}
                py={4}
                renderRoot={(props) => (
                  <Link to="/console/$entity" params={{ entity: entity.key }} {...props} />
                )}
                label={pluralOf(entity)}
                active={shown === entity.key}
                aria-current={shown === entity.key ? 'page' : undefined}
                onClick={onNavigate}
              />
            ))}
        </NavLink>
      ))}
      <ScreenLinks screens={teamScreens} shown={shown} onNavigate={onNavigate} />
    </nav>
  );
}

interface LinksProps {
  readonly screens: typeof figureScreens | typeof teamScreens;
  /** The part of the address that names a screen. */
  readonly shown: string | undefined;
  readonly onNavigate: () => void;
}

function ScreenLinks({ screens, shown, onNavigate }: LinksProps) {
  return screens.map(({ to, title, Icon }) => (
    <NavLink
      key={to}
      label={title}
      py={6}
      leftSection={<Icon size={iconSize} />}
      active={to === `/console/${shown}`}
      aria-current={to === `/console/${shown}` ? 'page' : undefined}
      renderRoot={(props) => <Link to={to} {...props} />}
      onClick={onNavigate}
    />
  ));
}
