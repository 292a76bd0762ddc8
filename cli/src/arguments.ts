/** `key=value` words as the arguments of a tool. */
import { CommandError } from './failure.ts'

/**
 * In `key=value` the value is JSON where it parses, else text; `key:=json` requires JSON. A number
 * that would not print back the same (a long id, a version such as 1.10) stays text.
 */
export function readPairs(words: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(words.map(readPair))
}

/** Parses the body given with `--json`, which must be an object. */
export function readBody(text: string): Record<string, unknown> {
  const body = parse(text)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new CommandError('usage', `--json takes a JSON object, such as '{"email":"a@b.co"}'.`)
  }
  return body as Record<string, unknown>
}

function readPair(word: string): [string, unknown] {
  const [, key, sign, text = ''] = /^([^=:\s]+)(:?=)(.*)$/s.exec(word) ?? []
  if (key === undefined) {
    throw new CommandError('usage', `"${word}" is no argument. Write key=value, or key:=json.`)
  }
  const value = parse(text)
  if (sign === ':=') {
    if (value === undefined) throw new CommandError('usage', `${key}:= takes JSON, not "${text}".`)
    return [key, value]
  }
  const faithful = typeof value !== 'number' || String(value) === text
  return [key, value === undefined || !faithful ? text : value]
}

/** Undefined is no JSON value, so it can mean that the text is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
