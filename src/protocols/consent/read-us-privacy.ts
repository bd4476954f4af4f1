/** The IAB's US Privacy string, version 1: notice, opt-out of sale, service provider agreement. */
const usPrivacy = /^1[YN-]([YN-])[YN-]$/i;

/** Undefined if the text is no such string. */
export function readUsPrivacy(text: string): { readonly optsOut: boolean } | undefined {
  const [, saleOptOut] = usPrivacy.exec(text) ?? [];
  return saleOptOut === undefined ? undefined : { optsOut: saleOptOut.toUpperCase() === 'Y' };
}
