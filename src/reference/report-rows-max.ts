export const reportRowsMax = 50_000;
