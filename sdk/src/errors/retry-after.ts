/** `Retry-After` of RFC 9110 section 10.2.3: seconds, or a date. */

/** Seconds from `now` (milliseconds), never negative; undefined if the header has no valid value. */
export function secondsToWait(header: string | null, now: number): number | undefined {
  if (header === null || header.trim() === '') return undefined
  if (/^\s*\d+\s*$/.test(header)) return Number(header)
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000))
}
