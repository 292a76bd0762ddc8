/** People who may change while a campaign waits for its hour: a tenth, and in any case nine. */
export const toleratedOf = (approved: number): number => Math.max(9, approved * 0.1)

/**
 * Whether an approval covers so many recipients: the person saw a number, and said yes to that. Who
 * orders a campaign in the app decides about it as it is at its hour, and has no such number.
 */
export const isCovered = (recipients: number, approved: number | null): boolean =>
  approved === null || recipients - approved <= toleratedOf(approved)
