/** Finds names that a template outputs and that have no value. */
import { neededVariables } from './variables.ts'

/**
 * Returns the names that a `{{ }}` of the texts outputs without a default, that the call has to
 * provide, and that have no value. What the contact lacks is empty, as it is in campaigns. Whether
 * each name is reached (a condition may skip it) is known only once the template is rendered:
 * `Templates.missingIn`.
 */
export function namesWithoutValue(
  texts: readonly string[],
  names: readonly string[],
  variables: Readonly<Record<string, unknown>>,
): string[] {
  const missing = neededVariables(names).filter((name) => !hasValue(variables, name))
  if (missing.length === 0) return []
  const printed = new Set(
    texts.flatMap((text) => outputsOf(text).filter(hasNoDefault).flatMap(wordsOf)),
  )
  return missing.filter((name) => printed.has(name))
}

/** The contents between `{{` and `}}`. */
function outputsOf(text: string): string[] {
  const outputs: string[] = []
  let at = text.indexOf('{{')
  while (at >= 0) {
    const end = text.indexOf('}}', at)
    if (end < 0) break
    outputs.push(text.slice(at + 2, end))
    at = text.indexOf('{{', end)
  }
  return outputs
}

function hasNoDefault(output: string): boolean {
  const [, ...filters] = output.split('|')
  return !filters.some((filter) => filter.trimStart().startsWith('default'))
}

/** Names in the form that Liquid reports: without the numbers of items. */
function wordsOf(output: string): string[] {
  return output.replace(/\[\d{1,9}\]/g, '').split(/[^\w.-]/)
}

/** Built-in properties of lists and texts count as values. */
function hasValue(variables: Readonly<Record<string, unknown>>, name: string): boolean {
  let value: unknown = variables
  for (const key of name.split('.')) {
    if (Array.isArray(value) || (typeof value === 'string' && key === 'size')) return true
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false
    value = (value as Record<string, unknown>)[key]
  }
  return value !== null && value !== undefined
}
