import { askingDsps } from './exchange/asking-dsps.ts';
import { bidRequests, readingRequests } from './exchange/bid-requests.ts';
import { configurationMemory } from './exchange/configuration-memory.ts';
import { counting } from './exchange/counting.ts';
import { filledByCampaign } from './exchange/filled-by-campaign.ts';
import { floorRulesFound } from './exchange/floor-rules.ts';
import { overhead } from './exchange/overhead.ts';
import { pixels } from './exchange/pixels.ts';
import { selection } from './exchange/selection.ts';
import type { Tools } from './measure.ts';
import { runMeasures } from './run-measures.ts';

await runMeasures<Tools>({
  script: 'bench:exchange',
  measures: [
    selection,
    floorRulesFound,
    counting,
    filledByCampaign,
    ...askingDsps,
    readingRequests,
    bidRequests,
    overhead,
    pixels,
    configurationMemory,
  ],
  prepare: (tools) => tools,
});
