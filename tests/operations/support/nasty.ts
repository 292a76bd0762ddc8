/** Values that callers send without reason, and arguments that contain some. */
import { fc } from '../../support/properties.ts'

export const nastyKeys: readonly string[] = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '',
  ' ',
  'x.y',
  'x[0]',
  '/',
  '~1',
  'nul\0byte',
  '\ud800',
  'k'.repeat(300),
  'business_id',
  'idempotency_key',
]

const nasties: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  201,
  1e21,
  2 ** 53,
  1.7976931348623157e308,
  '',
  ' ',
  '\n',
  'nul\0byte',
  '\ud800',
  'x\udc00',
  '\u202eabc',
  'x'.repeat(70),
  'x'.repeat(5_000),
  '🧨'.repeat(200),
  "'; drop table contacts; --",
  '{"a":1}',
  [],
  {},
  [[]],
  [null],
  { toString: null, valueOf: null },
  Object.fromEntries([['__proto__', { admin: true }]]),
  Object.fromEntries([['constructor', { prototype: { admin: true } }]]),
  nested(31),
  nested(40),
]

function nested(levels: number): unknown {
  return levels === 0 ? 1 : levels % 2 ? [nested(levels - 1)] : { a: nested(levels - 1) }
}

const spoiling = fc.record({
  how: fc.constantFrom('replace', 'remove', 'add'),
  /** The index of the place, modulo their number. */
  at: fc.nat(1000),
  key: fc.constantFrom(...nastyKeys),
  value: fc.oneof(fc.constantFrom(...nasties), fc.jsonValue({ maxDepth: 2 })),
})
type Spoiling = typeof spoiling extends fc.Arbitrary<infer T> ? T : never

/** Arguments that fit, except in one or two places. */
export function spoiled(arguments_: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(arguments_, fc.array(spoiling, { minLength: 1, maxLength: 2 }))
    .map(([input, spoilings]) => spoilings.reduce(spoil, input))
}

/** Arguments that are an arbitrary object. */
export const anything: fc.Arbitrary<unknown> = fc
  .array(
    fc.tuple(
      fc.oneof(fc.constantFrom(...nastyKeys), fc.string()),
      fc.oneof(fc.constantFrom(...nasties), fc.jsonValue()),
    ),
    { maxLength: 5 },
  )
  .map((entries) => Object.fromEntries(entries))

function spoil(input: unknown, { how, at, key, value }: Spoiling): unknown {
  const places = placesIn(input)
  const place = places[at % places.length] ?? []
  if (how === 'add') return changed(input, place, (target) => withKey(target, key, value))
  // The arguments as a whole stay an object, or the protocol itself refuses them.
  if (place.length === 0) return input
  return how === 'replace'
    ? changed(input, place, () => value)
    : changed(input, place.slice(0, -1), (target) => without(target, place.at(-1) ?? ''))
}

type Path = readonly string[]

function placesIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, one]) => placesIn(one, [...path, key]))]
}

function changed(value: unknown, path: Path, change: (target: unknown) => unknown): unknown {
  const [first, ...rest] = path
  if (first === undefined) return change(value)
  const entries = Object.entries(value as object).map(([key, one]): [string, unknown] =>
    key === first ? [key, changed(one, rest, change)] : [key, one],
  )
  return Array.isArray(value) ? entries.map(([, one]) => one) : Object.fromEntries(entries)
}

function withKey(target: unknown, key: string, value: unknown): unknown {
  if (Array.isArray(target)) return [...target, value]
  if (typeof target !== 'object' || target === null) return value
  // Built from entries, so that `__proto__` becomes an ordinary key.
  return Object.fromEntries([...Object.entries(target), [key, value]])
}

function without(target: unknown, key: string): unknown {
  if (Array.isArray(target)) return target.filter((_, i) => String(i) !== key)
  return Object.fromEntries(Object.entries(target as object).filter(([name]) => name !== key))
}
