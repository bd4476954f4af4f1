import type { Alteration } from '../support/altered-server.ts';

/** Two counters, each a row and the call that counts it: nothing else is written to add them. */
export const addedCounters: readonly Alteration[] = [
  {
    file: 'src/reference/counters.ts',
    behind: "    column: { name: 'Clicks', seenBy: everyone, example: 9 },\n  },\n",
    insert: `  emptyAnswers: {
    help: 'Requests that got no ad',
    unit: 'count',
    from: ['count'],
    of: 'object',
    in: everywhere,
    column: { name: 'EmptyAnswers', seenBy: ['Publisher'], example: 7 },
  },
  landings: {
    help: 'Clicks that were led on',
    ...ofPair,
    from: ['bill'],
    column: { name: 'Landings', seenBy: everyone, example: 8 },
  },
`,
  },
  {
    file: 'src/exchange/auction/report-auction.ts',
    behind: '  const parts: CountedPart[] = [{ demand: undefined, counts: ofSupply }];\n',
    insert: "  if (!winner) ofSupply.push(one('emptyAnswers'));\n",
  },
  {
    file: 'src/exchange/trackers/bill.ts',
    behind: 'export function billClick(call: TrackerCall): Promise<boolean> {\n',
    insert: "  void call.context.reports.events.bill(eventOf(call, 'landings')).catch(() => false);\n",
  },
];
