import type { Code } from './code.ts';

/** OpenRTB `video.linearity`: AdCOM 1.0, list Linearity Modes; 0 is ours for a field not set. */
export const linearities: readonly Code[] = [
  { Id: 0, Name: 'Unset' },
  { Id: 1, Name: 'Linear' },
  { Id: 2, Name: 'Non-Linear (Overlay)' },
];
