import type { Measure } from '../measure.ts';

/** Memory of the shared server after all measures before this one. */
export const residentMemory: Measure = {
  name: 'resident-memory',
  run: async ({ exchange }) => {
    const { server } = await exchange();
    const value = server.residentBytes() / 1e6;
    return [
      {
        title: 'Resident memory after the run',
        targets: [{ what: '', value, unit: 'megabytes', atMost: 600 }],
        details: [{ what: 'PSS', value: server.proportionalBytes() / 1e6, unit: 'megabytes' }],
      },
    ];
  },
};
