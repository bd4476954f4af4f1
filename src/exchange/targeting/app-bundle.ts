import type { ListRule } from './rule.ts';

export const appBundle: ListRule = {
  form: 'lists',
  field: 'AppsList',
  modeField: 'AppsListMode',
  kind: 'AppList',
  reason: 'app_listed',
  subjectOf: ({ inventory }) => inventory.appBundle || undefined,
  holds: (lists, listId, { inventory }) => lists.app(listId, inventory.appBundle),
};
