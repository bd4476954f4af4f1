import type { Code } from './code.ts';

/** `Placement`, and OpenRTB `video.placement`: AdCOM 1.0, Placement Subtypes - Video; 0 is ours for a field not set. */
export const placements: readonly Code[] = [
  { Id: 0, Name: 'Unset' },
  { Id: 1, Name: 'In-Stream' },
  { Id: 2, Name: 'In-Banner' },
  { Id: 3, Name: 'In-Article' },
  { Id: 4, Name: 'In-Feed' },
  { Id: 5, Name: 'Interstitial/Slider/Floating' },
];
