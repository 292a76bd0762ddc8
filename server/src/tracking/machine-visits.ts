/**
 * Which visits of a message a machine made, told by what it did: it follows every link within
 * two seconds, or the one that no person sees. One pass over visits sorted by time, so that
 * many of them cost no more than each.
 */
import { minutes, seconds } from '../lib/time/clock.ts'

/** In which a machine follows all links, and nobody else does. */
export const burstMs: number = seconds(2)
/** So long before a click and until a burst after it, a visit to the hidden link tells on it. */
export const hiddenMs: number = minutes(1)
/** No person follows so many different links in that time, however many the message has. */
const manyLinks = 25

export interface VisitFacts {
  /** Null: the link that no person sees. */
  linkHash: Buffer | null
  /** How many links the message has: the same in all of its visits. */
  links: number
  visitor: Buffer
  /** A machine by its own words. */
  machine: boolean
  at: Date
}

/** For the visits of one message, oldest first: whether each is a machine's. */
export function machinesAmong(visits: readonly VisitFacts[]): boolean[] {
  const sawHidden = hiddenVisits(visits)
  const isInBurst = bursts(visits)
  return visits.map((visit) => {
    // Both are asked about every visit: they go along with the time.
    const [hidden, burst] = [sawHidden(visit), isInBurst(visit)]
    return visit.machine || hidden || burst
  })
}

type Tells = (visit: VisitFacts) => boolean

/** Whether a visitor followed the hidden link around the time of a visit. Asked in order. */
function hiddenVisits(visits: readonly VisitFacts[]): Tells {
  const byVisitor = new Map<string, { times: number[]; seen: number }>()
  for (const { linkHash, visitor, at } of visits) {
    if (linkHash !== null) continue
    const name = visitor.toString('hex')
    const known = byVisitor.get(name)
    if (known) known.times.push(at.getTime())
    else byVisitor.set(name, { times: [at.getTime()], seen: 0 })
  }
  return ({ visitor, at }) => {
    const known = byVisitor.get(visitor.toString('hex'))
    if (!known) return false
    const { times } = known
    const time = at.getTime()
    while ((times[known.seen] ?? Number.POSITIVE_INFINITY) <= time + burstMs) known.seen++
    return (times[known.seen - 1] ?? Number.NEGATIVE_INFINITY) >= time - hiddenMs
  }
}

/** Whether some two seconds with a visit in them saw every link of the message. Asked in order. */
function bursts(visits: readonly VisitFacts[]): Tells {
  const followed = visits.flatMap(({ linkHash, at }) =>
    linkHash === null ? [] : [{ link: linkHash.toString('hex'), time: at.getTime() }],
  )
  /** How often each link was followed in the two seconds from the visit asked about. */
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
    // With one link nothing can be told.
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
