import { Type } from 'typebox';
import { closedObject } from '../../answers/wire-schema.ts';
import { supplyKindNames } from '../../entities/kinds.ts';
import { entityOf } from '../../entities/registry.ts';
import { invalid } from '../../fields/fault.ts';
import { intMax } from '../../fields/number.ts';
import { dateOf, dayOf } from '../../statistics/days.ts';
import {
  type Estimate,
  type FloorCurve,
  type FloorEstimate,
  floorCurve,
  isEnough,
} from '../../statistics/floors.ts';
import type { BidSamples } from '../../store/statistics/interface.ts';
import { reader } from '../endpoint/access.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { moment, number, text } from '../endpoint/parameter.ts';
import { notFoundFault } from '../post-answer.ts';
import { floorSummary } from './floor-summary.ts';
import { figuresTag } from './object-figures.ts';

interface Settings {
  readonly Bidfloor?: number;
  readonly AuctionType?: number;
  readonly Currency?: string;
}

const kinds: readonly string[] = supplyKindNames;

const money = (description: string) => Type.Number({ description });
const boundNote = 'in 95 of 100 such samples it is not';
const estimateMembers = (what: string) => ({
  Revenue: money(`USD that ${what}`),
  Low: money(`${boundNote} less`),
  High: money(`${boundNote} more`),
});
const floorSchema = closedObject({
  Floor: money('USD CPM'),
  ...estimateMembers("the day's auctions would have earned"),
  SoldPercent: money('Of 100 auctions with bids, how many would have sold'),
});
const curveSchema = closedObject({
  AuctionType: Type.Integer({ description: '1 = First Price, 2 = Second Price Plus', enum: [1, 2] }),
  Now: floorSchema,
  Best: floorSchema,
  Gain: closedObject(estimateMembers('the best floor would have earned more than the current one')),
  IsSure: Type.Integer({ description: '1 = the gain is unlikely to be chance; 0 or 1', enum: [0, 1] }),
  Summary: Type.String({ description: 'The result in one sentence' }),
  Floors: Type.Array(floorSchema, { description: 'Each floor that was compared, lowest first' }),
});
const countryMembers = {
  Auctions: Type.Integer({ description: 'Auctions that had bids' }),
  Sampled: Type.Integer({ description: 'How many of them were sampled' }),
};

const shownEstimate = ({ usd: Revenue, low: Low, high: High }: Estimate) => ({ Revenue, Low, High });
const shownFloor = ({ floor: Floor, revenue, soldPercent: SoldPercent }: FloorEstimate) => ({
  Floor,
  ...shownEstimate(revenue),
  SoldPercent,
});
const shownCurve = (curve: FloorCurve) => ({
  AuctionType: curve.auctionType,
  Now: shownFloor(curve.now),
  Best: shownFloor(curve.best),
  Gain: shownEstimate(curve.gain),
  IsSure: (curve.isSure ? 1 : 0) as 0 | 1,
  Summary: floorSummary(curve),
  Floors: curve.floors.map(shownFloor),
});

export const sizeOf = (samples: readonly BidSamples[]) => ({
  Auctions: samples.reduce((sum, { auctions }) => sum + auctions, 0),
  Sampled: samples.reduce((sum, { sampled }) => sum + sampled.length, 0),
});

function countriesOf(samples: readonly BidSamples[]) {
  return [...Map.groupBy(samples, ({ country }) => country)]
    .map(([Country, own]) => ({ Country, ...sizeOf(own) }))
    .toSorted((one, other) => other.Auctions - one.Auctions);
}

const exampleFloor = { Floor: 1, Revenue: 12.5, Low: 11.2, High: 13.8, SoldPercent: 80 };

