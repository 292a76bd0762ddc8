/** `crier domains volume`: what owners say they sent before, and the operator's answer. */
import { pastVolume } from '../config/past-volume.ts'
import type { Config } from '../config.ts'
import { refuse } from '../core/errors.ts'
import { formatId } from '../core/ids.ts'
import type { Database } from '../lib/db/types.ts'
import type { Clock } from '../lib/time/clock.ts'
import { headStartOf } from '../messages/throttle/stream.ts'
import type { VolumeOfDomain } from '../sender-domains/volume/volume.ts'
import { approvedOf, waitingOf, waitingVolumes } from '../sender-domains/volume/waiting.ts'

type Row = Record<string, unknown>

export interface VolumeCommands {
  /** The statements that wait, the oldest first. */
  list(): Promise<Row[]>
  /** The warm-up of the domain begins at the day that matches the number; the stated one by default. */
  approve(domain: string, wanted?: { perDay?: string | undefined }): Promise<Row>
  refuse(domain: string, wanted?: { answer?: string | undefined }): Promise<Row>
  /** Takes an approval back. */
  withdraw(domain: string, wanted?: { answer?: string | undefined }): Promise<Row>
}

interface Parts {
  db: Database
  config: Config
  clock: Clock
}

export function volumeCommands({ db, config, clock }: Parts): VolumeCommands {
  const decide = async (
    waiting: VolumeOfDomain,
    { approved, answer }: { approved: number | null; answer: string | null },
  ): Promise<void> => {
    const now = clock.now()
    // Loaded here, because most of the operator's commands need no relays.
    const { relaysIn } = await import('../config/relays.ts')
    const { routeOf } = await import('./check-reports.ts')
    const { decideStatement } = await import('../status/operating/decide-volume.ts')
    const routes = relaysIn(config).map(routeOf)
    await db.tx((tx) => decideStatement(tx, waiting, { approved, answer, routes, now }))
  }
  return {
    async list() {
      const waiting = await waitingVolumes(db)
      return waiting.map(({ domain, businessId, emailsPerDay, note, statedAt }) => ({
        domain,
        business_id: formatId('business', businessId),
        emails_per_day: emailsPerDay,
        note,
        stated_at: statedAt,
      }))
    },

    async approve(domain, { perDay } = {}) {
      const waiting = await waitingOf(db, domain)
      const approved = perDay === undefined ? waiting.emailsPerDay : amountOf(perDay)
      await decide(waiting, { approved, answer: null })
      const beginsAt = headStartOf(approved) + 1
      return { domain: waiting.domain, approved_per_day: approved, begins_at_day: beginsAt }
    },

    async refuse(domain, { answer = null } = {}) {
      const waiting = await waitingOf(db, domain)
      refuseLength(answer)
      await decide(waiting, { approved: null, answer })
      return { domain: waiting.domain, refused: true, answer }
    },

    async withdraw(domain, { answer = null } = {}) {
      refuseLength(answer)
      const approved = await approvedOf(db, domain)
      const { withdrawDecision } = await import('../status/operating/decide-volume.ts')
      await db.tx((tx) => withdrawDecision(tx, approved, { answer, now: clock.now() }))
      return { domain: approved.domain, withdrawn: true, answer }
    },
  }
}

function refuseLength(answer: string | null): void {
  if (answer === null || (answer !== '' && answer.length <= pastVolume.noteLength)) return
  const text = `The answer takes 1 to ${pastVolume.noteLength} characters.`
  throw refuse('invalid_request', text, { field: 'answer' })
}

function amountOf(text: string): number {
  const amount = Number(text)
  const { least, most } = pastVolume
  if (Number.isInteger(amount) && amount >= least && amount <= most) return amount
  const words = `--per-day takes a whole number from ${least} to ${most}, not "${text}".`
  throw refuse('invalid_request', words, { field: 'per_day' })
}
