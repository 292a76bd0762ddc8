/** Finds names that a text outputs and that have no value. */
import { neededVariables, ownVariables } from './variables.ts'

const ownRoots = new Set(Object.keys(ownVariables).map((name) => name.split('.')[0]))

/**
 * Returns the names that a `{{ }}` of the text outputs without a default, and that are neither our
 * own nor among the variables. A condition may use a missing variable, but an output may not.
 */
export function unknownOutputs(
  text: string,
  names: readonly string[],
  variables: Readonly<Record<string, unknown>>,
): string[] {
  const missing = neededVariables(names).filter((name) => !isGiven(variables, name))
  if (missing.length === 0) return []
  const printed = new Set(outputsOf(text).filter(hasNoDefault).flatMap(wordsOf))
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

/** Whether the variables contain it. Built-in properties of lists and texts count as contained. */
function isGiven(variables: Readonly<Record<string, unknown>>, name: string): boolean {
  const keys = name.split('.')
  if (ownRoots.has(keys[0])) return false
  let value: unknown = variables
  for (const key of keys) {
    if (Array.isArray(value) || (typeof value === 'string' && key === 'size')) return true
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false
    value = (value as Record<string, unknown>)[key]
  }
  return true
}
