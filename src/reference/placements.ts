import type { Code } from './code.ts';

/**
 * `Placement`, and OpenRTB `video.placement`: AdCOM 1.0, list Placement Subtypes - Video (OpenRTB 2.5 section
 * 5.9), which 2.6-202303 deprecates in favour of `plcmt` and its other numbers; 0 is ours for a field not set.
 */
export const placements: readonly Code[] = [
  { Id: 0, Name: 'Unset' },
  { Id: 1, Name: 'In-Stream' },
  { Id: 2, Name: 'In-Banner' },
  { Id: 3, Name: 'In-Article' },
  { Id: 4, Name: 'In-Feed' },
  { Id: 5, Name: 'Interstitial/Slider/Floating' },
];
