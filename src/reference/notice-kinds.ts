/** `nurl`, `burl`, `lurl`. */
export const noticeKinds = ['win', 'billing', 'loss'] as const;
