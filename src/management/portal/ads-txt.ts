import { Type } from 'typebox';
import { closedObject, labelled, oneOf } from '../../answers/wire-schema.ts';
import { entities, entityOf } from '../../entities/registry.ts';
import { invalid, Refusal } from '../../fields/fault.ts';
import { intMax } from '../../fields/number.ts';
import { ownMember } from '../../reference/own-member.ts';
import type { Store, Values } from '../../store/interface.ts';
import type { Context } from '../context.ts';
import { partner, reader } from '../endpoint/access.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { number } from '../endpoint/parameter.ts';
import type { AdPlace, PublishedLines } from '../exchange/exchange-view.ts';
import { operationOn } from '../operations/entity-operation.ts';
import { portalTag } from './own-objects.ts';

/** Each is somebody's file. */
const placesMax = 500;
const pageSize = 500;
const files = ['ads.txt', 'app-ads.txt'] as const;
const shown = ['SiteDomain', 'AppBundle', 'AppStoreUrl'];

/** Kinds of supply that name their place. */
const placements = entities.filter(
  ({ owner, fields }) => owner?.entity === 'Publisher' && shown.every((name) => Object.hasOwn(fields, name)),
);

/** As its fields say. */
function placeOf(document: Values): AdPlace {
  const [site = '', appBundle = '', appStoreUrl = ''] = shown.map((name) =>
    String(ownMember(document, name) ?? ''),
  );
  return { site, appBundle, appStoreUrl };
}

/** Equal for places with the same file. */
const keyOf = ({ site, appBundle, appStoreUrl }: AdPlace) =>
  JSON.stringify(appBundle === '' ? [site] : [appBundle, appStoreUrl]);

/** Of active objects, each once, in order. */
async function placesOf(store: Store, teamId: number, ownerId: number): Promise<AdPlace[]> {
  const places = new Map<string, AdPlace>();
  for (const entity of placements) {
    for (let afterId = 0; places.size < placesMax; ) {
      const filter = { ownerId, activeOnly: true, afterId };
      const page = await store.page(entity, teamId, filter, pageSize, shown);
      const named = page.map(({ document }) => placeOf(document));
      for (const place of named.filter(({ site, appBundle }) => site + appBundle !== ''))
        places.set(keyOf(place), place);
      if (page.length < pageSize) break;
      afterId = page.at(-1)?.id ?? 0;
    }
  }
  return [...places.values()].slice(0, placesMax);
}

/** By `SellerType`: who only sells for others is a reseller. */
const relationOf = (sellerType: unknown) => (sellerType === 2 ? 'RESELLER' : 'DIRECT');

const states = {
  found: 'Its file contains the line',
  not_listed: 'It has the file, but without the line',
  no_file: 'It has no such file',
  unknown: 'Not known yet, or could not be checked; ask again in a minute',
} as const;
const stateOf = { yes: 'found', no: 'not_listed', missing: 'no_file' } as const;

const placeSchema = closedObject({
  Place: Type.String({ description: 'Host of the site, or bundle of the app' }),
  Url: Type.String({
    description: 'Domain where the file is looked up; "" if the app\'s page in its store names it',
  }),
  State: labelled(states, 'What was found there last'),
  OwnerDomain: Type.String({ description: 'Who owns the place, by its file (ownerdomain); "" = not named' }),
  ManagerDomains: Type.Array(Type.String(), {
    description: 'Who sells its ads, by its file (managerdomain): a domain, or a domain and a country',
  }),
});
const fileSchema = closedObject({
  File: oneOf(files, 'Name of the file'),
  Line: Type.String({ description: 'The line to put into it, so that buyers know who may sell' }),
  Places: Type.Array(placeSchema, {
    description: `The first ${placesMax} sites or apps that your active VAST Tags and Banner EPs name`,
  }),
});

function answerOf({ system, lines }: PublishedLines, sellerId: string, sellerType: unknown) {
  const Line = `${system}, ${sellerId}, ${relationOf(sellerType)}`;
  return files.map((File) => ({
    File,
    Line,
    Places: lines
      .filter(({ file }) => file === File)
      .map(({ place, url, finding, business }) => ({
        Place: place,
        Url: url,
        State: finding === undefined ? ('unknown' as const) : stateOf[finding],
        OwnerDomain: business?.owner ?? '',
        ManagerDomains: business?.managers ?? [],
      })),
  }));
}

const publisher = entityOf('Publisher');

/** Undefined without such a publisher. */
async function adsTxtOf(
  { store, exchange }: Pick<Context, 'store' | 'exchange'>,
  teamId: number,
  id: number,
) {
  const found = await store.find(publisher, teamId, { id });
  if (!found) return undefined;
  const { SellerId, SellerType }: Values = found.document;
  const sellerId = String(SellerId || id);
  const lines = await exchange.publishedLines(sellerId, await placesOf(store, teamId, id));
  return { body: JSON.stringify(answerOf(lines, sellerId, SellerType)) };
}

const about =
  'A file is fetched once a day, a missing one again after six hours. What is not known yet is crawled, and known about a minute later. RTB EPs and Pop Feeds do not name a site; their requests do.';

const returns = {
  description: 'The lines by file',
  schema: Type.Array(fileSchema),
  example: () => {
    const found = { file: 'ads.txt', place: 'example.com', finding: 'yes' } as const;
    const business = { owner: 'example.com', managers: ['manager.example', 'other.example, DE'] };
    const line = { ...found, url: 'https://example.com/ads.txt', business };
    return answerOf({ system: 'exchange.example', lines: [line] }, 'pub-7', 1);
  },
};

export const getOwnAdsTxt = defineEndpoint({
  method: 'GET',
  path: '/api/portal/adstxt/get',
  tag: portalTag,
  name: 'getOwnAdsTxt',
  summary: 'Fetch your lines for ads.txt and app-ads.txt',
  description: `The line that authorizes this exchange to sell the publisher's ads, for ads.txt of its sites and app-ads.txt of its apps, and whether the crawler found it there. ${about}`,
  access: partner,
  parameters: {},
  failures: { Forbidden: 'Only publishers have these files.' },
  returns,
  serve:
    (context) =>
    async ({ caller: { teamId, partner: of } }) => {
      if (of?.kind !== 'Publisher')
        throw new Refusal('forbidden', 'ads.txt is for publishers; your user does not belong to one');
      return (await adsTxtOf(context, teamId, of.id)) ?? { body: '[]' };
    },
});

export const getAdsTxt = defineEndpoint({
  ...operationOn(publisher, 'adstxt'),
  method: 'GET',
  name: 'getPublisherAdsTxt',
  summary: "Fetch a publisher's lines for ads.txt and app-ads.txt",
  description: `The line that authorizes this exchange to sell the ads of a Publisher, and whether the crawler found it in ads.txt of its sites and app-ads.txt of its apps: what the publisher's users see in the portal. ${about}`,
  access: reader,
  parameters: { Id: { ...number({ help: "The publisher's ID", max: intMax }), isRequired: true } },
  returns,
  serve:
    (context) =>
    async ({ caller: { teamId }, parameters: { Id = 0 } }) => {
      const answer = await adsTxtOf(context, teamId, Id);
      if (answer) return answer;
      throw invalid([{ Path: 'Id', Code: 'not_found', Message: `there is no Publisher ${Id}` }]);
    },
});
