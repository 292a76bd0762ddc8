/** A business of a bench with running sequences. */
import { markAddresses } from '../../server/src/contacts/suppressions/hash-addresses.ts'
import { type Id, parseId } from '../../server/src/core/ids.ts'
import { openVault } from '../../server/src/core/installation/root-key.ts'
import { installationSecret } from '../../server/src/lib/crypto/vault.ts'
import { sql } from '../../server/src/lib/db/db.ts'
import { manyContacts } from '../../tests/support/businesses/campaign-drafts.ts'
import { signedDomain } from '../campaigns/signed-domain.ts'
import { campaignWords } from '../campaigns/words.ts'
import type { BenchTestbed } from '../support/testbed.ts'
import { callTool } from '../writes/support/call-tool.ts'
import { settleWriters } from '../writes/support/writers.ts'

/** How many sequences people are inside of. */
export const count = 20
export const domain = 'shop.example'
export const connections = 20

export interface SequencesPlace {
  businessId: Id<'business'>
  /** Connections of the business, and those of another one. */
  tokens: readonly string[]
  otherTokens: readonly string[]
}

/** Two businesses with as many connections each. */
export async function settleBusinesses(
  testbed: BenchTestbed,
  perBusiness: number,
): Promise<SequencesPlace> {
  const { db, dataDir } = testbed
  const { businessIds, tokens } = await settleWriters(testbed, {
    businesses: 2,
    connections: 2 * perBusiness,
  })
  const [businessId] = businessIds
  if (!businessId) throw new Error('nobody was settled')
  await db.run(sql`
    update businesses set postal_address = '1 Example Street', deploy_limit = null
    where id = any(${businessIds}::uuid[])
  `)
  await signedDomain(db, dataDir, { businessId, name: domain })
  return {
    businessId,
    tokens: tokens.filter((_, n) => n % 2 === 0),
    otherTokens: tokens.filter((_, n) => n % 2 === 1),
  }
}

/** Adds people who agreed, with the marks that saving them would have made. */
export async function addPeople(
  { db, dataDir }: BenchTestbed,
  businessId: Id<'business'>,
  people: number,
): Promise<void> {
  await manyContacts(db, businessId, people)
  const { hmac } = await openVault(db, installationSecret(dataDir), new Date())
  await markAddresses(db, hmac, businessId)
}

/** Saves a sequence as a client does, previews it and starts it by that plan. */
export async function startSequence(
  testbed: BenchTestbed,
  token: string,
  definition: object,
): Promise<Id<'sequence'>> {
  const call = <T>(name: string, args: object) => callTool<T>(testbed, token, name, args)
  const { sequence_id } = await call<{ sequence_id: string }>('sequence.save', definition)
  const { plan_hash } = await call<{ plan_hash: string }>('sequence.preview', { sequence_id })
  const { status } = await call<{ status: string }>('sequence.start', { sequence_id, plan_hash })
  const id = parseId('sequence', sequence_id)
  if (!id || status !== 'running') throw new Error(`the sequence is ${status}`)
  return id
}

/** The mail of the campaigns, as a step. */
export async function mailStep(testbed: BenchTestbed, token: string): Promise<object> {
  const saved = await callTool<{ template_id: string }>(testbed, token, 'template.save', {
    name: 'News',
    ...campaignWords,
  })
  return { send: { template_id: saved.template_id } }
}

/** Tells of one event each of these people. */
export async function track(
  testbed: BenchTestbed,
  token: string,
  { event, emails }: { event: string; emails: readonly string[] },
): Promise<void> {
  const events = emails.map((email) => ({ contact: { email }, event }))
  await callTool(testbed, token, 'contact.track', { events })
}
