/** Corrects the spelling of words that a field takes, such as `form submitted`. */
import { type Refusal, refuse } from '../core/errors.ts'
import type { Operation } from '../core/operation.ts'

/** The most characters of a word that is corrected. */
const longest = 64

interface Field {
  enum?: readonly unknown[]
  items?: { enum?: readonly unknown[] }
}

/**
 * The refusal with a fix that repeats the call, if each unknown word has the letters and digits of a
 * known one. Only the fields that change are among the fix's arguments. A word that is merely similar
 * to a known one is not corrected, because it may mean something else.
 */
export function withMendedWords(
  refusal: Refusal,
  { name, input: { properties } }: Pick<Operation, 'name' | 'input'>,
  input: Readonly<Record<string, unknown>>,
): Refusal {
  if (refusal.details.fix !== undefined) return refusal
  const mended: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(properties as Record<string, Field>)) {
    if (!Object.hasOwn(input, key)) continue
    const value = input[key]
    const better = mendedValue(field, value)
    if (better === undefined) return refusal
    if (better !== value) mended[key] = better
  }
  if (Object.keys(mended).length === 0) return refusal
  const fix = { tool: name, arguments: mended }
  return refuse(refusal.code, refusal.message, { ...refusal.details, fix })
}

/** The value itself if nothing is to be mended; undefined if a word cannot be corrected. */
function mendedValue({ enum: words, items }: Field, value: unknown): unknown {
  if (words) return mendedWord(words, value)
  if (!items?.enum || !Array.isArray(value) || value.length > items.enum.length) return value
  const all = value.map((entry) => mendedWord(items.enum ?? [], entry))
  if (all.includes(undefined)) return undefined
  return all.every((entry, index) => entry === value[index]) ? value : [...new Set(all)]
}

function mendedWord(words: readonly unknown[], value: unknown): unknown {
  if (words.includes(value)) return value
  if (typeof value !== 'string' || value.length > longest) return undefined
  const letters = lettersOf(value)
  return words.find((word) => typeof word === 'string' && lettersOf(word) === letters)
}

const lettersOf = (word: string) => word.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
