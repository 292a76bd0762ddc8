/**
 * Columns of rows for `unnest`, spelt as PostgreSQL spells arrays. The driver spells an array
 * too, in twice the time: it asks of each value what it is. A set of rows as one JSON text
 * takes the server half as long again, which reads it twice.
 */
import type { Id, Noun } from './ids.ts'

/** Any texts: for `text[]`, and for `json[]` of texts that are JSON. */
export function texts(values: readonly (string | null)[]): string {
  return `{${values.map((value) => (value === null ? 'NULL' : quoted(value))).join()}}`
}

/** For `uuid[]`: an id holds nothing that wants quotes. */
export function ids(values: readonly (Id<Noun> | null)[]): string {
  return `{${values.map((id) => id ?? 'NULL').join()}}`
}

/** A text within an array. */
export function quoted(text: string): string {
  return `"${special.test(text) ? text.replace(everySpecial, '\\$&') : text}"`
}

const special = /["\\]/
const everySpecial = /["\\]/g
