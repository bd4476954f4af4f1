/** How many characters a password has: NIST SP 800-63B asks for 8 at least; the most is a bound on work. */
export const passwordLength = { min: 8, max: 1024 } as const;
