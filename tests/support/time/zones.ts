/** A time zone in which it is now this hour, whenever a test runs. */
export function zoneWhereItIs(hour: number, now = new Date()): string {
  const ahead = ((hour - now.getUTCHours() + 36) % 24) - 12
  // The signs are inverted: POSIX counts the hours behind Greenwich.
  return ahead === 0 ? 'UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}
