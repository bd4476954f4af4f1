import { Type } from 'typebox';
import { entityOf } from '../../entities/registry.ts';
import { intMax } from '../../fields/number.ts';
import { reader } from '../endpoint/access.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { number, type Parameter } from '../endpoint/parameter.ts';
import { explainedKinds } from './explain-question.ts';
import { auctionSchema, candidateExample, refusalExample } from './explanation-schemas.ts';
import { exchangeTag } from './tag.ts';

const auctionsByDefault = 100;

/** One parameter for each kind of supply object, named by its key. */
const supplyParameters: Readonly<Record<string, Parameter<number>>> = Object.fromEntries(
  explainedKinds.map((kind) => [
    kind,
    number({ help: `Only auctions of that ${entityOf(kind).title}`, max: intMax }),
  ]),
);

const example = {
  AuctionId: '0b8f7e0e-5f6b-4b9d-9f0f-2f6d0a4c1a11',
  TimeMs: 1_801_483_200_000,
  Entity: 'VastTag',
  Id: 3,
  Name: 'Homepage pre-roll',
  Outcome: 'no_demand',
  Field: '',
  Wanted: null,
  Met: null,
  Country: 'US',
  Domain: 'news.example',
  AppBundle: '',
  Candidates: [{ ...candidateExample, Refusals: [refusalExample] }],
};

/** The last auctions of the team's supply. */
export const lastAuctions = defineEndpoint({
  method: 'GET',
  path: '/api/exchange/auctions',
  name: 'getAuctions',
  tag: exchangeTag,
  summary: 'Fetch the last auctions',
  description:
    "The last auctions of the team's supply, sampled, the newest first, each with what became of its demand.",
  access: reader,
  parameters: {
    ...supplyParameters,
    Limit: number({ help: 'Most auctions to answer; 0 = 100', max: 1000 }),
  },
  returns: {
    description: 'The auctions',
    schema: Type.Array(auctionSchema),
    example: () => [example],
  },
  serve:
    ({ exchange }) =>
    async ({ caller, parameters }) => {
      const ids: Readonly<Record<string, number | undefined>> = parameters;
      const [supply, ...others] = explainedKinds.flatMap((kind) => {
        const id = ids[kind];
        return id ? [{ kind, id }] : [];
      });
      // An auction has one supply object, so two parameters leave none (decisions, W10).
      const auctions = others.length > 0 ? [] : await exchange.auctions(caller.teamId, supply);
      return auctions.slice(0, parameters.Limit || auctionsByDefault);
    },
});
