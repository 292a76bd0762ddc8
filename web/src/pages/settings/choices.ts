/** The values that fields of the settings suggest. */

export const zones = Intl.supportedValuesOf('timeZone').map((zone) => [zone, zone] as const)

/** The zone of a city, such as `Europe/Berlin` of “berlin”; other texts stay as they are. */
export function zoneOf(text: string): string {
  const city = text.trim().toLowerCase().replaceAll(' ', '_')
  const [found = text] = zones.find(([zone]) => zone.toLowerCase().endsWith(`/${city}`)) ?? []
  return found
}

/** The zone of the reader's browser. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
