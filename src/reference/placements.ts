import type { Code } from './code.ts';

/** OpenRTB `video.plcmt`: AdCOM 1.0-202607, Plcmt Subtypes - Video; 0 is ours for a field not set. */
export const plcmts: readonly Code[] = [
  { Id: 0, Name: 'Unset' },
  { Id: 1, Name: 'Instream' },
  { Id: 2, Name: 'Accompanying Content' },
  { Id: 3, Name: 'Interstitial' },
  { Id: 4, Name: 'No Content/Standalone' },
  { Id: 5, Name: 'Pause' },
  { Id: 6, Name: 'Screensaver' },
  { Id: 7, Name: 'Overlay' },
  { Id: 8, Name: 'Squeezeback' },
  { Id: 9, Name: 'In-Scene' },
];

/** OpenRTB `video.placement`: AdCOM 1.0, Placement Subtypes - Video; 0 is ours for a field not set. */
export const placements: readonly Code[] = [
  { Id: 0, Name: 'Unset' },
  { Id: 1, Name: 'In-Stream' },
  { Id: 2, Name: 'In-Banner' },
  { Id: 3, Name: 'In-Article' },
  { Id: 4, Name: 'In-Feed' },
  { Id: 5, Name: 'Interstitial/Slider/Floating' },
];
