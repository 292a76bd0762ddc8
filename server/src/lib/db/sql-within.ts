/**
 * Statements composed of other statements: shared parts, and conditions compiled from a caller's
 * input.
 */

import { createHash } from 'node:crypto'
import type { Sql } from './types.ts'

/**
 * Like `sql`, but a value may be a statement itself: its text is inserted, with its parameters
 * renumbered.
 */
export function sqlWithin(strings: TemplateStringsArray, ...inserts: unknown[]): Sql {
  const values: unknown[] = []
  let text = ''
  for (const [i, string] of strings.entries()) {
    text += string
    if (i === inserts.length) break
    const insert = inserts[i]
    if (isStatement(insert)) {
      text += countedOn(insert, values.length)
      values.push(...insert.values)
    } else {
      values.push(insert)
      text += `$${values.length}`
    }
  }
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22)
  return { name, text, values }
}

/**
 * Joins conditions by `and` or `or`. The statement that contains them must be sent unnamed
 * (`plannedAnew`), because callers can create any number of different ones.
 */
export function joined(conditions: readonly Sql[], word: 'and' | 'or'): Sql {
  const values: unknown[] = []
  const texts = conditions.map((condition) => {
    const text = countedOn(condition, values.length)
    values.push(...condition.values)
    return text
  })
  return { name: '', text: `(${texts.join(` ${word} `)})`, values }
}

/** The statement's text with its parameters renumbered to follow `before` others. */
function countedOn(statement: Sql, before: number): string {
  return statement.text.replace(/\$(\d+)/g, (_, n) => `$${Number(n) + before}`)
}

function isStatement(part: unknown): part is Sql {
  return typeof part === 'object' && part !== null && 'text' in part && 'values' in part
}
