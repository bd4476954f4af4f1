/** By what frequency tells viewers apart (`FrequencyKey`). */
export const frequencyKeys = { user: 0, device: 1, address: 2 } as const;

/** In the order of their codes. */
export const frequencyKeyNames = Object.keys(frequencyKeys);

/** 90 days: what `FrequencyHours` 0 stands for. */
export const frequencyHoursMax = 2160;

/** Eight bits of a counter's cell (`limits/shown-cells.ts`). */
export const frequencyCapMax = 255;
