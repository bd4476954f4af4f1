import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { readAuctionsSearch } from './auctions/auctions-search.ts';
import { readFunnelSearch } from './funnel/funnel-search.ts';
import { readHealthSearch } from './health/health-search.ts';
import { readHistorySearch } from './history/history-search.ts';
import { readListSearch } from './lists/list-search.ts';
import { floorsSearch } from './objects/floors/floors.ts';
import type { LinesSearch } from './objects/lines/lines-search.ts';
import type { FirstAdSearch } from './overview/first-ad/first-ad.tsx';
import { OverviewScreen } from './overview/overview-screen.tsx';
import { countOf, idOf, searchedOf, textOf } from './parts/address-values.ts';
import { NotFound } from './parts/not-found.tsx';
import { ScreenError } from './parts/screen-error.tsx';
import { readReportSearch } from './reports/report-search.ts';
import { Gate } from './session/gate.tsx';
import type { HandedLink } from './session/link.ts';

/** What routes load their data with. */
export interface RouterContext {
  readonly client: QueryClient;
  /** The link that opened the page, where people are handed one. */
  readonly link: HandedLink | undefined;
}

type Search = Readonly<Record<string, unknown>>;
const root = createRootRouteWithContext<RouterContext>()({
  component: function Root() {
    return <Gate link={root.useRouteContext().link} />;
  },
  errorComponent: ScreenError,
  notFoundComponent: NotFound,
});

const overview = createRoute({
  getParentRoute: () => root,
  path: '/',
  // Partners see their figures there.
  validateSearch: readReportSearch,
  component: OverviewScreen,
});

const firstAd = createRoute({
  getParentRoute: () => root,
  path: '/console/first-ad',
  validateSearch: (search: Search): FirstAdSearch => ({
    publisher: idOf(search.publisher),
    tag: idOf(search.tag),
    kind: search.kind === 'DspVastTag' ? 'DspVastTag' : undefined,
    demand: idOf(search.demand),
  }),
  component: lazyRouteComponent(() => import('./overview/first-ad/first-ad.tsx'), 'FirstAd'),
});

const configuration = createRoute({
  getParentRoute: () => root,
  path: '/console/configuration',
  validateSearch: ({ missing }: Search): { readonly missing?: 'deactivate' | undefined } => ({
    missing: missing === 'deactivate' ? missing : undefined,
  }),
  component: lazyRouteComponent(
    () => import('./configuration/configuration-screen.tsx'),
    'ConfigurationScreen',
  ),
});

const teamHistory = createRoute({
  getParentRoute: () => root,
  path: '/console/history',
  validateSearch: readHistorySearch,
  component: lazyRouteComponent(() => import('./history/history-screen.tsx'), 'HistoryScreen'),
});

const reports = createRoute({
  getParentRoute: () => root,
  path: '/console/reports',
  validateSearch: readReportSearch,
  component: lazyRouteComponent(() => import('./reports/reports-screen.tsx'), 'ReportsScreen'),
});

const alerts = createRoute({
  getParentRoute: () => root,
  path: '/console/alerts',
  component: lazyRouteComponent(() => import('./alerts/alerts-screen.tsx'), 'AlertsScreen'),
});

const funnel = createRoute({
  getParentRoute: () => root,
  path: '/console/funnel',
  validateSearch: readFunnelSearch,
  component: lazyRouteComponent(() => import('./funnel/funnel-screen.tsx'), 'FunnelScreen'),
});

const health = createRoute({
  getParentRoute: () => root,
  path: '/console/health',
  validateSearch: readHealthSearch,
  component: lazyRouteComponent(() => import('./health/health-screen.tsx'), 'HealthScreen'),
});

const auctions = createRoute({
  getParentRoute: () => root,
  path: '/console/auctions',
  validateSearch: readAuctionsSearch,
  component: lazyRouteComponent(() => import('./auctions/auctions-screen.tsx'), 'AuctionsScreen'),
});

