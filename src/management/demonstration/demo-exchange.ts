import { demoAccounts } from './demo-accounts.ts';
import { demoDeals } from './demo-deals.ts';
import { demoDemand } from './demo-demand.ts';
import { demoFloors } from './demo-floors.ts';
import { demoLists } from './demo-lists.ts';
import type { DemoRow } from './demo-row.ts';
import { demoSupply } from './demo-supply.ts';

/** In order: each object names only earlier ones. */
export const demoExchange: readonly DemoRow[] = [
  ...demoAccounts,
  ...demoLists,
  ...demoDemand,
  ...demoSupply,
  ...demoDeals,
  ...demoFloors,
];