export const getFloors = defineEndpoint({
  method: 'GET',
  path: '/api/figures/floors',
  name: 'getFloors',
  tag: figuresTag,
  summary: 'Fetch what each floor would have earned',
  description:
    "What the auctions of a supply object on a day (UTC) would have earned at each floor, at first and at second price, based on a sample of those that had bids: at most 16 for each hour, country and thread of each process. Amounts are what advertisers would pay if every ad were shown. The bounds treat the day as one of many (stratified sampling, normal approximation). Bidders see the floor and may not have bid below it, so floors below that day's floor would earn at least the amount shown. With fewer than 200 sampled auctions there is no estimate.",
  access: reader,
  parameters: {
    Entity: {
      ...text({
        help: 'Kind of the supply object',
        schema: { type: 'string', enum: kinds },
        example: 'VastTag',
        check: (value) =>
          kinds.includes(value)
            ? undefined
            : {
                Code: 'out_of_range',
                Message: `is not a kind of supply; possible values: ${kinds.join(', ')}`,
              },
      }),
      isRequired: true,
    },
    Id: { ...number({ help: 'ID of the object', max: intMax }), isRequired: true },
    Day: moment('A time of the day (UTC); absent = yesterday'),
    Country: text({
      help: 'Only auctions of this country, ISO 3166-1 alpha-2; absent = all',
      schema: { type: 'string', pattern: '^[A-Z]{2}$' },
      example: 'US',
      check: (value) =>
        /^[A-Z]{2}$/.test(value)
          ? undefined
          : { Code: 'format', Message: 'must be a country of ISO 3166-1 alpha-2, like US' },
    }),
  },
  returns: {
    description: 'What each floor would have earned',
    schema: closedObject({
      Status: Type.Literal('Ok'),
      Day: Type.String({ description: 'The day (UTC), as YYYY-MM-DD' }),
      Rate: Type.Number({
        description: 'What one unit of the `Currency` of the object is worth in USD; 1 for USD',
      }),
      ...countryMembers,
      IsEnough: Type.Integer({ description: '0 = the sample is too small for an estimate', enum: [0, 1] }),
      Countries: Type.Array(
        closedObject({
          Country: Type.String({ description: 'ISO 3166-1 alpha-2; "" = not known' }),
          ...countryMembers,
        }),
        { description: 'Auctions by country, most auctions first' },
      ),
      Prices: Type.Array(curveSchema, {
        description: 'One for each auction type, that of the object first; empty if IsEnough is 0',
      }),
    }),
    example: () => ({
      ...({ Status: 'Ok', Day: '2027-01-30', Rate: 1, Auctions: 12_000, Sampled: 384, IsEnough: 1 } as const),
      Countries: [{ Country: 'US', Auctions: 12_000, Sampled: 384 }],
      Prices: [
        {
          AuctionType: 2,
          Now: exampleFloor,
          Best: exampleFloor,
          Gain: { Revenue: 0, Low: 0, High: 0 },
          IsSure: 0 as const,
          Floors: [exampleFloor],
          Summary: 'No other floor would have earned more than the current floor.',
        },
      ],
    }),
  },
  serve:
    ({ store, exchange, now }) =>
    async ({ caller: { teamId }, parameters: { Entity: kind = '', Id: id = 0, Day, Country } }) => {
      const object = await store.reads(teamId).find(entityOf(kind), id);
      if (!object) throw invalid([{ ...notFoundFault(entityOf(kind), id), Path: 'Id' }]);
      const { Bidfloor = 0, AuctionType, Currency } = object.document as Settings;
      const rate = exchange.usdPerUnit(Currency || 'USD');
      if (rate === undefined) {
        const Message = `has its prices in ${Currency}, which has no current rate; ask again when there is one`;
        throw invalid([{ Path: 'Id', Code: 'out_of_range', Message }]);
      }
      const day = Day ? dayOf(Day.fromMs) : dayOf(now()) - 1;
      const all = await store.statistics.bidSamples({ kind, id }, day);
      const samples = Country ? all.filter(({ country }) => country === Country) : all;
      const types = AuctionType === 1 ? ([1, 2] as const) : ([2, 1] as const);
      const isSaid = isEnough(samples);
      return {
        ...({ Status: 'Ok', Day: dateOf(day), Rate: rate } as const),
        ...sizeOf(samples),
        IsEnough: (isSaid ? 1 : 0) as 0 | 1,
        Countries: countriesOf(all),
        Prices: isSaid ? types.map((type) => shownCurve(floorCurve(samples, Bidfloor * rate, type))) : [],
      };
    },
});
