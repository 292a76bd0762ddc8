/** A business that calls an operation as often as its connections may, with the largest inputs. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Operation } from 'crier-server/core/operation.ts'
import type { Belongings } from '../../operations/support/belongings.ts'
import { lines } from '../../operations/support/lines.ts'

export interface Flooded {
  answered: number
  refused: number
  /** Answered with 429. */
  limited: number
  /** Not answered within ten seconds of the end. */
  failed: number
  /** The first error before the end. */
  fault: string | undefined
}

export interface FloodOrder {
  endpoint: string
  tokens: readonly string[]
  body: string
  seconds: number
  /** Of each connection: 600 a minute are allowed. */
  callsPerSecond: number
}

export async function flood(order: FloodOrder): Promise<Flooded> {
  const thread = new Worker(new URL('./flood-thread.ts', import.meta.url), { workerData: order })
  // Wait for both at once, because the last message may arrive in the same tick as the exit.
  const [[flooded]] = await Promise.all([once(thread, 'message'), once(thread, 'exit')])
  return flooded as Flooded
}

/** The body of a call to the tool endpoint; `__N__` is replaced by a new number in each call. */
export function floodBody({ name, input }: Operation, own: Belongings): string {
  const properties = input.properties as Record<string, { maximum?: number }>
  const limit = properties['limit']?.maximum
  const sample = lines[name]?.sample(own) ?? {}
  const most = limit === undefined ? {} : { limit }
  const args = { ...sample, ...most, ...largest[name]?.(own) }
  const params = { name: `svc.v1.${name}`, arguments: args }
  return JSON.stringify({ jsonrpc: '2.0', method: 'tools/call', id: 1, params })
}

/** A page whose style rules times elements are more work than a check may take. */
export function hostileHtml(): string {
  const rules = Array.from({ length: 4_000 }, (_, i) => `.a${i} b i{top:${i}px}`).join('')
  const room = 250_000 - rules.length
  return `<p>__N__</p><style>${rules}</style>${'<b><i>x</i></b>'.repeat(Math.floor(room / 15))}`
}

const words = (characters: number) => 'many words '.repeat(characters / 11)

const largest: Record<string, (own: Belongings) => Record<string, unknown>> = {
  'contact.upsert': () => ({
    email: 'flood-__N__@example.com',
    attributes: Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`key${n}`, words(200)])),
  }),
  'contact.import': () => ({
    contacts: Array.from({ length: 10_000 }, (_, n) => ({ email: `f-__N__-${n}@example.com` })),
  }),
  'template.save': () => ({ name: 'Flood __N__', subject: 'x', html: hostileHtml() }),
  'campaign.generate': () => ({
    channel: 'email',
    content: { subject: 'Flood __N__', html: hostileHtml() },
  }),
  'campaign.save': () => ({ content: { subject: 'Flood __N__', html: hostileHtml() } }),
  'email.send': () => ({
    to: 'flood-__N__@example.com',
    contact_id: undefined,
    subject: 'Flood __N__',
    text: undefined,
    html: `<p>${words(500_000)}</p>`,
  }),
  'form.submit': ({ form_id }) => ({
    form_id,
    fields: { email: 'flood-__N__@example.com', message: words(990) },
  }),
}
