/** `key=value` words as the arguments of a tool. */
import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { CommandError } from './failure.ts'

/**
 * In `key=value` the value is JSON where it parses, else text; `key:=json` requires JSON. A number
 * that would not print back the same (a long id, a version such as 1.10) stays text, and so does the
 * content of a file, `key=@file`.
 */
export function readPairs(words: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(words.map(readPair))
}

/** Parses the body given with `--json`, which must be an object. */
export function readBody(text: string): Record<string, unknown> {
  const body = parse(text)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new CommandError('usage', `--json must be a JSON object, such as '{"email":"a@b.co"}'.`)
  }
  return body as Record<string, unknown>
}

function readPair(word: string): [string, unknown] {
  const [, key, sign, text = ''] = /^([^=:\s]+)(:?=)(.*)$/s.exec(word) ?? []
  if (key === undefined) {
    throw new CommandError('usage', `"${word}" is no argument. Write key=value, or key:=json.`)
  }
  if (text.startsWith('@') && sign === '=') return [key, fileOr(text)]
  const value = parse(fileOr(text))
  if (sign === ':=') {
    if (value === undefined)
      throw new CommandError('usage', `${key}:= must be JSON, not "${text}".`)
    return [key, value]
  }
  const faithful = typeof value !== 'number' || String(value) === text
  return [key, value === undefined || !faithful ? text : value]
}

/**
 * `@mail.html` is the content of that file, `@-` that of stdin, and `@@text` is `@text`. A picture, and
 * whatever else is no text, is given as base64.
 */
export function fileOr(words: string): string {
  if (!words.startsWith('@')) return words
  const file = words.slice(1)
  if (file.startsWith('@')) return file
  try {
    const bytes = readFileSync(file === '-' ? 0 : file)
    return bytes.toString(isUtf8(bytes) ? 'utf8' : 'base64')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${code})`
    const text = `"${words}" names a file, and ${why}. For a text that begins with @, write "@${words}".`
    throw new CommandError('usage', text)
  }
}

/** Undefined is no JSON value, so it can mean that the text is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
