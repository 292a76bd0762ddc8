/** The values that fields of the settings suggest. */

export const zones = Intl.supportedValuesOf('timeZone').map((zone) => [zone, zone] as const)

/** The languages in which Crier speaks to recipients, each by its own name. */
export const languages = ['ar', 'de', 'en', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt'].map(
  (tag) => [tag, new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag] as const,
)