const consent = createRoute({
  getParentRoute: () => root,
  path: '/console/consent',
  component: lazyRouteComponent(() => import('./consent/consent-screen.tsx'), 'ConsentScreen'),
});

const help = createRoute({
  getParentRoute: () => root,
  path: '/console/help/$page',
  component: lazyRouteComponent(() => import('./help/help-screen.tsx'), 'HelpScreen'),
});

const list = createRoute({
  getParentRoute: () => root,
  path: '/console/$entity',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./lists/list-route.tsx'), 'ListRoute'),
});

interface NewSearch {
  /** The object that is copied. */
  readonly copy?: number | undefined;
  /** The account that is to own the object. */
  readonly owner?: number | undefined;
}

const added = createRoute({
  getParentRoute: () => root,
  path: '/console/$entity/new',
  validateSearch: ({ copy, owner }: Search): NewSearch => ({ copy: idOf(copy), owner: idOf(owner) }),
  component: lazyRouteComponent(() => import('./objects/new-object.tsx'), 'NewObject'),
});

const object = createRoute({
  getParentRoute: () => root,
  path: '/console/$entity/$id',
  component: lazyRouteComponent(() => import('./objects/object-screen.tsx'), 'ObjectScreen'),
});

const settings = createRoute({
  getParentRoute: () => object,
  path: '/',
  validateSearch: ({ field }: Search): { readonly field?: string | undefined } => ({ field: textOf(field) }),
  component: lazyRouteComponent(() => import('./objects/settings/settings-tab.tsx'), 'SettingsTab'),
});

const ownAccount = createRoute({
  getParentRoute: () => object,
  path: '/account',
  component: lazyRouteComponent(() => import('./objects/account/account-tab.tsx'), 'AccountTab'),
});

const tag = createRoute({
  getParentRoute: () => object,
  path: '/tag',
  component: lazyRouteComponent(() => import('./objects/tag/tag-tab.tsx'), 'TagTab'),
});

const connections = createRoute({
  getParentRoute: () => object,
  path: '/connections',
  component: lazyRouteComponent(() => import('./objects/connections/connections-tab.tsx'), 'ConnectionsTab'),
});

const why = createRoute({
  getParentRoute: () => object,
  path: '/why',
  component: lazyRouteComponent(() => import('./objects/why/why-tab.tsx'), 'WhyTab'),
});

const test = createRoute({
  getParentRoute: () => object,
  path: '/test',
  component: lazyRouteComponent(() => import('./objects/test/test-tab.tsx'), 'TestTab'),
});

const statistics = createRoute({
  getParentRoute: () => object,
  path: '/statistics',
  validateSearch: readReportSearch,
  component: lazyRouteComponent(() => import('./objects/statistics/statistics-tab.tsx'), 'StatisticsTab'),
});

const ownHealth = createRoute({
  getParentRoute: () => object,
  path: '/health',
  component: lazyRouteComponent(() => import('./objects/health/health-tab.tsx'), 'HealthTab'),
});

const pace = createRoute({
  getParentRoute: () => object,
  path: '/pace',
  component: lazyRouteComponent(() => import('./objects/pace/pace-tab.tsx'), 'PaceTab'),
});

const floors = createRoute({
  getParentRoute: () => object,
  path: '/floors',
  validateSearch: floorsSearch,
  component: lazyRouteComponent(() => import('./objects/floors/floors-tab.tsx'), 'FloorsTab'),
});

const uplift = createRoute({
  getParentRoute: () => object,
  path: '/results',
  component: lazyRouteComponent(() => import('./objects/floors/uplift-tab.tsx'), 'UpliftTab'),
});

const sendings = createRoute({
  getParentRoute: () => object,
  path: '/sendings',
  component: lazyRouteComponent(() => import('./objects/sendings/sendings-tab.tsx'), 'SendingsTab'),
});

