/** How much a brand takes. */
export const brandLimits = {
  colours: 5,
  /** Pixels of a corner. */
  radius: { least: 0, most: 24, usual: 8 },
  /** Pixels of a logo. */
  width: { least: 16, most: 300, usual: 140 },
  toneLength: 300,
  linkLength: 2_000,
  altLength: 500,
  /** Blocks of a header or a footer. */
  parts: 10,
  /** Characters of the JSON of a header or a footer. */
  blocksLength: 16_384,
  socialLinks: 10,
  /** The length of one text that recipients read in place of the service's words. */
  wordLength: 300,
} as const
