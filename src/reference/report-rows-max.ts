/** Most rows of a report. */
export const reportRowsMax = 50_000;
