/** The first variant is A. */
export const letterOf = (variant: number) => String.fromCharCode('A'.charCodeAt(0) + variant)
