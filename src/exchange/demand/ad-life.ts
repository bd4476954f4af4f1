const daysMax = 31;

/** The longest time from an auction to its ad's last event; a longer `ExpiryWindow` counts as this. */
export const adLifeMinutesMax = daysMax * 24 * 60;
