import { iabSubcategories1To9 } from './iab-subcategories-1-to-9.ts';
import { iabSubcategories10To26 } from './iab-subcategories-10-to-26.ts';

type Subcategory = { readonly Name: string; readonly Title: string };
type Category = Subcategory & { readonly Subcategories: readonly Subcategory[] };

const tierOne: readonly (readonly [name: string, title: string])[] = [
  ['IAB1', 'Arts & Entertainment'],
  ['IAB2', 'Automotive'],
  ['IAB3', 'Business'],
  ['IAB4', 'Careers'],
  ['IAB5', 'Education'],
  ['IAB6', 'Family & Parenting'],
  ['IAB7', 'Health & Fitness'],
  ['IAB8', 'Food & Drink'],
  ['IAB9', 'Hobbies & Interests'],
  ['IAB10', 'Home & Garden'],
  ['IAB11', 'Law Government & Politics'],
  ['IAB12', 'News'],
  ['IAB13', 'Personal Finance'],
  ['IAB14', 'Society'],
  ['IAB15', 'Science'],
  ['IAB16', 'Pets'],
  ['IAB17', 'Sports'],
  ['IAB18', 'Style & Fashion'],
  ['IAB19', 'Technology & Computing'],
  ['IAB20', 'Travel'],
  ['IAB21', 'Real Estate'],
  ['IAB22', 'Shopping'],
  ['IAB23', 'Religion & Spirituality'],
  ['IAB24', 'Uncategorized'],
  ['IAB25', 'Non-Standard Content'],
  ['IAB26', 'Illegal Content'],
];

const tierTwo = [...iabSubcategories1To9, ...iabSubcategories10To26];

function subcategoriesOf(category: string): Subcategory[] {
  const below = tierTwo.filter(([name]) => name.startsWith(`${category}-`));
  return below.map(([Name, Title]) => ({ Name, Title }));
}

/**
 * IAB Content Taxonomy 1.0: 26 categories, 366 subcategories, by the IAB Tech Lab's table and OpenRTB 2.5 section 5.1.
 * Misspellings ("Mororcycles") follow OpenRTB; IAB1 to IAB19 have the titles that clients know.
 */
export const iabCategories: readonly Category[] = tierOne.map(([Name, Title]) => ({
  Name,
  Title,
  Subcategories: subcategoriesOf(Name),
}));

const names = new Set([...tierOne, ...tierTwo].map(([name]) => name));

/** `IAB7` or `IAB7-44`. */
export function isIabCategory(name: string): boolean {
  return names.has(name);
}
