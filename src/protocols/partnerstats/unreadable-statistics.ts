/** Why a partner's statistics cannot be read: a text for people, with what helps. */
export class UnreadableStatistics extends Error {}
