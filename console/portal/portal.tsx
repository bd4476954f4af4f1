import { NavLink, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation, useRouterState } from '@tanstack/react-router';
import { BookOpen, FileText, LayoutDashboard, Radio, Settings, ShoppingCart } from 'lucide-react';
import type { ReactNode } from 'react';
import { arrayIn } from '../api/answers.ts';
import { sendRequest } from '../api/call.ts';
import { entityOf } from '../field-tables.ts';
import { contentsPage } from '../help/guide.ts';
import { pluralOf } from '../parts/object-name.ts';
import { setTitles } from '../parts/value-text.ts';
import { Frame } from '../shell/shell.tsx';
import { OwnAdsTxt } from './own-ads-txt.tsx';
import { OwnFigures } from './own-figures.tsx';
import { OwnObjects } from './own-objects.tsx';
import { ownRequest, type PartnerKind, seenBy, usePartner } from './partner.ts';

/** What each side calls the money. */
const titles: Readonly<Record<PartnerKind, Readonly<Record<string, string>>>> = {
  Publisher: { Cost: 'Earnings', LocalCost: 'Local earnings' },
  Advertiser: { Revenue: 'Spend' },
};

/** The screen of lines for ads.txt, which those who sell have. */
const adsTxt = 'ads-txt';
const hasAdsTxt = (kind: PartnerKind) => kind === 'Publisher';

/** Screens of the console that partners share. */
const shared = /^\/console\/(settings|help)(\/|$)/;

/** What users of a publisher or an advertiser see: their figures, what they own, and their own settings. */
export function Portal() {
  const partner = usePartner();
  if (!partner) return null;
  setTitles(titles[partner.kind]);
  return (
    <Frame menu={(close) => <Menu kind={partner.kind} onNavigate={close} />}>
      <Content kind={partner.kind} />
    </Frame>
  );
}

function Content({ kind }: { readonly kind: PartnerKind }) {
  // The outlet shows a screen of the console until the next one has come: only where both are shared may it be seen.
  const next = useLocation().pathname;
  const last = useRouterState({
    select: ({ location, resolvedLocation = location }) => resolvedLocation.pathname,
  });
  if (shared.test(next) && shared.test(last)) return <Outlet />;
  const [, , shown] = (shared.test(next) ? last : next).split('/');
  const entity = seenBy(kind).owned.find(({ key }) => key === shown);
  if (shown === adsTxt && hasAdsTxt(kind)) return <OwnAdsTxt />;
  return entity ? <OwnObjects entity={entity} /> : <OwnFigures kind={kind} />;
}

interface MenuProps {
  readonly kind: PartnerKind;
  readonly onNavigate: () => void;
}

/** The account's own name; the kind until it is known. */
function useOwnName(kind: PartnerKind): string {
  const entity = entityOf(kind);
  const { data } = useQuery({
    queryKey: ['own', kind],
    enabled: entity !== undefined,
    queryFn: async ({ signal }) =>
      entity ? arrayIn((await sendRequest(ownRequest(entity), { signal })).data) : [],
  });
  return String(data?.[0]?.Name ?? kind);
}

function Menu({ kind, onNavigate }: MenuProps) {
  const { pathname } = useLocation();
  const name = useOwnName(kind);
  const Icon = kind === 'Publisher' ? Radio : ShoppingCart;
  const item = (to: string, label: string, icon?: ReactNode) => (
    <NavLink
      key={to}
      label={label}
      py={6}
      leftSection={icon}
      active={pathname === to}
      aria-current={pathname === to ? 'page' : undefined}
      renderRoot={(props) => <Link to={to} {...props} />}
      onClick={onNavigate}
    />
  );
  return (
    <nav className="main-menu" aria-label="Main">
      <Text fw={600} px="sm" py={6} truncate title={name}>
        <bdi>{name}</bdi>
      </Text>
      {item('/', 'Figures', <LayoutDashboard size={16} />)}
      {seenBy(kind).owned.map((entity) =>
        item(`/console/${entity.key}`, pluralOf(entity), <Icon size={16} />),
      )}
      {hasAdsTxt(kind) && item(`/console/${adsTxt}`, 'Ads.txt', <FileText size={16} />)}
      {item('/console/settings', 'Settings', <Settings size={16} />)}
      {item(`/console/help/${contentsPage}`, 'Guides', <BookOpen size={16} />)}
    </nav>
  );
}
