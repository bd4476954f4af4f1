/**
 * Where viewers are protected by the GDPR, or by the like law of the United Kingdom or Switzerland: the EU with its
 * regions that have codes of their own, the rest of the EEA, and `EU`, which IP databases give where they know no more.
 */
export const gdprCountries: readonly string[] = [
  ...['AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'HU', 'IE', 'IT', 'LT'],
  ...['LU', 'LV', 'MT', 'NL', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK'],
  ...['AX', 'GF', 'GP', 'MF', 'MQ', 'RE', 'YT', 'EU'],
  ...['IS', 'LI', 'NO', 'GB', 'CH'],
];
