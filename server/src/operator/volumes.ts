/** `crier domains volume`: what owners say they sent before, and the operator's answer. */
import { pastVolume } from '../config/past-volume.ts'
import type { Config } from '../config.ts'
import { isRefusal, refuse } from '../core/errors.ts'
import { formatId } from '../core/ids.ts'
import { recordAudit } from '../events/audit.ts'
import type { Database } from '../lib/db/types.ts'
import type { Clock } from '../lib/time/clock.ts'
import { dayOf, headStartOf } from '../messages/throttle/stream.ts'
import { giveHeadStart } from '../messages/throttle/stream-queries.ts'
import { findHolder } from '../sender-domains/model/claim-queries.ts'
import { readDomainName } from '../sender-domains/model/domain-name.ts'
import type { VolumeOfDomain } from '../sender-domains/volume/volume.ts'
import {
  decideVolume,
  findVolume,
  listWaitingVolumes,
} from '../sender-domains/volume/volume-queries.ts'

type Row = Record<string, unknown>

export interface VolumeCommands {
  /** The statements that wait, the oldest first. */
  list(): Promise<Row[]>
  /** The warm-up of the domain begins at the day that matches the number; the stated one by default. */
  approve(domain: string, wanted?: { perDay?: string | undefined }): Promise<Row>
  refuse(domain: string, wanted?: { answer?: string | undefined }): Promise<Row>
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
    const { businessId, domain } = waiting
    const now = clock.now()
    // Loaded here, because most of the operator's commands need no relays.
    const { relaysIn } = await import('../config/relays.ts')
    const { routeOf } = await import('./check-reports.ts')
    await db.tx(async (tx) => {
      const decided = await decideVolume(tx, waiting, { approved, answer, now })
      if (decided === 0) throw nothingWaits(domain)
      if (approved !== null) {
        const routes = relaysIn(config).map(routeOf)
        const start = { days: headStartOf(approved), today: dayOf(now), now }
        await giveHeadStart(tx, { routes, domain }, start)
      }
      const action = approved === null ? 'operator.refuse_volume' : 'operator.approve_volume'
      const details = approved === null ? {} : { emails_per_day: approved }
      await recordAudit(tx, [{ businessId, action, subject: domain, details }], now)
    })
  }
  return {
    async list() {
      const waiting = await listWaitingVolumes(db, pastVolume.listed)
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
      if (answer !== null && (answer === '' || answer.length > pastVolume.noteLength)) {
        const text = `The answer takes 1 to ${pastVolume.noteLength} characters.`
        throw refuse('invalid_request', text, { field: 'answer' })
      }
      await decide(waiting, { approved: null, answer })
      return { domain: waiting.domain, refused: true, answer }
    },
  }
}

/** Only the business that holds the name counts: another one may have lost it since. */
async function waitingOf(db: Database, text: string): Promise<VolumeOfDomain> {
  const read = await readDomainName(text)
  if (isRefusal(read)) throw read
  const holder = await findHolder(db, read.name)
  if (!holder) {
    throw refuse('not_found', `No business has verified ${read.name}.`, { field: 'domain' })
  }
  const key = { businessId: holder.businessId, domainId: holder.id }
  const volume = await findVolume(db, key)
  if (!volume || volume.decidedAt) throw nothingWaits(read.name)
  return { ...volume, ...key, domain: read.name }
}

const nothingWaits = (domain: string) =>
  refuse(
    'conflict',
    `No statement about ${domain} waits for an answer: crier domains volume list.`,
    { field: 'domain' },
  )

function amountOf(text: string): number {
  const amount = Number(text)
  const { least, most } = pastVolume
  if (Number.isInteger(amount) && amount >= least && amount <= most) return amount
  const words = `--per-day takes a whole number from ${least} to ${most}, not "${text}".`
  throw refuse('invalid_request', words, { field: 'per_day' })
}
