const daysMax = 31;

/** The longest time between an auction and what is counted of its ad; a longer `ExpiryWindow` counts as this. */
export const adLifeMinutesMax = daysMax * 24 * 60;
