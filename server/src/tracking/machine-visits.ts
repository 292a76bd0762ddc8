/**
 * Detects by their behaviour which visits to a message a machine made: it follows every link within
 * two seconds, or the hidden link. A single pass over the sorted visits keeps the cost per visit
 * constant.
 */
import { minutes, seconds } from '../lib/time/clock.ts'

/** The time in which only a machine follows all links. */
export const burstMs: number = seconds(2)
/** A visit to the hidden link marks clicks for this long after it, and for a burst before it. */
export const hiddenMs: number = minutes(1)
/** No person follows this many different links in that time, even if the message has more. */
const manyLinks = 25

export interface VisitFacts {
  /** Null for the hidden link. */
  linkHash: Buffer | null
  /** The number of links in the message, equal in all of its visits. */
  links: number
  visitor: Buffer
  /** Whether the visitor identifies itself as a machine. */
  machine: boolean
  at: Date
}

/** For a message's visits, oldest first: whether a machine made each of them. */
export function machinesAmong(visits: readonly VisitFacts[]): boolean[] {
  const sawHidden = hiddenVisits(visits)
  const isInBurst = bursts(visits)
  return visits.map((visit) => {
    // Both are evaluated for every visit, because they advance with time.
    const [hidden, burst] = [sawHidden(visit), isInBurst(visit)]
    return visit.machine || hidden || burst
  })
}

type MachineTest = (visit: VisitFacts) => boolean

/** Whether the hidden link was followed around the time of a visit. Must be called in order. */
function hiddenVisits(visits: readonly VisitFacts[]): MachineTest {
  const byVisitor = new Map<string, { times: number[]; seen: number }>()
  for (const { linkHash, visitor, at } of visits) {
    if (linkHash !== null) continue
    const name = visitor.toString('hex')
    const cached = byVisitor.get(name)
    if (cached) cached.times.push(at.getTime())
    else byVisitor.set(name, { times: [at.getTime()], seen: 0 })
  }
  return ({ visitor, at }) => {
    const cached = byVisitor.get(visitor.toString('hex'))
    if (!cached) return false
    const { times } = cached
    const time = at.getTime()
    while ((times[cached.seen] ?? Number.POSITIVE_INFINITY) <= time + burstMs) cached.seen++
    return (times[cached.seen - 1] ?? Number.NEGATIVE_INFINITY) >= time - hiddenMs
  }
}

/**
 * Whether every link was followed within some two seconds around a visit. Must be called in order.
 */
function bursts(visits: readonly VisitFacts[]): MachineTest {
  const followed = visits.flatMap(({ linkHash, at }) =>
    linkHash === null ? [] : [{ link: linkHash.toString('hex'), time: at.getTime() }],
  )
  /** How often each link was followed in the two seconds from the current visit. */
  const within = new Map<string, number>()
  let [first, next] = [0, 0]
  let burstUntil = Number.NEGATIVE_INFINITY
  return ({ at, links }) => {
    const time = at.getTime()
    for (; (followed[first]?.time ?? time) < time; first++) leave(within, followed[first]?.link)
    for (; (followed[next]?.time ?? Number.POSITIVE_INFINITY) <= time + burstMs; next++) {
      const link = followed[next]?.link ?? ''
      within.set(link, (within.get(link) ?? 0) + 1)
    }
    // With a single link nothing can be concluded.
    if (links < 2) return false
    if (within.size >= Math.min(links, manyLinks)) burstUntil = time + burstMs
    return time <= burstUntil
  }
}

function leave(within: Map<string, number>, link: string | undefined): void {
  if (link === undefined) return
  const count = within.get(link) ?? 0
  if (count <= 1) within.delete(link)
  else within.set(link, count - 1)
}
