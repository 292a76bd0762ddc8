/** The limits on what strangers may send through hosted forms. */
export const hostedFormLimits = {
  /** The most bytes of a post to a hosted form. All answers have at most 50,000 characters. */
  postBytes: 256 * 1024,
  /** The age that a page may have when its form is sent. People need time to write, not days. */
  pageAgeMs: { least: 2_000, most: 24 * 3_600_000 },
  /** Submissions of hosted forms that are accepted per minute. */
  postsPerMinute: {
    /** From one network whose browser opened the hosted page first. */
    ofNetwork: 30,
    /** From one network, sent by a form on another site or by a script. */
    withoutPage: 5,
    ofForm: 300,
    /** To one form, for email addresses at one domain. */
    toDomain: 100,
  },
} as const
