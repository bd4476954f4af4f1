import { privacyMacros } from './privacy-macros.ts';

/** In braces in the URL of third-party measurement. */
export const measurementMacros = {
  auction_id: 'ID of the auction, the same in all of its ads',
  publisher_id: 'ID of the publisher',
  supply_id: 'ID of the RTB EP',
  site: 'domain of the site, or bundle of the app',
  size: 'size in pixels, like 640x360',
  medium: 'video, banner, native or audio',
  creative_id: 'ID of the creative, as in its bid',
  price_bucket:
    'what the publisher is paid, rounded down to one of these steps in USD CPM: 0, 0.5, 1, 2, 5, 10, 20',
  ...privacyMacros,
} as const;

export type MeasurementMacro = keyof typeof measurementMacros;

export const measurementMacroNames = Object.keys(measurementMacros) as readonly MeasurementMacro[];
