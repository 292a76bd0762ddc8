/** What the properties of an event must be: read from what a caller wrote, and compared. */
import { isObject } from '../lib/schema/is-object.ts'
import { fault, objectAt } from './fields.ts'
import { sequenceLimits } from './limits.ts'

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

/** Paths have one or two levels below `properties`. */
export function readWhere(written: unknown, at: string, hasEntry: boolean): void {
  const where = objectAt(written, at)
  const paths = Object.keys(where)
  const { comparisons: maximum } = sequenceLimits
  if (paths.length < 1 || paths.length > maximum)
    throw fault(at, `must have 1 to ${maximum} properties.`)
  for (const path of paths) {
    const [root, ...keys] = path.split('.')
    if (root !== 'properties' || keys.length < 1 || keys.length > 2 || keys.includes('')) {
      throw fault(
        at,
        `names properties such as properties.plan or properties.cart.id, not ${JSON.stringify(path.slice(0, 80))}.`,
      )
    }
    readComparison(where[path], `${at}.${path}`, hasEntry)
  }
}

function readComparison(written: unknown, at: string, hasEntry: boolean): void {
  const operators = hasEntry ? [...comparisons, 'entry'] : comparisons
  const rule = `must be one of ${operators.join(', ')} with a value.`
  const comparison = objectAt(written, at)
  const [entry, ...more] = Object.entries(comparison)
  if (!entry || more.length > 0) throw fault(at, rule)
  const [op, value] = entry
  const { values, valueLength } = sequenceLimits
  const isValue = (entry: unknown) =>
    typeof entry === 'string'
      ? entry.length <= valueLength
      : ['number', 'boolean'].includes(typeof entry)
  const isFine: Record<string, boolean> = {
    is: isValue(value),
    in: Array.isArray(value) && value.length > 0 && value.length <= values && value.every(isValue),
    gt: typeof value === 'number',
    lt: typeof value === 'number',
    contains: typeof value === 'string' && value !== '' && value.length <= valueLength,
    entry: hasEntry && typeof value === 'string' && value !== '' && value.length <= valueLength,
  }
  if (!isFine[op]) throw fault(at, rule)
}

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

function propertyAt(properties: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    properties,
  )
}
