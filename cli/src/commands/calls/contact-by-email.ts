/** `crier campaign why --email`: finds the contact with the address, since the operation takes an id. */
import type { Client } from '@crier-mail/sdk'
import { CommandError } from '../../failure.ts'

interface ToolCall {
  tool: string
  args: Record<string, unknown>
  signal: AbortSignal
}

/** Replaces `email` by `contact_id` in the arguments of `campaign.why`; other arguments stay. */
export async function withContactOf(
  client: Client,
  { tool, args, signal }: ToolCall,
): Promise<Record<string, unknown>> {
  const { email, ...others } = args
  if (!/(^|[._])campaign[._]why$/.test(tool) || typeof email !== 'string') return args
  const business = others['business_id']
  const input = {
    q: email,
    ...(typeof business === 'string' && { business_id: business }),
  }
  const { contacts } = await client.contact.list(input, { signal })
  const wanted = email.trim().toLowerCase()
  const found = contacts.find((contact) => contact.email?.toLowerCase() === wanted)
  if (found) return { ...others, contact_id: found.contact_id }
  throw new CommandError('not_found', `This business has no contact with the address ${email}.`, {
    hint: `crier contact list --q ${email}`,
  })
}
