import { type TInteger, type TOptional, Type } from 'typebox';
import { type AccountKind, accountKindNames } from '../../entities/kinds.ts';
import { invalid } from '../../fields/fault.ts';
import { intMax } from '../../fields/number.ts';
import { partner } from '../../identity/roles.ts';
import type { PartnerOf } from '../../store/identity/interface.ts';
import type { Transaction } from '../../store/interface.ts';

type Name = `${AccountKind}Id`;
const partnerField = (kind: AccountKind): Name => `${kind}Id`;
const names = accountKindNames.map(partnerField);

const idOf = (kind: AccountKind) =>
  Type.Integer({
    minimum: 0,
    maximum: intMax,
    description: `ID of the ${kind.toLowerCase()} that a partner belongs to; 0 = none`,
  });

export const partnerAnswerMembers = Object.fromEntries(
  accountKindNames.map((kind) => [partnerField(kind), idOf(kind)]),
) as Record<Name, TInteger>;

export const partnerBodyMembers = Object.fromEntries(
  accountKindNames.map((kind) => [partnerField(kind), Type.Optional(idOf(kind))]),
) as Record<Name, TOptional<TInteger>>;

export function shownPartner(of: PartnerOf | undefined): Readonly<Record<Name, number>> {
  const rows = accountKindNames.map((kind) => [partnerField(kind), of?.kind === kind ? of.id : 0]);
  return Object.fromEntries(rows) as Record<Name, number>;
}

type SentPartner = { readonly [K in Name]?: number | undefined };

/** One for a partner, none for others. Refuses others, and unknown accounts, with `invalid`. */
export async function partnerIn(
  sent: SentPartner,
  role: number,
  transaction: Pick<Transaction, 'missing'>,
): Promise<PartnerOf | undefined> {
  const named = accountKindNames.flatMap((kind) => {
    const id = sent[partnerField(kind)] ?? 0;
    return id === 0 ? [] : [{ kind, id }];
  });
  const [of, other] = named;
  const wrong = role === partner ? other : of;
  if (wrong) {
    const Message =
      role === partner
        ? 'is a second account; a partner belongs to only one, so leave one of them out'
        : `is only for partners (Role ${partner}); leave it out, or send that role`;
    throw invalid([{ Path: partnerField(wrong.kind), Code: 'contradiction', Message }]);
  }
  if (role === partner && !of) {
    const Message = `is required for a partner, unless ${names.slice(1).join(' or ')} is sent: the account that the user is to see`;
    throw invalid([{ Path: names[0] ?? '', Code: 'required', Message }]);
  }
  if (!of) return undefined;
  const missing = await transaction.missing(of.kind, [of.id]);
  if (missing.length === 0) return of;
  const Message = `names ${of.kind.toLowerCase()} ${of.id}, which is not found`;
  throw invalid([{ Path: partnerField(of.kind), Code: 'not_found', Message }]);
}
