/** A reason as people read it: `below_floor` as "below floor". */
export const reasonText = (name: string): string => name.replaceAll('_', ' ');
