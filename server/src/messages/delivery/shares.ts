/**
 * Limits the messages that concurrent sending jobs hold, to somewhat more than the connections can
 * use. A message that is ready early only costs memory: ten jobs that each held as many as all
 * connections can use had 280 messages, which survived one garbage collection after another. Lanes
 * get equal shares. The jobs of one lane run one after the other, and each starts as the last
 * messages of its predecessor end. When they ran side by side, they ended together and left no
 * message under way until the next two had begun, which cost a sixth of a campaign.
 */
export interface Share {
  /** Whether another message may be prepared. If so, it is counted. */
  take(): boolean
  /** Reports that a prepared message is done. */
  give(): void
  /** Reports that there is nothing more to prepare. */
  enough(): void
  /** Leaves the lane. Messages that are still counted no longer count. */
  leave(): void
}

export interface Shares {
  /** `more` is called when there may be room again. */
  join(lane: string, more: () => void): Share
}

/**
 * The minimum for each lane, however many lanes there are. A lane that waits for its relay must not
 * stop the others.
 */
const least = 4
/** Messages prepared ahead, so that a connection finds its next message ready. */
const ahead = 8

interface Member {
  more: () => void
  inHand: number
  wants: boolean
}

/** @param connections How many there are now: relays may be added while the service runs. */
export function createShares(connections: () => number): Shares {
  // Twice the need, because lanes whose sender is throttled do not use their share.
  const limit = () => 2 * (connections() + ahead)
  /** The jobs of each lane, in order of arrival. */
  const lanes = new Map<string, Set<Member>>()

  const firstOf = (members: ReadonlySet<Member>) => {
    for (const member of members) if (member.wants) return member
    return undefined
  }
  const hasRoom = (members: ReadonlySet<Member>) => {
    let inHand = 0
    for (const member of members) inHand += member.inHand
    return inHand < Math.max(least, Math.ceil(limit() / lanes.size))
  }

  return {
    join(lane, more) {
      const members = lanes.get(lane) ?? new Set()
      lanes.set(lane, members)
      const member: Member = { more, inHand: 0, wants: true }
      members.add(member)
      const wake = () => {
        const first = firstOf(members)
        if (first !== member) first?.more()
      }
      return {
        take() {
          if (firstOf(members) !== member || !hasRoom(members)) return false
          member.inHand++
          return true
        },
        give() {
          member.inHand--
          wake()
        },
        enough() {
          if (!member.wants) return
          member.wants = false
          wake()
        },
        leave() {
          members.delete(member)
          if (members.size > 0) wake()
          else if (lanes.get(lane) === members) lanes.delete(lane)
        },
      }
    },
  }
}
