import { Type } from 'typebox';
import { consentAnswerSchema } from '../../answers/consent-reading.ts';
import { closedObject, succeeded } from '../../answers/wire-schema.ts';
import { advertiser } from '../../entities/advertiser.ts';
import type { Entity } from '../../entities/entity.ts';
import { demandKindNames } from '../../entities/kinds.ts';
import { entityOf } from '../../entities/registry.ts';
import { type Fault, invalid } from '../../fields/fault.ts';
import { ownMember } from '../../reference/own-member.ts';
import type { Store, StoredObject } from '../../store/interface.ts';
import { reader } from '../endpoint/access.ts';
import { checkedBody } from '../endpoint/body.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { exchangeTag } from './tag.ts';

/** Far above any string of a consent platform. */
const stringMax = 16_384;
const sectionsMax = 100;
const sectionMax = 65_535;
const pageSize = 1000;
const fields = ['Name', 'GvlId', 'AdvertiserId'];
/** Of campaigns nobody else is told anything. */
const partnerEntities = demandKindNames
  .map((kind) => entityOf(kind))
  .filter((entity) => Object.hasOwn(entity.fields, 'GvlId'));

async function* objectsOf(store: Store, entity: Entity, teamId: number): AsyncGenerator<StoredObject> {
  const wanted = fields.filter((name) => Object.hasOwn(entity.fields, name));
  for (let afterId = 0; ; ) {
    const page = await store.page(entity, teamId, { afterId }, pageSize, wanted);
    yield* page;
    if (page.length < pageSize) return;
    afterId = page.at(-1)?.id ?? 0;
  }
}

const numberIn = ({ document }: StoredObject, field: string) => Number(ownMember(document, field) ?? 0);

/** Demand objects by the vendor that auctions ask about. */
async function partnersOf(store: Store, teamId: number) {
  const ofAdvertisers = new Map<number, number>();
  for await (const object of objectsOf(store, advertiser, teamId))
    ofAdvertisers.set(object.id, numberIn(object, 'GvlId'));
  const partners = new Map<number, { Entity: string; Id: number; Name: string }[]>();
  for (const entity of partnerEntities) {
    for await (const object of objectsOf(store, entity, teamId)) {
      const vendor = numberIn(object, 'GvlId') || (ofAdvertisers.get(numberIn(object, 'AdvertiserId')) ?? 0);
      const others = partners.get(vendor) ?? [];
      others.push({ Entity: entity.key, Id: object.id, Name: String(object.document.Name ?? '') });
      partners.set(vendor, others);
    }
  }
  return partners;
}

const stringsSchema = closedObject({
  Consent: Type.Optional(Type.String({ maxLength: stringMax, description: 'A TCF string' })),
  Gpp: Type.Optional(Type.String({ maxLength: stringMax, description: 'A GPP string' })),
  GppSid: Type.Optional(
    Type.Array(Type.Integer({ minimum: -1, maximum: sectionMax }), {
      maxItems: sectionsMax,
      description: 'IDs of the sections that apply (gpp_sid); omitted = all that the string has',
    }),
  ),
  UsPrivacy: Type.Optional(
    Type.String({ maxLength: stringMax, description: 'A US privacy string, for example 1YNN' }),
  ),
});

const nothingSent: Fault = {
  Path: '',
  Code: 'required',
  Message: 'the body must have `Consent`, `Gpp` or `UsPrivacy`',
};

const vendor = 755;
const example = {
  State: 'refused' as const,
  Signals: [
    {
      Source: 'UsPrivacy' as const,
      Section: 0,
      Name: 'US Privacy',
      Fault: '' as const,
      Tcf: null,
      Choices: { OptOuts: ['sale' as const], IsKnownChild: 0, HasGpc: 0 },
    },
  ],
  Partners: [
    {
      GvlId: vendor,
      Permitted: ['bid' as const],
      Withheld: [
        {
          Activities: ['userIds', 'userData', 'address', 'place', 'sync'] as const,
          Wanted: 'no opt-out',
          Met: 'us_privacy',
        },
      ],
      Objects: [{ Entity: 'DspRtbEp', Id: 7, Name: 'Fjord video, Europe' }],
    },
  ],
};

export const readConsent = defineEndpoint({
  method: 'POST',
  path: '/api/exchange/consent',
  name: 'readConsent',
  tag: exchangeTag,
  summary: 'Read consent strings',
  description:
    "What a TCF, GPP or US privacy string says, and what it permits each of the team's partners, by the rules of auctions and the team's settings. What cannot be read is named. Nothing is stored or logged, so every role may call it.",
  access: reader,
  accepts: checkedBody({ schema: stringsSchema, example: () => ({ UsPrivacy: '1YYN' }) }),
  returns: {
    description: 'What the strings say and permit',
    schema: consentAnswerSchema,
    example: () => ({ ...succeeded, ...example }),
  },
  serve:
    ({ store, exchange }) =>
    async ({ caller: { teamId }, body: { Consent = '', Gpp = '', GppSid, UsPrivacy = '' } }) => {
      if (Consent === '' && Gpp === '' && UsPrivacy === '') throw invalid([nothingSent]);
      const partners = await partnersOf(store, teamId);
      const sent = { consent: Consent, gpp: Gpp, gppSid: GppSid, usPrivacy: UsPrivacy };
      const { State, Signals, Vendors } = exchange.readConsent(teamId, sent, [...partners.keys()]);
      const Partners = Vendors.map((one) => ({ ...one, Objects: partners.get(one.GvlId) ?? [] }));
      return { ...succeeded, State, Signals, Partners };
    },
});
