/** `cattax` of the Content Taxonomy 1.0, whose names lists and targeting know. It is assumed where none is named. */
export const iabTaxonomy = 1;

/** A name of the IAB Content Taxonomy 1.0, as `IAB9` or `IAB9-30`. */
const iabName = /^IAB\d{1,2}(-\d{1,2})?$/;

/** Whether a text has the form of such a name, which need not exist. */
export function isIabName(text: string): boolean {
  return iabName.test(text);
}
