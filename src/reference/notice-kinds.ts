/** Which notice of a bid is sent: `nurl`, `burl` or `lurl`. */
export const noticeKinds = ['win', 'billing', 'loss'] as const;
