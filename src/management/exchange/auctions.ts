import { Type } from 'typebox';
import {
  auctionSchema,
  bidfloorExample,
  candidateExample,
  floorRuleExample,
  refusalExample,
} from '../../answers/explanation.ts';
import { demandKindNames } from '../../entities/kinds.ts';
import { entityOf } from '../../entities/registry.ts';
import { intMax } from '../../fields/number.ts';
import { ownMember } from '../../reference/own-member.ts';
import { helpOfReason, reasonHelp } from '../../reference/reason-help.ts';
import { reader } from '../endpoint/access.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { number, type Parameter, text } from '../endpoint/parameter.ts';
import { explainedKinds } from './explain-question.ts';
import { exchangeTag } from './tag.ts';

const auctionsByDefault = 100;

/** One for each kind of demand, named by its key. */
const demandParameters: Readonly<Record<string, Parameter<number>>> = Object.fromEntries(
  demandKindNames.map((kind) => [
    kind,
    number({
      help: `Only auctions in which this ${entityOf(kind).title} took part or was refused`,
      max: intMax,
    }),
  ]),
);

/** Naming more than one object leaves no auction (reference, W10). */
function namedIn(kinds: readonly string[], ids: Readonly<Record<string, unknown>>) {
  const [object, ...others] = kinds.flatMap((kind) => {
    const id = Number(ownMember(ids, kind) ?? 0);
    return id ? [{ kind, id }] : [];
  });
  return { object, isNone: others.length > 0 };
}

/** One for each kind of supply, named by its key. */
const supplyParameters: Readonly<Record<string, Parameter<number>>> = Object.fromEntries(
  explainedKinds.map((kind) => [
    kind,
    number({ help: `Only auctions of this ${entityOf(kind).title}`, max: intMax }),
  ]),
);

const example = {
  AuctionId: '0b8f7e0e-5f6b-4b9d-9f0f-2f6d0a4c1a11',
  TimeMs: 1_801_483_200_000,
  Entity: 'VastTag',
  Id: 3,
  Name: 'Homepage pre-roll',
  Outcome: 'no_demand',
  ...bidfloorExample,
  Field: '',
  Wanted: null,
  Met: null,
  Country: 'US',
  Domain: 'news.example',
  AppBundle: '',
  Candidates: [{ ...candidateExample, Refusals: [refusalExample] }],
  FloorRules: [floorRuleExample],
};

export const lastAuctions = defineEndpoint({
  method: 'GET',
  path: '/api/exchange/auctions',
  name: 'getAuctions',
  tag: exchangeTag,
  summary: 'Fetch the last auctions',
  description:
    "A sample of the last auctions of the team's supply, newest first, each with the outcome of all its demand.",
  access: reader,
  parameters: {
    ...supplyParameters,
    ...demandParameters,
    Reason: text({
      help: 'Only auctions in which the request or a demand object was refused for this reason; if a demand object is named, only that one',
      schema: { type: 'string', enum: Object.keys(reasonHelp) },
      example: 'below_floor',
      check: (value) =>
        helpOfReason(value) === ''
          ? { Code: 'out_of_range', Message: 'must be the name of a reason, for example below_floor' }
          : undefined,
    }),
    Limit: number({ help: 'Maximum number of auctions to return; 0 = 100', max: 1000 }),
  },
  returns: {
    description: 'The auctions',
    schema: Type.Array(auctionSchema),
    example: () => [example],
  },
  serve:
    ({ exchange }) =>
    async ({ caller, parameters }) => {
      const [supply, demand] = [namedIn(explainedKinds, parameters), namedIn(demandKindNames, parameters)];
      const asked = { supply: supply.object, demand: demand.object, reason: parameters.Reason };
      const isNone = supply.isNone || demand.isNone;
      const auctions = isNone ? [] : await exchange.auctions(caller.teamId, asked);
      return auctions.slice(0, parameters.Limit || auctionsByDefault);
    },
});
