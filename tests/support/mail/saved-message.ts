/** Stored messages, for tests of what is reported about them later. */
import { isRefusal } from 'crier-server/core/errors.ts'
import type { Id } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Database } from 'crier-server/lib/db/types.ts'
import type { MessageState } from 'crier-server/messages/message.ts'
import { saveMessages } from 'crier-server/messages/save.ts'
import { someOrigin } from '../businesses/business.ts'
import { testVault } from '../clients/calls.ts'

let sent = 0

/** Saves a mail to a new address, and gives it the state. */
export async function savedMessage(
  db: Database,
  businessId: Id<'business'>,
  now: Date,
  state: MessageState = 'accepted',
): Promise<Id<'message'>> {
  const words = { subject: 'A', html: null, text: 'B', variables: null, attachments: null }
  const item = {
    businessId,
    channel: 'email' as const,
    units: 1,
    tier: 'scale' as const,
    origin: someOrigin(),
    hmac: testVault.hmac,
    kind: 'transactional' as const,
    contactId: undefined,
    to: `person-${sent++}@example.com`,
    template: undefined,
    content: { ...words, trackOpens: true, trackClicks: true },
    sendAt: undefined,
    allowDuplicate: false,
  }
  const [saved] = await db.tx((tx) => saveMessages.save(tx, [item], now))
  if (!saved || isRefusal(saved)) throw new Error(JSON.stringify(saved))
  await db.run(sql`update messages set state = ${state} where id = ${saved.id}`)
  return saved.id
}
