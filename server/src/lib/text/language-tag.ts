/**
 * The canonical spelling of a language tag (RFC 5646 section 4.5); undefined if the text is not
 * one. An underscore separates as well (UTS #35 section 3.2): WordPress, Drupal and PHP write
 * `pt_BR`.
 */
export function canonicalLanguageTag(tag: string): string | undefined {
  try {
    const [spelled = ''] = Intl.getCanonicalLocales(tag.trim().replaceAll('_', '-'))
    // Longer primary subtags are well formed but not in use: `French` is a mistake.
    return [2, 3].includes(spelled.split('-', 1)[0]?.length ?? 0) ? spelled : undefined
  } catch {
    return undefined
  }
}

/**
 * The tag among these that fits a language best: the language itself, else without its region,
 * script and so on, from the end (RFC 4647 section 3.4). All are in canonical spelling.
 */
export function lookUpLanguage(
  tags: Readonly<Record<string, unknown>>,
  language: string | null | undefined,
): string | undefined {
  let tag = language ?? ''
  while (tag !== '') {
    if (Object.hasOwn(tags, tag)) return tag
    tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-')))
  }
  return undefined
}
