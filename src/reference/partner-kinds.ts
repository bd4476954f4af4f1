/** The accounts whose users see what is theirs in the portal (reference, A20). */
export type PartnerKind = 'Publisher' | 'Advertiser';

/** An account that asks about what it owns. */
export interface QuestionOwner {
  readonly kind: PartnerKind;
  readonly id: number;
}

/** Whether a measure or a dimension is shown to who asks: partners see what says so, all others everything. */
export function isSeenBy(
  { seenBy = [] }: { readonly help: string; readonly seenBy?: readonly PartnerKind[] },
  owner: Pick<QuestionOwner, 'kind'> | undefined,
): boolean {
  return owner === undefined || seenBy.includes(owner.kind);
}
