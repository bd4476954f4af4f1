/** Titles of IAB categories that specification 2.11 spells out, in their order, and its IAB20. */
export const specifiedTitles: readonly string[] = [
  ...['Arts & Entertainment', 'Automotive', 'Business', 'Careers', 'Education', 'Family & Parenting'],
  ...[
    'Health & Fitness',
    'Food & Drink',
    'Hobbies & Interests',
    'Home & Garden',
    'Law Government & Politics',
  ],
  ...['News', 'Personal Finance', 'Society', 'Science', 'Pets', 'Sports', 'Style & Fashion'],
  ...['Technology & Computing', 'Travel'],
];
