/** What strangers may send through hosted forms. */
export const hostedFormLimits = {
  /** Bytes of a post to a hosted form: all answers together have 50,000 characters at most. */
  postBytes: 256 * 1024,
  /** How old a form's hosted page may be when it is sent: people need time to write, not days. */
  pageAgeMs: { least: 2_000, most: 24 * 3_600_000 },
  /** Submissions of hosted forms that are accepted per minute. */
  postsPerMinute: {
    /** From one network that opened the page first. */
    ofNetwork: 30,
    /** From one network by a form on another site or a script. */
    withoutPage: 5,
    ofForm: 300,
    /** Of one form for addresses at one domain. */
    toDomain: 100,
  },
} as const
