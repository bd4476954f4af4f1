export const dealKey = 'Deal';
