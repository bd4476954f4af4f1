import { type DemoRow, demoRow } from './demo-row.ts';

export const demoFloors: readonly DemoRow[] = [
  demoRow('FloorRule', 'Nordlicht pre-roll floor', (id) => ({
    Name: 'Nordlicht pre-roll, raised',
    Tags: [id('Premium')],
    Floor: 3.2,
    SkipPercent: 20,
    VastTags: [id('Nordlicht pre-roll')],
  })),
];
