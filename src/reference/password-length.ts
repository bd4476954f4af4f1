/** In characters: NIST SP 800-63B asks for 8 at least; the most bounds work. */
export const passwordLength = { min: 8, max: 1024 } as const;
