/** A call as a command. */

import type { Operation } from '../../core/operation.ts'
import { fieldKind } from '../../operations/field-kind.ts'
import { shellLines, shellWord } from './shell.ts'

/** Options that every command has. A field with such a name is written as a pair. */
const taken = new Set(['server', 'business', 'json', 'full'])

export function cliSample({ name, input }: Operation, given: Record<string, unknown>): string {
  const words = Object.entries(given).flatMap(([key, value]) => {
    const schema = input.properties[key]
    const kind = schema ? fieldKind(schema) : 'json'
    const flag = `--${key.replaceAll('_', '-')}`
    if (kind === 'json') return [`${flag} ${shellWord(JSON.stringify(value))}`]
    if (taken.has(key)) return [shellWord(`${key}:=${JSON.stringify(value)}`)]
    if (kind === 'list') return (value as string[]).map((text) => `${flag} ${shellWord(text)}`)
    if (kind === 'boolean') return [value === true ? flag : `${key}:=false`]
    return [`${flag} ${shellWord(String(value))}`]
  })
  return shellLines([`crier ${name.replaceAll('.', ' ')}`, ...words])
}
