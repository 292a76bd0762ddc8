/** A business with contacts and a campaign to them, for tests through the entry points. */
import { setBusiness } from 'crier-server/accounts/settings/settings.ts'
import { parseId } from 'crier-server/core/ids.ts'
import { type OwnTestbed, openTestbed } from '../../operations/support/testbed.ts'
import type { EntryCaller, ToolCaller } from '../clients/tool-caller.ts'
import type { ServiceOptions } from '../processes/service.ts'

export interface Drafted {
  campaign_id: string
  status: string
  warnings: string[]
}

export const news = {
  subject: 'News, {{ contact.name }}',
  html: '<p>Hello {{ contact.name | default: "you" }}, here is what is new.</p>',
}

export const yes = { status: 'subscribed', source: 'checkout page' } as const

/** A time zone where it is just past noon, so that texts may be sent. */
export function noonZone(): string {
  const west = new Date().getUTCHours() - 12
  return west === 0 ? 'Etc/GMT' : `Etc/GMT${west > 0 ? '+' : '-'}${Math.abs(west)}`
}

export function openCampaignTestbed(options: ServiceOptions = {}): Promise<OwnTestbed> {
  return openTestbed({ idle: true, ...options })
}

/** A new business with its owner's connection, and helpers for campaigns. */
export async function campaignScene(
  testbed: OwnTestbed,
  tier: 'free' | 'growth' | 'scale' = 'scale',
) {
  const { businessId, owner } = await testbed.someone(tier)
  const setting = { key: 'postal_address', value: '1 Example Street', now: new Date() }
  await setBusiness(testbed.db, businessId, setting)
  return { businessId, owner, ...dealings(owner) }
}

export interface Refused {
  code: string
  message: string
  field?: string
  fix?: { tool?: string; arguments?: Record<string, unknown>; url?: string }
  /** Further data of the refusal. */
  [more: string]: unknown
}

/**
 * Deploys by the plan that a preview shows, as an assistant does. Without its hash, what a program
 * orders waits for a person.
 */
export async function deployPlanned<T>(
  caller: EntryCaller,
  input: { campaign_id: string; [more: string]: unknown },
): Promise<T> {
  const { campaign_id } = input
  const { plan_hash } = await caller.get<{ plan_hash: string }>('campaign.preview', { campaign_id })
  return caller.get<T>('campaign.deploy', { plan_hash, ...input })
}

export function dealings(owner: ToolCaller) {
  return {
    /** Returns the refusal of a call; an output fails the test. */
    async refused(operation: string, input: object) {
      const { kind, body, text } = await owner.call(operation, input)
      if (kind !== 'refusal') throw new Error(`${operation} answered ${text.slice(0, 500)}`)
      return body as unknown as Refused
    },
    /** Calls a tool by its bare name, without the versioned prefix. */
    async bare<T>(name: string, input: object) {
      const params = { name, arguments: input }
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
      const { kind, body, text } = await owner.send(JSON.stringify(call))
      if (kind !== 'answer') throw new Error(`${name}: ${text.slice(0, 500)}`)
      return body as T
    },
    draft: (input: object = {}) =>
      owner.get<Drafted>('campaign.generate', { channel: 'email', content: news, ...input }),
    /** Adds contacts who agreed to email: `who-1@example.com` and so on. */
    async subscribers(count: number, more: object = {}) {
      const contacts = Array.from({ length: count }, (_, i) => {
        return { email: `who-${i + 1}@example.com`, consent: { email: yes }, ...more }
      })
      await owner.get('contact.import', { contacts })
    },
    async contact(input: object) {
      const { contact_id } = await owner.get<{ contact_id: string }>('contact.upsert', input)
      const id = parseId('contact', contact_id)
      if (!id) throw new Error('a contact without an id')
      return id
    },
  }
}
