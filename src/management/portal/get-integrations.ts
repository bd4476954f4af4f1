import { Type } from 'typebox';
import { closedObject, oneOf } from '../../answers/wire-schema.ts';
import type { Entity } from '../../entities/entity.ts';
import { supplyKindNames } from '../../entities/kinds.ts';
import { entityOf } from '../../entities/registry.ts';
import { invalid } from '../../fields/fault.ts';
import { intMax } from '../../fields/number.ts';
import { snippetOf, type TaggedObject } from '../../reference/integration-snippet.ts';
import {
  codeForms,
  type IntegrationName,
  integrationGroups,
  integrationRows,
} from '../../reference/integrations.ts';
import { ownMember } from '../../reference/own-member.ts';
import type { Bearer } from '../../store/identity/interface.ts';
import type { StoredObject, Values } from '../../store/interface.ts';
import type { Context } from '../context.ts';
import { everyUser } from '../endpoint/access.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { number } from '../endpoint/parameter.ts';
import { notFoundFault } from '../post-answer.ts';
import { compilePresenter, type Links } from '../present.ts';
import { ownFilter } from './own-objects.ts';

const guides = [...new Set(integrationRows.map(([, { guide }]) => guide))];

const integrationSchema = closedObject({
  Name: oneOf(
    integrationRows.map(([name]) => name) as [IntegrationName, ...IntegrationName[]],
    'Name of the platform, or of what it is given',
  ),
  Title: Type.String({ description: 'The same for people' }),
  Group: oneOf(integrationGroups, 'What it belongs to'),
  Help: Type.String({ description: 'What to do with the code' }),
  Guide: oneOf(guides as [string, ...string[]], 'The page of the guide that says more'),
  Form: oneOf(codeForms, 'What the code is written in; `sh` is a command line'),
  FileName: Type.String({ description: 'What to call the file that it is kept in' }),
  Codes: Type.Array(
    closedObject({
      Region: Type.String({ description: 'Name of the region whose URL the code calls' }),
      Code: Type.String({ description: 'The code' }),
    }),
    { description: 'For each region of the exchange' },
  ),
});

type Place = Omit<TaggedObject, 'urls'> & { readonly urls: ReadonlyMap<string, readonly string[]> };

/** By region, and of it those of one kind in the order of the fields. */
function urlsOf({ fields }: Entity, object: Values): ReadonlyMap<string, readonly string[]> {
  const urls = new Map<string, string[]>();
  for (const [name, { place }] of Object.entries(fields)) {
    if (place.kind !== 'regionUrls') continue;
    for (const { Region = '', ...named } of ownMember(object, name) as readonly Record<string, string>[])
      urls.set(Region, [...(urls.get(Region) ?? []), ...Object.values(named)]);
  }
  return urls;
}

function integrationsOf({ urls, ...tagged }: Place) {
  return integrationRows.flatMap(([Name, integration]) => {
    const { title: Title, group: Group, help: Help, guide: Guide, form: Form } = integration;
    const made = [...urls].flatMap(([Region, of]) => {
      const snippet = snippetOf(integration, { ...tagged, urls: of });
      return snippet ? [{ Region, ...snippet }] : [];
    });
    const [{ fileName: FileName } = { fileName: '' }] = made;
    const Codes = made.map(({ Region, code: Code }) => ({ Region, Code }));
    return Codes.length > 0 ? [{ Name, Title, Group, Help, Guide, Form, FileName, Codes }] : [];
  });
}

const shownOf = ({ fields }: Entity) =>
  Object.entries(fields)
    .filter(([, { place }]) => ['document', 'regionUrls'].includes(place.kind))
    .map(([name]) => name);
const presenters = new Map(
  supplyKindNames.map((key) => [key, compilePresenter(entityOf(key), shownOf(entityOf(key)))]),
);

type Kind = (typeof supplyKindNames)[number];
type Parameters = Readonly<Partial<Record<Kind, number>>>;

/** Refuses none, and several. */
function askedIn(parameters: Parameters): { readonly kind: Kind; readonly id: number } {
  const [kind, ...more] = supplyKindNames.filter((name) => parameters[name]);
  const choice = supplyKindNames.map((name) => `\`${name}\``).join(', ');
  if (kind === undefined) {
    const Message = `the ID of a supply object is required, as one of the parameters ${choice}`;
    throw invalid([{ Path: '', Code: 'required', Message }]);
  }
  const Message = `cannot be sent with \`${kind}\`: ask for one object at a time`;
  if (more.length > 0) throw invalid(more.map((Path) => ({ Path, Code: 'unknown_parameter', Message })));
  return { kind, id: parameters[kind] ?? 0 };
}

function tagOf(entity: Entity, stored: StoredObject, links: Links) {
  const object = presenters.get(entity.key as Kind)?.(stored, links) ?? {};
  return { object: { ...object, Id: stored.id }, urls: urlsOf(entity, object) };
}

/** Of the caller's team and, for partners, of their account alone. */
async function find({ store }: Pick<Context, 'store'>, caller: Bearer, parameters: Parameters) {
  const { kind, id } = askedIn(parameters);
  const entity = entityOf(kind);
  const filter = caller.partner ? { ...ownFilter(entity, caller.partner), id } : { id };
  const stored = await store.find(entity, caller.teamId, filter);
  if (!stored) throw invalid([{ ...notFoundFault(entity, id), Path: kind }]);
  return { entity, stored };
}

const parameters = Object.fromEntries(
  supplyKindNames.map((kind) => [kind, number({ help: `ID of the ${entityOf(kind).title}`, max: intMax })]),
) as Readonly<Record<Kind, ReturnType<typeof number>>>;

export const getIntegrations = defineEndpoint({
  method: 'GET',
  path: '/api/integrations/get',
  name: 'getIntegrations',
  tag: {
    name: 'Integrations',
    description: 'Ready code for players, pages, ad servers, Prebid and servers that call a supply object.',
  },
  summary: 'Fetch the code that calls a supply object',
  description:
    "Ready code for each platform that can call the object, with its URL, the platform's macros and the viewer's consent; it takes one parameter, the object's kind with its ID. The code contains the object's credential. Partners ask for objects of their own publisher. `GvlId` of the team's settings is in code that names the exchange as a vendor.",
  access: everyUser,
  parameters,
  failures: { Forbidden: 'Advertisers have no supply objects.' },
  returns: {
    description: 'The code for each platform',
    schema: Type.Array(integrationSchema),
    example: ({ regions }) =>
      integrationsOf({
        object: { Id: 7, BannerEnabled: 1 },
        urls: new Map(regions.map(({ name, url }) => [name, [`${url}/rtb?zone=7&auth=0123456789abcdef`]])),
        vendor: 0,
        exchange: 'Acme',
      }).filter(({ Name }) => Name === 'storedImp'),
  },
  serve:
    (context) =>
    async ({ caller, parameters: asked }) => {
      const { entity, stored } = await find(context, caller, asked);
      const { identity } = context.store;
      const [team, { settings }] = await Promise.all([
        identity.team(caller.teamId),
        identity.teamSettings(caller.teamId),
      ]);
      const tag = tagOf(entity, stored, context.links());
      return integrationsOf({ ...tag, vendor: settings.GvlId, exchange: team?.name ?? '' });
    },
});
