import { type DemoRow, demoRow } from './demo-row.ts';

export const demoDeals: readonly DemoRow[] = [
  demoRow('Deal', 'Nordlicht news', (id) => ({
    Code: 'nordlicht-news',
    Name: 'Nordlicht news, first look',
    Description: 'Pre-rolls on the news sites of Nordlicht Media',
    Type: 3,
    PriceType: 3,
    Price: 5,
    Priority: 2,
    DspRtbEps: [id('Bidharbor RTB')],
    VastTags: [id('Nordlicht pre-roll')],
  })),
];
