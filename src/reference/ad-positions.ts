import type { Code } from './code.ts';

/** OpenRTB `pos`: AdCOM 1.0, list Placement Positions. */
export const adPositions: readonly Code[] = [
  { Id: 0, Name: 'Unknown' },
  { Id: 1, Name: 'Above The Fold' },
  { Id: 2, Name: 'Locked (fixed position)' },
  { Id: 3, Name: 'Below The Fold' },
  { Id: 4, Name: 'Header' },
  { Id: 5, Name: 'Footer' },
  { Id: 6, Name: 'Sidebar' },
  { Id: 7, Name: 'Fullscreen' },
  { Id: 8, Name: 'Partial Screen' },
  { Id: 9, Name: 'Top Left' },
  { Id: 10, Name: 'Top Right' },
  { Id: 11, Name: 'Frame the content' },
  { Id: 12, Name: 'Double box' },
  { Id: 13, Name: 'Double box with background' },
  { Id: 14, Name: 'Bottom Left' },
  { Id: 15, Name: 'Bottom Right' },
  { Id: 16, Name: 'L shape' },
  { Id: 17, Name: 'Reversed L shape' },
];
