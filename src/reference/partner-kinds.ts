/** Their users see what is theirs in the portal (reference, A20). */
export type PartnerKind = 'Publisher' | 'Advertiser';

export interface QuestionOwner {
  readonly kind: PartnerKind;
  readonly id: number;
}

/** Partners see what says so, all others everything. */
export function isSeenBy(
  { seenBy = [] }: { readonly help: string; readonly seenBy?: readonly PartnerKind[] },
  owner: Pick<QuestionOwner, 'kind'> | undefined,
): boolean {
  return owner === undefined || seenBy.includes(owner.kind);
}
