/** `cattax` of the Content Taxonomy 1.0, which lists and targeting use; the default. */
export const iabTaxonomy = 1;

/** As `IAB9` or `IAB9-30`. */
const iabName = /^IAB\d{1,2}(-\d{1,2})?$/;

/** By its form; the name need not exist. */
export function isIabName(text: string): boolean {
  return iabName.test(text);
}
