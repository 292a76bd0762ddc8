/** Statements made of statements: what two of them share, or what a caller's words come to. */

import { createHash } from 'node:crypto'
import type { Sql } from './types.ts'

/**
 * A statement like `sql`, in which a value may be a statement itself: its text stands in its
 * place, with its parameters counted on.
 */
export function sqlWithin(strings: TemplateStringsArray, ...parts: unknown[]): Sql {
  const values: unknown[] = []
  let text = ''
  for (const [i, string] of strings.entries()) {
    text += string
    if (i === parts.length) break
    const part = parts[i]
    if (isStatement(part)) {
      text += countedOn(part, values.length)
      values.push(...part.values)
    } else {
      values.push(part)
      text += `$${values.length}`
    }
  }
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22)
  return { name, text, values }
}

/**
 * Conditions of which all hold (`and`), or one does (`or`). It is sent unnamed, and so is what it
 * stands in to be (`plannedAnew`): a caller may make as many different ones as they like.
 */
export function joined(conditions: readonly Sql[], word: 'and' | 'or'): Sql {
  const values: unknown[] = []
  const texts = conditions.map((one) => {
    const text = countedOn(one, values.length)
    values.push(...one.values)
    return text
  })
  return { name: '', text: `(${texts.join(` ${word} `)})`, values }
}

/** Its text, where so many parameters stand before its own. */
function countedOn(statement: Sql, before: number): string {
  return statement.text.replace(/\$(\d+)/g, (_, n) => `$${Number(n) + before}`)
}

function isStatement(part: unknown): part is Sql {
  return typeof part === 'object' && part !== null && 'text' in part && 'values' in part
}
