/** Statements about past volume that wait for the operator. What is wrong is thrown as a Refusal. */
import { pastVolume } from '../../config/past-volume.ts'
import { isRefusal, refuse } from '../../core/errors.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { findHolder } from '../model/claim-queries.ts'
import { readDomainName } from '../model/domain-name.ts'
import type { VolumeOfDomain } from './volume.ts'
import { decideVolume, findVolume, listWaitingVolumes } from './volume-queries.ts'

/** The oldest first. */
export const waitingVolumes = (db: Db): Promise<VolumeOfDomain[]> =>
  listWaitingVolumes(db, pastVolume.listed)

export async function answerVolume(
  tx: Tx,
  waiting: VolumeOfDomain,
  answer: { approved: number | null; answer: string | null; now: Date },
): Promise<void> {
  if ((await decideVolume(tx, waiting, answer)) === 0) throw nothingWaits(waiting.domain)
}

/** Only the business that holds the name counts: another one may have lost it since. */
export async function waitingOf(db: Db, text: string): Promise<VolumeOfDomain> {
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
