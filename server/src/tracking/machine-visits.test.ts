import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../tests/support/properties.ts'
import { burstMs, hiddenMs, machinesAmong, type VisitFacts } from './machine-visits.ts'

const start = Date.UTC(2026, 10, 20, 10)

interface VisitSketch {
  /** The number of the link; null is the one that no person sees. */
  link: number | null
  ms: number
  visitor?: number
  links?: number
  machine?: boolean
}

const visit = ({ link, ms, visitor = 1, links = 3, machine = false }: VisitSketch): VisitFacts => ({
  linkHash: link === null ? null : Buffer.from([link >> 8, link & 255]),
  links,
  visitor: Buffer.from([visitor]),
  machine,
  at: new Date(start + ms),
})

/** The definition, read off word by word: slow, and plainly right. */
function asDefined(visits: readonly VisitFacts[]): boolean[] {
  return visits.map((one) => {
    const at = one.at.getTime()
    const hidden = visits.some(({ linkHash, visitor, at: seen }) => {
      const time = seen.getTime()
      return (
        linkHash === null &&
        visitor.equals(one.visitor) &&
        time >= at - hiddenMs &&
        time <= at + burstMs
      )
    })
    const burst = visits.some(({ linkHash, at: first }) => {
      const from = first.getTime()
      if (linkHash === null || from > at || at > from + burstMs) return false
      const within = visits.filter(({ at: then }) => {
        return then.getTime() >= from && then.getTime() <= from + burstMs
      })
      const links = new Set(within.flatMap((other) => other.linkHash?.toString('hex') ?? []))
      return one.links > 1 && links.size >= one.links
    })
    return one.machine || hidden || burst
  })
}

test('it judges as the definition does, whatever the visits', () => {
  const given = fc.record({
    link: fc.option(fc.nat(3), { freq: 8 }),
    ms: fc.oneof(fc.nat(200), fc.nat(8_000), fc.nat(120_000)),
    visitor: fc.nat(2),
    machine: fc.boolean(),
  })
  const links = fc.integer({ min: 0, max: 5 })
  const visits = fc.tuple(links, fc.array(given, { maxLength: 25 }))
  fc.assert(
    fc.property(visits, ([links, all]) => {
      const sorted = all.map((one) => visit({ ...one, links })).toSorted((a, b) => +a.at - +b.at)
      assert.deepEqual(machinesAmong(sorted), asDefined(sorted))
    }),
    { numRuns: 2_000 },
  )
})

test('of a message with very many links a part in two seconds is enough', () => {
  const followed = (count: number) =>
    Array.from({ length: count }, (_, link) => visit({ link, ms: link * 10, links: 200 }))
  assert.ok(machinesAmong(followed(24)).every((one) => !one))
  assert.ok(machinesAmong(followed(25)).every((one) => one))
})

/** CPU time in ms, the least of three: what else the machine does is no part of it. */
function cost(visits: readonly VisitFacts[]): number {
  const times = [1, 2, 3].map(() => {
    const before = process.threadCpuUsage()
    machinesAmong(visits)
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...times)
}

test('ten times the visits cost about ten times as much, all of them within two seconds', () => {
  const crowd = (count: number) =>
    Array.from({ length: count }, (_, n) =>
      visit({
        link: n % 7 === 0 ? null : n % 3,
        ms: Math.floor((n * 2_000) / count),
        visitor: n % 251,
        links: 5,
      }),
    )
  cost(crowd(10_000))
  const [few, many] = [cost(crowd(10_000)), cost(crowd(100_000))]
  assert.ok(many < Math.max(few, 5) * 40, `${few} ms for 10,000 visits, ${many} ms for 100,000`)
})
