import { listRule } from './list-rule.ts';

/** Blocks or allows the app's bundle by App Lists (specification 2.4). */
export const appBundle = listRule<string>({
  field: 'AppsList',
  modeField: 'AppsListMode',
  kind: 'AppList',
  reason: 'app_listed',
  subjectOf: ({ inventory }) => inventory.appBundle || undefined,
  holds: (lists, id, bundle) => lists.app(id, bundle),
  shown: (bundle) => bundle,
});
