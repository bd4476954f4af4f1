import type { Code } from './code.ts';

/** OpenRTB `attr` and `battr`: AdCOM 1.0, Creative Attributes; 500 and over are vendors'. */
export const creativeAttributes: readonly Code[] = [
  { Id: 1, Name: 'Audio Ad (Autoplay)' },
  { Id: 2, Name: 'Audio Ad (User Initiated)' },
  { Id: 3, Name: 'Expandable (Automatic)' },
  { Id: 4, Name: 'Expandable (User Initiated - Click)' },
  { Id: 5, Name: 'Expandable (User Initiated - Rollover)' },
  { Id: 6, Name: 'In-Banner Video Ad (Autoplay)' },
  { Id: 7, Name: 'In-Banner Video Ad (User Initiated)' },
  { Id: 8, Name: 'Pop (e.g., Over, Under, or Upon Exit)' },
  { Id: 9, Name: 'Provocative or Suggestive Imagery' },
  { Id: 10, Name: 'Shaky, Flashing, Flickering, Extreme Animation, Smileys' },
  { Id: 11, Name: 'Surveys' },
  { Id: 12, Name: 'Text Only' },
  { Id: 13, Name: 'User Interactive (e.g., Embedded Games)' },
  { Id: 14, Name: 'Windows Dialog or Alert Style' },
  { Id: 15, Name: 'Has Audio On/Off Button' },
  { Id: 16, Name: 'Ad Provides Skip Button' },
  { Id: 17, Name: 'Adobe Flash' },
  { Id: 18, Name: 'Responsive; Sizeless; Fluid' },
  { Id: 19, Name: 'Contains advertiser QR Code' },
  { Id: 20, Name: 'Support alpha channel transparency' },
  { Id: 21, Name: 'Static Visual' },
  { Id: 22, Name: 'Limited Motion (Cinemagraph)' },
  { Id: 23, Name: 'Full-Motion Video' },
];
