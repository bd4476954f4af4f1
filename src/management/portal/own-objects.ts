import { Type } from 'typebox';
import type { Entity } from '../../entities/entity.ts';
import { entityOf } from '../../entities/registry.ts';
import { Refusal } from '../../fields/fault.ts';
import { intMax } from '../../fields/number.ts';
import { ownMember } from '../../reference/own-member.ts';
import type { PartnerOf } from '../../store/identity/interface.ts';
import type { Filter } from '../../store/interface.ts';
import { partner } from '../endpoint/access.ts';
import { defineEndpoint, type Tag } from '../endpoint/endpoint.ts';
import { flag, number } from '../endpoint/parameter.ts';
import { findPage, listedObjects } from '../listing/list-answer.ts';
import { listingOf, listingParameters } from '../listing/listing.ts';
import type { EntityOperation } from '../operations/entity-operation.ts';
import { answerExample } from '../operations/examples.ts';
import { chosenSchema } from '../schemas.ts';

export const portalTag: Tag = {
  name: 'Portal',
  description:
    'What users of a publisher or an advertiser see (role 3): the account, the objects it owns, and the fields of these that concern it. Reports use the same calls as for everyone else.',
};

/** That its objects belong to, or are. */
const accountOf = ({ key, owner }: Entity): string => owner?.entity ?? key;

/** Their account, and what it owns. */
export const isOwnable = ({ exchange, owner }: Entity): boolean =>
  exchange?.side === 'account' || owner !== undefined;

/** With the fields that its owner sees, and without the figures of lists. */
function asOwned({ exchange: _, ...entity }: Entity): Entity {
  const fields = Object.entries(entity.fields).filter(([, { isForOwner }]) => isForOwner);
  return { ...entity, fields: Object.fromEntries(fields) };
}

/** Of an object's values, those that its owner sees. */
export const seenByOwner = ({ fields }: Entity, values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => ownMember(fields, name)?.isForOwner));

/** Refuses the other side's objects with `forbidden`. */
export function ownFilter(entity: Entity, { kind, id }: PartnerOf): Filter {
  if (entity.key === kind) return { ids: [id] };
  if (entity.owner?.entity === kind) return { ownerId: id };
  const Message = `${entity.title}s belong to ${entityOf(accountOf(entity)).title.toLowerCase()}s, but your user belongs to ${
    entityOf(kind).title
  } ${id}`;
  throw new Refusal('forbidden', Message);
}

/** By what partners see of them. */
export const getOwn: EntityOperation = (entity) => {
  const owned = asOwned(entity);
  const shown = Object.keys(owned.fields);
  return defineEndpoint({
    method: 'GET',
    path: `/api/portal/${entity.path}/get`,
    tag: portalTag,
    name: `getOwn${entity.key}s`,
    summary: `Fetch your own ${entity.title}s`,
    description: `An array of the ${entity.title}s of the partner's ${accountOf(entity).toLowerCase()}, with the fields that partners see, in order of ID or as \`Sort\` says. The header \`Bourse-Total\` is their total number, and \`Bourse-Cursor\` says where the next page begins, if there is one.`,
    access: partner,
    parameters: {
      ActiveOnly: flag('1 = only active objects'),
      Limit: number({ help: 'Maximum number of objects to return; 0 = all', max: intMax }),
      ...listingParameters(owned),
    },
    pages: 'counted',
    failures: { Forbidden: 'Partners see only what belongs to their account.' },
    returns: {
      description: 'The objects',
      schema: Type.Array(chosenSchema({ ...owned, key: `Own${entity.key}` })),
      example: (links) => {
        const whole = answerExample(entity, 'single', links);
        return [Object.fromEntries(shown.map((name) => [name, ownMember(whole, name)]))];
      },
    },
    serve: (context) => async (call) => {
      const { caller, parameters } = call;
      const { ActiveOnly, Limit = 0, ...listed } = parameters;
      if (!caller.partner) throw new Refusal('forbidden', 'Your user belongs to no publisher or advertiser');
      const filter = { ...ownFilter(entity, caller.partner), activeOnly: ActiveOnly === 1 };
      const listing = listingOf(owned, listed, filter);
      const { fields = shown, ...question } = listing ?? {
        conditions: [],
        words: [],
        sort: [],
        after: undefined,
      };
      const { ids, headers } = await findPage(entity, context, caller, { ...question, filter, limit: Limit });
      return { body: listedObjects(entity, context, caller, { ids, fields }), headers };
    },
  });
};
