/** Statements about past volume that wait for the operator. What is wrong is thrown as a Refusal. */
import { pastVolume } from '../../config/past-volume.ts'
import { refuse } from '../../core/errors.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { findHolder } from '../model/claim-queries.ts'
import { readDomainName } from '../model/domain-name.ts'
import type { VolumeOfDomain, WaitingVolume } from './volume.ts'
import { decideVolume, findVolume, listWaitingVolumes, withdrawVolume } from './volume-queries.ts'

/** The oldest first. */
export const waitingVolumes = (db: Db): Promise<WaitingVolume[]> =>
  listWaitingVolumes(db, pastVolume.listed)

export async function answerVolume(
  tx: Tx,
  waiting: VolumeOfDomain,
  answer: { approved: number | null; answer: string | null; now: Date },
): Promise<void> {
  if ((await decideVolume(tx, waiting, answer)) === 0) throw nothingWaits(waiting.domain)
}

/** The statement that waits, or the one that was answered in just this way. */
export async function waitingOrSame(
  db: Db,
  text: string,
  { approved, answer }: Pick<VolumeOfDomain, 'approved' | 'answer'>,
): Promise<VolumeOfDomain> {
  const statement = await statementOf(db, text)
  if (statement.decidedAt && (statement.approved !== approved || statement.answer !== answer)) {
    throw nothingWaits(statement.domain)
  }
  return statement
}

export async function waitingOf(db: Db, text: string): Promise<VolumeOfDomain> {
  const statement = await statementOf(db, text)
  if (statement.decidedAt) throw nothingWaits(statement.domain)
  return statement
}

export async function approvedOf(db: Db, text: string): Promise<VolumeOfDomain> {
  const statement = await statementOf(db, text)
  if (statement.approved === null) throw nothingApproved(statement.domain)
  return statement
}

export async function withdrawApproval(
  tx: Tx,
  approved: VolumeOfDomain,
  answer: { answer: string | null; now: Date },
): Promise<void> {
  if ((await withdrawVolume(tx, approved, answer)) === 0) throw nothingApproved(approved.domain)
}

/** Only the business that holds the name counts: another one may have lost it since. */
async function statementOf(db: Db, text: string): Promise<VolumeOfDomain> {
  const read = await readDomainName(text)
  const holder = await findHolder(db, read.name)
  if (!holder) {
    throw refuse('not_found', `No business has verified ${read.name}.`, { field: 'domain' })
  }
  const key = { businessId: holder.businessId, domainId: holder.id }
  const volume = await findVolume(db, key)
  if (!volume) throw nothingWaits(read.name)
  return { ...volume, ...key, domain: read.name }
}

const nothingWaits = (domain: string) =>
  refuse('conflict', `No statement about ${domain} waits for an answer.`, {
    field: 'domain',
    data: { reason: 'nothing_waits' },
  })

const nothingApproved = (domain: string) =>
  refuse('conflict', `No statement about ${domain} is approved.`, {
    field: 'domain',
    data: { reason: 'nothing_waits' },
  })
