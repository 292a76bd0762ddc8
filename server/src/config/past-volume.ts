/** Bounds of what an owner states about the past volume of a domain. */
export const pastVolume = {
  /** Mails a day. The second day of a warm-up: with less, there is no day to skip. */
  least: 500,
  most: 10_000_000,
  /** Characters of the owner's note, and of the operator's answer. */
  noteLength: 500,
  /** The most waiting statements that are listed, those that wait longest first. */
  listed: 200,
}
