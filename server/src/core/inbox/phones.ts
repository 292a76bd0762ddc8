/**
 * The phones of the built-in inbox: texts that never leave this machine. A developer sees what
 * each phone received, can type an answer, and can report a text delivered or failed as a network
 * would.
 */

import type { Db } from '../../lib/db/types.ts'
import { segmentsOf } from '../../lib/sms/segments.ts'
import type { SmsConnection, SmsListener, SmsTransport } from '../../lib/sms/transport.ts'
import { type Clock, days, later } from '../../lib/time/clock.ts'
import { createConnectionPriority } from '../../lib/transport/connection-priority.ts'
import { formatId, newId } from '../ids.ts'
import { deleteTexts, insertText, type PhoneText, setTextState } from './phone-queries.ts'

/** The sender of texts without one: a number that the North American plan reserves for fiction. */
export const inboxNumber = '+12025550100'
export const phonesRoute = 'inbox'

const keptFor = days(30)
const connections = 4

/** Deletes old texts; returns how many were deleted. */
export function sweepPhones(db: Db, now: Date): Promise<number> {
  return deleteTexts(db, later(now, -keptFor))
}

export function createPhonesTransport({ db, clock }: { db: Db; clock: Clock }): SmsTransport {
  const turns = createConnectionPriority(connections)
  const connection: SmsConnection = {
    async send({ from = inboxNumber, to, body, messageId = null }) {
      const id = newId('text')
      const { segments } = segmentsOf(body)
      const common = { id, body, segments, messageId, createdAt: clock.now() }
      await insertText(db, {
        ...common,
        phone: to,
        other: from,
        isSentByPhone: false,
        state: 'taken',
      })
      const words = 'Kept in the built-in inbox'
      return { result: 'accepted', providerId: formatId('text', id), segments, words }
    },
  }
  return {
    route: phonesRoute,
    connections,
    rate: undefined,
    use: (turn, work) => turns.take(turn, () => work(connection)),
    listen() {},
    async close() {},
  }
}

export interface PhoneDeps {
  db: Db
  clock: Clock
  /** Receives the answers that are typed on a phone, and the delivery reports. */
  listener: SmsListener
}

/** Handles an answer that somebody typed on a phone. */
export async function receiveTypedText(
  { db, clock, listener }: PhoneDeps,
  { phone, other, body }: { phone: string; other: string; body: string },
): Promise<void> {
  const id = newId('text')
  const createdAt = clock.now()
  const { segments } = segmentsOf(body)
  const common = { id, phone, other, body, segments, messageId: null, createdAt }
  await insertText(db, { ...common, isSentByPhone: true, state: 'taken' })
  const providerId = formatId('text', id)
  await listener.inbound({ from: phone, to: other, body, providerId, at: createdAt })
}

/** Reports that a text reached the phone, or that it failed. */
export async function reportDelivery(
  { db, clock, listener }: PhoneDeps,
  { id }: Pick<PhoneText, 'id'>,
  state: 'delivered' | 'failed',
): Promise<void> {
  const providerId = formatId('text', id)
  await listener.receipt({
    providerId,
    state,
    final: true,
    words: state === 'failed' ? 'The phone could not be reached.' : 'Delivered to the phone.',
    at: clock.now(),
    identity: `${providerId} ${state}`,
  })
  await setTextState(db, id, state)
}
