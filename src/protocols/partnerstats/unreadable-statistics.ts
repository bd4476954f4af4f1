/** A text for people, with what helps. */
export class UnreadableStatistics extends Error {}
