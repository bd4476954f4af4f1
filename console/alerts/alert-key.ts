export const alertKey = 'Alert';
