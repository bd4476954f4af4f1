import type { Code } from './code.ts';

/** OpenRTB `device.devicetype`: AdCOM 1.0, list Device Types. */
export const deviceTypes: readonly Code[] = [
  { Id: 1, Name: 'Mobile/Tablet - General' },
  { Id: 2, Name: 'Personal Computer' },
  { Id: 3, Name: 'Connected TV' },
  { Id: 4, Name: 'Phone' },
  { Id: 5, Name: 'Tablet' },
  { Id: 6, Name: 'Connected Device' },
  { Id: 7, Name: 'Set Top Box' },
  { Id: 8, Name: 'OOH Device' },
];
