/**
 * What jobs that send at the same time have in hand, together somewhat more than the connections
 * take. A message that is ready and waits for the jobs beside it is memory and nothing else:
 * ten jobs with all that each could use held 280 of them, and outlived collection after
 * collection. Lanes share alike; the jobs of one lane go one after the other, the next as the
 * last messages of the one before end. Side by side they came to their ends together, and
 * each time no message was under way until the next two had begun: a sixth of a campaign.
 */
export interface Share {
  /** Whether another message may be prepared; if so, it is counted. */
  take(): boolean
  /** A prepared message is done. */
  give(): void
  /** There is nothing more to prepare. */
  enough(): void
  /** Leaves, with everything that is still counted. */
  leave(): void
}

export interface Shares {
  /** `more` is called when there may be room again. */
  join(lane: string, more: () => void): Share
}

/**
 * The minimum for each lane, however many there are: one that waits for its relay must not stop
 * the others.
 */
const least = 4
/** Messages prepared ahead, so that a connection finds its next message ready. */
const ahead = 8

interface Member {
  more: () => void
  inHand: number
  wants: boolean
}

export function createShares(connections: number): Shares {
  // Twice of what is needed, because lanes whose sender is throttled do not use theirs.
  const most = 2 * (connections + ahead)
  /** The jobs of each lane, in order of arrival. */
  const lanes = new Map<string, Set<Member>>()

  const firstOf = (members: ReadonlySet<Member>) => {
    for (const member of members) if (member.wants) return member
    return undefined
  }
  const hasRoom = (members: ReadonlySet<Member>) => {
    let inHand = 0
    for (const member of members) inHand += member.inHand
    return inHand < Math.max(least, Math.ceil(most / lanes.size))
  }

  return {
    join(lane, more) {
      const members = lanes.get(lane) ?? new Set()
      lanes.set(lane, members)
      const me: Member = { more, inHand: 0, wants: true }
      members.add(me)
      const wake = () => {
        const first = firstOf(members)
        if (first !== me) first?.more()
      }
      return {
        take() {
          if (firstOf(members) !== me || !hasRoom(members)) return false
          me.inHand++
          return true
        },
        give() {
          me.inHand--
          wake()
        },
        enough() {
          if (!me.wants) return
          me.wants = false
          wake()
        },
        leave() {
          members.delete(me)
          if (members.size > 0) wake()
          else if (lanes.get(lane) === members) lanes.delete(lane)
        },
      }
    },
  }
}
