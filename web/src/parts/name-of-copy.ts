import { words } from '../words/words.ts'

const suffixes = / \((?:copy|Kopie|copie)(?: \d{1,3})?\)$/

/** The name of a copy in the reader's language; a copy of a copy does not get the suffix twice. */
export function nameOfCopy(name: string, longest: number, number = 1): string {
  const suffix = words.copySuffix(number)
  return `${name.replace(suffixes, '').slice(0, longest - suffix.length)}${suffix}`
}
