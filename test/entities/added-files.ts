import type { AddedLine } from './copied-program.ts';

/** What adds an entity: its file, and its line in the registry. */
export const orderFile = {
  path: 'src/entities/order.ts',
  text: `import { connection } from '../fields/connection.ts';
import { identity, status } from '../fields/derived.ts';
import { required } from '../fields/field.ts';
import { cpm } from '../fields/number.ts';
import { section } from '../fields/section.ts';
import { text } from '../fields/text.ts';
import { defineEntity } from './entity.ts';
import { publisherOwner, supply } from './supply.ts';

/** An agreement with a publisher. */
export const order = defineEntity({
  key: 'Order',
  title: 'Order',
  help: 'an agreement with a publisher on a price',
  wrapper: 'Order',
  path: 'order',
  owner: publisherOwner,
  documented: [],
  fields: {
    ...identity,
    PublisherId: supply.PublisherId,
    PublisherName: supply.PublisherName,
    ...section('General', {
      Name: required(text({ help: 'Name of the order', example: 'Spring' })),
      VastTags: connection({ to: 'VastTag', help: 'IDs of the VAST Tags that it is about' }),
    }),
    ...section('Price', { Price: cpm({ help: 'Agreed price in CPM', example: 7 }) }),
    ...status,
  },
});
`,
};

/** The lines of the registry that name an entity. */
const inRegistry = (name: string, module: string, next: string): readonly AddedLine[] => [
  {
    file: 'src/entities/registry.ts',
    after: "import { advertiser } from './advertiser.ts';",
    line: `import { ${name} } from './${module}.ts';`,
  },
  { file: 'src/entities/registry.ts', after: `  ${next},`, line: `  ${name},` },
];

export const orderLines = inRegistry('order', 'order', 'keywordList');

/** What adds a kind of demand: its entity, its folder, and its lines in the registry and in the list of kinds. */
export const houseAdFiles = [
  {
    path: 'src/entities/house-ad.ts',
    text: `import { accountManager, identity, performance, statisticsUrls, status } from '../fields/derived.ts';
import { cpm, int, usd } from '../fields/number.ts';
import { section } from '../fields/section.ts';
import { text, url } from '../fields/text.ts';
import { advertiserOwner, demand } from './demand.ts';
import { defineEntity } from './entity.ts';
import { traffic } from './traffic.ts';

const { Name, Tags, ...rules } = traffic('D');

/** A film with a slogan, for players without any other. */
export const houseAd = defineEntity({
  key: 'HouseAd',
  title: 'House Ad',
  help: 'a film with a slogan, which is shown where nobody else buys',
  wrapper: 'HouseAd',
  path: 'ortb/housead',
  owner: advertiserOwner,
  exchange: {
    side: 'demand',
    plural: 'HouseAds',
    serves: ['VastTag', 'RtbEp'],
    medium: 'video',
    price: { field: 'Cpm', isOptional: false },
    amountDaily: 'SpendDailyLimit',
    amountTotal: 'SpendTotalLimit',
  },
  documented: [],
  fields: {
    ...identity,
    AdvertiserId: demand.AdvertiserId,
    AdvertiserName: demand.AdvertiserName,
    Name,
    Tags,
    ...rules,
    ...section('Price', { Cpm: cpm({ help: 'Bid in CPM' }) }),
    ...section('Limits', {
      SpendDailyLimit: usd({ unit: 'USD/day', help: 'Maximum spend per day, in USD; 0 = unlimited' }),
      SpendTotalLimit: usd({ help: 'Maximum total spend, in USD; 0 = unlimited' }),
    }),
    ...section('Creative', {
      Slogan: text({ help: 'What its film says', example: 'Come in' }),
      FilmUrl: url({ help: 'URL of the film' }),
      FilmSeconds: int({ unit: 's', help: 'Length of the film in seconds', example: 15 }),
      ClickUrl: url({ help: 'Where a click leads' }),
    }),
    ...statisticsUrls('StatsByDate', {
      path: '/api/ortb/stats/advertiser/house',
      parameter: 'zone',
      isExtension: true,
    }),
    ...performance,
    ...accountManager,
    ...status,
  },
});
`,
  },
  {
    path: 'src/exchange/demand/house-ad/house-ad.ts',
    text: `import { inLineVast } from '../../../protocols/vast/build-vast.ts';
import { readVast } from '../../../protocols/vast/read-vast.ts';
import { cpmMicrosOf } from '../../money.ts';
import { type Refusal, refuse } from '../../reasons.ts';
import type { DemandOf } from '../../snapshot/demand.ts';
import { adVersionFor } from '../../vast-version.ts';
import { bidDefaults } from '../bid-defaults.ts';
import type { Bid, DemandKind, Solicitation } from '../demand-kind.ts';

function read(demand: DemandOf<'HouseAd'>, { opportunity, supply }: Solicitation): Bid | Refusal {
  const { Slogan, FilmUrl, FilmSeconds, ClickUrl, Cpm } = demand.settings;
  if (Slogan === '') return refuse('invalid_creative', { field: 'Slogan', wanted: 'a value', met: '' });
  const vast = readVast(
    inLineVast(adVersionFor(supply, opportunity), {
      adSystem: 'Bourse',
      title: Slogan,
      durationSeconds: FilmSeconds,
      media: [{ url: FilmUrl, type: 'video/mp4', delivery: 'progressive', width: 640, height: 360 }],
      clickThrough: ClickUrl,
    }),
  );
  if ('fault' in vast) return refuse('invalid_creative', { wanted: 'VAST', met: vast.fault });
  return {
    ...bidDefaults,
    id: opportunity.auctionId,
    demand,
    priceCpmMicros: cpmMicrosOf(Cpm),
    media: 'video',
    markup: vast.text,
    vast,
    adDomains: ['house.example'],
    creativeId: String(demand.id),
    creativeUrls: [FilmUrl],
  };
}

/** House ads: a slogan over a film; nobody is called. */
export const houseAd: DemandKind<'HouseAd'> = { build: () => undefined, read };
`,
  },
] as const;

export const houseAdLines: readonly AddedLine[] = [
  ...inRegistry('houseAd', 'house-ad', 'campaign'),
  {
    file: 'src/exchange/demand/kinds.ts',
    after: "import { dspVastTag } from './dsp-vast-tag/dsp-vast-tag.ts';",
    line: "import { houseAd } from './house-ad/house-ad.ts';",
  },
  { file: 'src/exchange/demand/kinds.ts', after: '  Campaign: campaign,', line: '  HouseAd: houseAd,' },
];
