/** What the properties of an event must be: read from what a caller wrote, and compared. */
import { isObject } from '../../lib/text/i-json.ts'

export const propertyLimits = {
  /** Properties that one `where` compares. */
  comparisons: 10,
  /** Values of one comparison with `in`. */
  values: 50,
  valueLength: 200,
} as const

export type Value = string | number | boolean

/** What a property must be; `entry` compares it with a property of the event that let the person in. */
export type Comparison =
  | { is: Value }
  | { in: readonly Value[] }
  | { gt: number }
  | { lt: number }
  | { contains: string }
  | { entry: string }

/** Comparisons by the property's path, such as `properties.cart_id`; all of them must hold. */
export type PropertyRules = Readonly<Record<string, Comparison>>

const comparisons = ['is', 'in', 'gt', 'lt', 'contains'] as const

export interface WhereFault {
  path: string
  /** What is right, to stand after the path. */
  rule: string
}

/**
 * The first fault of rules as a caller wrote them. Paths have one or two levels below `properties`;
 * `entry` is for what happens inside of a sequence.
 */
export function whereFault(
  written: unknown,
  at: string,
  hasEntry: boolean,
): WhereFault | undefined {
  if (!isObject(written)) return { path: at, rule: 'must be an object.' }
  const paths = Object.keys(written)
  const { comparisons: maximum } = propertyLimits
  if (paths.length < 1 || paths.length > maximum) {
    return { path: at, rule: `must have 1 to ${maximum} properties.` }
  }
  const operators = hasEntry ? [...comparisons, 'entry'] : comparisons
  for (const path of paths) {
    const [root, ...keys] = path.split('.')
    if (root !== 'properties' || keys.length < 1 || keys.length > 2 || keys.includes('')) {
      return {
        path: at,
        rule: `names properties such as properties.plan or properties.cart.id, not ${JSON.stringify(path.slice(0, 80))}.`,
      }
    }
    if (!isComparison(written[path], hasEntry)) {
      return {
        path: `${at}.${path}`,
        rule: `must be one of ${operators.join(', ')} with a value.`,
      }
    }
  }
  return undefined
}

function isComparison(written: unknown, hasEntry: boolean): boolean {
  if (!isObject(written)) return false
  const [entry, ...more] = Object.entries(written)
  if (!entry || more.length > 0) return false
  const [op, value] = entry
  const { values } = propertyLimits
  switch (op) {
    case 'is':
      return isValue(value)
    case 'in':
      return (
        Array.isArray(value) && value.length > 0 && value.length <= values && value.every(isValue)
      )
    case 'gt':
    case 'lt':
      return typeof value === 'number'
    case 'contains':
      return isShortText(value)
    default:
      return op === 'entry' && hasEntry && isShortText(value)
  }
}

const isValue = (value: unknown): value is Value =>
  typeof value === 'string'
    ? value.length <= propertyLimits.valueLength
    : typeof value === 'number' || typeof value === 'boolean'

const isShortText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= propertyLimits.valueLength

/** Whether the properties of an event are as `where` asks, beside those of the entry. */
export function fitsWhere(
  where: PropertyRules | undefined,
  properties: Readonly<Record<string, unknown>>,
  entry: Readonly<Record<string, unknown>> = {},
): boolean {
  return Object.entries(where ?? {}).every(([path, comparison]) => {
    const value = propertyAt(properties, path.split('.').slice(1))
    if ('is' in comparison) return value === comparison.is
    if ('in' in comparison) return comparison.in.includes(value as Value)
    if ('gt' in comparison) return typeof value === 'number' && value > comparison.gt
    if ('lt' in comparison) return typeof value === 'number' && value < comparison.lt
    if ('contains' in comparison) {
      const part = comparison.contains.toLowerCase()
      return typeof value === 'string' && value.toLowerCase().includes(part)
    }
    return value !== undefined && value === propertyAt(entry, comparison.entry.split('.'))
  })
}

/** The value at a path of one or two keys; undefined where there is none. */
export function propertyAt(properties: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    properties,
  )
}
