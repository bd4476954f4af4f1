export const reportKey = 'Report';
