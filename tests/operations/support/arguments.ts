/** Arguments for an operation, about half of which are accepted. */
import type { Operation } from 'crier-server/core/operation.ts'
import { fc } from '../../support/properties.ts'
import type { Belongings } from './belongings.ts'
import { lines } from './lines.ts'
import { anything, spoiled } from './nasty.ts'
import type { Schema } from './schema.ts'
import { valuesOf } from './schema-values.ts'

const words = [
  'alpha@example.com',
  'New.Person@EXAMPLE.com',
  'no address',
  '+33 6 12 34 56 78',
  '+1 415 555 2671',
  '0612345678',
  'https://example.com/page',
  'true',
  'name',
  'subscribed',
]
const keys = [
  'email',
  'phone',
  'name',
  'message',
  'tags',
  'attributes',
  'consent',
  'constructor',
  'toString',
]

/** Some fit the schema, some are a valid call's with a change or two, and some are arbitrary. */
export function argumentsOf(
  { name, input }: Operation,
  own: Belongings,
  others: Belongings,
): fc.Arbitrary<object> {
  const sample = lines[name]?.sample(own) ?? {}
  const ids = [own, own, others].flatMap((belongings) =>
    Object.values(belongings).filter((value) => /^[a-z]{3}_/.test(value)),
  )
  const pool = { ids, words, keys }
  const fitting = valuesOf(input as Schema, pool) as fc.Arbitrary<object>
  const mixed = fc
    .tuple(fitting, fc.subarray(Object.keys(input.properties)))
    .map(([drawn, kept]) => {
      const some = Object.entries(drawn).filter(([key]) => kept.includes(key))
      return { ...sample, ...Object.fromEntries(some) }
    })
  const all = fc.oneof(
    { weight: 1, arbitrary: fitting },
    { weight: 2, arbitrary: mixed },
    { weight: 2, arbitrary: spoiled(mixed) },
    { weight: 1, arbitrary: spoiled(fc.constant(sample)) },
    { weight: 1, arbitrary: anything },
  ) as fc.Arbitrary<object>
  return all.map(withoutWait)
}

/** Without a time to wait that is accepted: hundreds of calls would wait for up to half a minute each. */
function withoutWait(input: object): object {
  const { wait, ...rest } = input as { wait?: unknown }
  return typeof wait === 'string' && /^\d+s$/.test(wait) ? rest : input
}
