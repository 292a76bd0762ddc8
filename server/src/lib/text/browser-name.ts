/**
 * Which browser and system a User-Agent names, so that a person recognises their own devices. The
 * header is a stranger's text and may claim anything: only these known names come out of it.
 */

/** Browsers name those that they are like, too, so the order decides. */
const browsers: readonly (readonly [mark: string, name: string])[] = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Vivaldi/', 'Vivaldi'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
]

const systems: readonly (readonly [mark: string, name: string])[] = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['CrOS', 'ChromeOS'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
]

export function browserOf(agent: string): { browser: string | null; system: string | null } {
  return { browser: nameIn(agent, browsers), system: nameIn(agent, systems) }
}

function nameIn(
  agent: string,
  names: readonly (readonly [mark: string, name: string])[],
): string | null {
  return names.find(([mark]) => agent.includes(mark))?.[1] ?? null
}
