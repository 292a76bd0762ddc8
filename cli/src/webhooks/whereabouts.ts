/** The business that is listened to, and the slug in its server's headers. */
import type { Client } from '@crier-mail/sdk'
import { CommandError } from '../failure.ts'

export interface Whereabouts {
  business: { business_id: string; name: string }
  slug: string
}

export async function whereabouts(
  client: Client,
  asked: string | undefined,
  signal: AbortSignal,
): Promise<Whereabouts> {
  const { businesses } = await client.business.list({}, { signal })
  const fitting = businesses.filter((entry) => asked === undefined || entry.business_id === asked)
  const [business, another] = fitting
  if (!business) {
    const which = asked === undefined ? 'a business' : `the business ${asked}`
    throw new CommandError('not_found', `This connection does not reach ${which}.`)
  }
  if (another) {
    const choices = fitting.map(({ business_id, name }) => ({ business_id, name }))
    const list = choices.map(({ business_id, name }) => `${business_id} (${name})`).join(', ')
    throw new CommandError('usage', `Which business? Add --business with one of ${list}.`, {
      choices,
      hint: `crier webhooks listen --business ${business.business_id}`,
    })
  }
  const { tools } = await client.meta.capabilities({}, { signal })
  return { business, slug: tools[0]?.name.split('.')[0] ?? 'svc' }
}
