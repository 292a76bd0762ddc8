import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../tests/support/properties.ts'
import { burstMs, hiddenMs, machinesAmong, type VisitFacts } from './machine-visits.ts'

const start = Date.UTC(2026, 10, 20, 10)

interface VisitSketch {
  /** The index of the link; null is the one that is invisible to people. */
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

/** The definition, implemented literally: slow, and obviously right. */
function asDefined(visits: readonly VisitFacts[]): boolean[] {
  return visits.map((facts) => {
    const at = facts.at.getTime()
    const hidden = visits.some(({ linkHash, visitor, at: seen }) => {
      const time = seen.getTime()
      return (
        linkHash === null &&
        visitor.equals(facts.visitor) &&
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
      return facts.links > 1 && links.size >= facts.links
    })
    return facts.machine || hidden || burst
  })
}

test('the fast judgement of visits agrees with the definition for any visits', () => {
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
      const sorted = all
        .map((entry) => visit({ ...entry, links }))
        .toSorted((a, b) => +a.at - +b.at)
      assert.deepEqual(machinesAmong(sorted), asDefined(sorted))
    }),
    { numRuns: 2_000 },
  )
})

test('in a message with very many links, following part of them within two seconds marks a machine', () => {
  const followed = (count: number) =>
    Array.from({ length: count }, (_, link) => visit({ link, ms: link * 10, links: 200 }))
  assert.ok(machinesAmong(followed(24)).every((entry) => !entry))
  assert.ok(machinesAmong(followed(25)).every((entry) => entry))
})

/** CPU milliseconds, the least of three runs, so that other work on the machine does not count. */
function cost(visits: readonly VisitFacts[]): number {
  const times = [1, 2, 3].map(() => {
    const before = process.threadCpuUsage()
    machinesAmong(visits)
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...times)
}

test('judging ten times as many visits within two seconds takes about ten times as long', () => {
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
