import type { Media, Opportunity } from './opportunity.ts';

export function mediaIn({ media, variants }: Opportunity): readonly Media[] {
  return variants ? variants.map((variant) => variant.media) : [media];
}

/** As it is for an ad of that medium; unchanged if the medium is not among its variants. */
export function inMedium(opportunity: Opportunity, media: Media): Opportunity {
  if (opportunity.media === media) return opportunity;
  const variant = opportunity.variants?.find((one) => one.media === media);
  return variant ? { ...opportunity, ...variant } : opportunity;
}

/** With these of its media alone; unchanged if it has no variants, or none of these. */
export function withMedia(opportunity: Opportunity, media: readonly Media[]): Opportunity {
  const variants = opportunity.variants?.filter((one) => media.includes(one.media)) ?? [];
  if (variants.length === 0) return opportunity;
  return { ...opportunity, ...variants[0], variants: variants.length > 1 ? variants : undefined };
}
