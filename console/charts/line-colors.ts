/** Colours of lines, in their order; apart from each other for colour-blind people, too, and from the ground in both schemes. */
export const lineColors = ['#4c6ef5', '#0ca678', '#f08c00', '#e64980', '#15aabf', '#9c36b5'] as const;