const buyer = createRoute({
  getParentRoute: () => object,
  path: '/buyer',
  component: lazyRouteComponent(() => import('./objects/deal/buyer-tab.tsx'), 'BuyerTab'),
});

const log = createRoute({
  getParentRoute: () => object,
  path: '/log',
  component: lazyRouteComponent(() => import('./alerts/log-tab.tsx'), 'LogTab'),
});

const history = createRoute({
  getParentRoute: () => object,
  path: '/history',
  validateSearch: ({ revision }: Search): { readonly revision?: number | undefined } => ({
    revision: countOf(revision),
  }),
  component: lazyRouteComponent(() => import('./objects/history/history-tab.tsx'), 'HistoryTab'),
});

const ownSettings = createRoute({
  getParentRoute: () => root,
  path: '/console/settings',
  component: lazyRouteComponent(() => import('./settings/settings-screen.tsx'), 'SettingsScreen'),
});

const profile = createRoute({
  getParentRoute: () => ownSettings,
  path: '/',
  component: lazyRouteComponent(() => import('./settings/profile/profile-tab.tsx'), 'ProfileTab'),
});

const sessions = createRoute({
  getParentRoute: () => ownSettings,
  path: '/sessions',
  component: lazyRouteComponent(() => import('./settings/sessions-tab.tsx'), 'SessionsTab'),
});

const users = createRoute({
  getParentRoute: () => ownSettings,
  path: '/users',
  component: lazyRouteComponent(() => import('./settings/users/users-tab.tsx'), 'UsersTab'),
});

const userSessions = createRoute({
  getParentRoute: () => ownSettings,
  path: '/users/$id/sessions',
  component: lazyRouteComponent(() => import('./settings/users/user-sessions.tsx'), 'UserSessions'),
});

const keys = createRoute({
  getParentRoute: () => ownSettings,
  path: '/keys',
  component: lazyRouteComponent(() => import('./settings/keys/keys-tab.tsx'), 'KeysTab'),
});

const team = createRoute({
  getParentRoute: () => ownSettings,
  path: '/team',
  component: lazyRouteComponent(() => import('./settings/team-tab.tsx'), 'TeamTab'),
});

const server = createRoute({
  getParentRoute: () => ownSettings,
  path: '/server',
  component: lazyRouteComponent(() => import('./settings/server/server-tab.tsx'), 'ServerTab'),
});

const lines = createRoute({
  getParentRoute: () => object,
  path: '/lines',
  validateSearch: ({ q, page, since, until, side }: Search): LinesSearch => ({
    // A search for a number comes as one.
    q: searchedOf(q),
    page: countOf(page),
    since: countOf(since),
    until: countOf(until),
    side: side === 'removed' ? side : undefined,
  }),
  component: lazyRouteComponent(() => import('./objects/lines/lines-tab.tsx'), 'LinesTab'),
});

const used = createRoute({
  getParentRoute: () => object,
  path: '/used',
  component: lazyRouteComponent(() => import('./objects/lines/used-tab.tsx'), 'UsedTab'),
});

const routeTree = root.addChildren([
  ownSettings.addChildren([profile, sessions, users, userSessions, keys, team, server]),
  overview,
  firstAd,
  configuration,
  teamHistory,
  reports,
  alerts,
  funnel,
  health,
  auctions,
  consent,
  help,
  list,
  added,
  object.addChildren([
    ownAccount,
    settings,
    tag,
    connections,
    why,
    test,
    statistics,
    ownHealth,
    pace,
    floors,
    uplift,
    log,
    buyer,
    sendings,
    history,
    lines,
    used,
  ]),
]);

/** The console's screens, by their addresses. */
export function createConsoleRouter(context: RouterContext) {
  return createRouter({
    routeTree,
    context,
    basepath: new URL(document.baseURI).pathname,
    defaultPreload: 'intent',
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
