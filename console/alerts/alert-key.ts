/** The entity of alerts. */
export const alertKey = 'Alert';
