/** Statements made of statements: what two of them share stands in one place. */

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
      const before = values.length
      text += part.text.replace(/\$(\d+)/g, (_, n) => `$${Number(n) + before}`)
      values.push(...part.values)
    } else {
      values.push(part)
      text += `$${values.length}`
    }
  }
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22)
  return { name, text, values }
}

function isStatement(part: unknown): part is Sql {
  return typeof part === 'object' && part !== null && 'text' in part && 'values' in part
}
