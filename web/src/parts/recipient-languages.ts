/** The languages in which Crier speaks to recipients, each by its own name. */
export const languages = ['ar', 'de', 'en', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt'].map(named)

/** As countries write them, whose dates and numbers differ. */
const regional = ['de-AT', 'de-CH', 'en-GB', 'en-US', 'es-MX', 'fr-BE', 'fr-CA', 'fr-CH', 'pt-BR']

/** All of them, and the one that is set, whatever it is. */
export function languagesWith(set: string): (readonly [tag: string, name: string])[] {
  const all = [...languages, ...regional.map(named)].toSorted(([a], [b]) => a.localeCompare(b))
  const isListed = set === '' || all.some(([tag]) => tag === set)
  return isListed ? all : [...all, named(set)]
}

function named(tag: string) {
  return [tag, nameOf(tag)] as const
}

function nameOf(tag: string): string {
  try {
    return new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}
