/**
 * How much marketing a domain that has never sent any may send each day: mailboxes know
 * senders by what they have sent before, and take a stranger's flood for what it mostly is.
 */
const daily = [200, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000, 120_000]

/** The most of one UTC day, the first being 0; undefined when the domain is known. */
export function warmUpLimit(day: number): number | undefined {
  return daily[Math.max(0, day)]
}
