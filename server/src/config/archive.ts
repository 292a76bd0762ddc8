/** The limits of the public archives of businesses. */
export const archiveLimits = {
  titleLength: 100,
  descriptionLength: 300,
  /** Campaigns of one page of the list. */
  perPage: 20,
  /** The newest campaigns, which the feed has. */
  feedItems: 30,
  /** Characters of a mail's text that the feed shows. */
  excerptLength: 400,
  /** Seconds for which browsers and proxies may keep a page, and the feed. */
  pageSeconds: 60,
  feedSeconds: 300,
  /**
   * What one process keeps of rendered mails, so that a crowd of readers renders each once: bytes of
   * whole pages, and the number of subjects.
   */
  keptBytes: 8 * 1024 * 1024,
  keptTitles: 1_000,
} as const
