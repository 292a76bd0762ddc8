/** People who come while a campaign waits for its hour: a tenth, and in any case nine. */
export const tolerated = { share: 0.1, people: 9 } as const

/**
 * Whether an approval covers so many recipients: the person saw a number, and said yes to that. Who
 * orders a campaign in the app decides about it as it is at its hour, and has no such number.
 */
export function isCovered(recipients: number, approved: number | null): boolean {
  if (approved === null) return true
  const more = recipients - approved
  return more <= Math.max(tolerated.people, approved * tolerated.share)
}
