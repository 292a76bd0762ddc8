/**
 * Handles STOP and START for all businesses that send to the person from the number they wrote to.
 */

import { liftStop, returnByText, startTexts, stopTexts } from '../contacts/consent/text-consent.ts'
import { allowNumber, stopNumber } from '../contacts/suppressions/stopped-numbers.ts'
import type { Hmac } from '../core/operation.ts'
import type { Tx } from '../lib/db/types.ts'
import type { Reply } from './reply.ts'
import type { Routing } from './routing.ts'

export type Word = Pick<Reply, 'phone' | 'sender' | 'body'>

interface KeywordCall {
  word: Word
  whose: Routing
  now: Date
}

interface StartCall extends KeywordCall {
  /** The text lifts a STOP, but is no consent of a person who sent none. */
  onlyLifts: boolean
}

/** Stops all of these businesses, and any business that later sends from that number. */
export async function handleStop(
  tx: Tx,
  hmac: Hmac,
  { word, whose, now }: KeywordCall,
): Promise<void> {
  const { phone } = word
  await stopNumber(tx, hmac, { senders: whose.senders, phone }, now)
  for (const businessId of whose.sharing) {
    await stopTexts(tx, hmac, { businessId, phone, said: saidBy(word) }, now)
  }
}

/**
 * Undoes a STOP for each business that it stopped. For the business that the text is routed to,
 * the text is also recorded as consent. Returns whether that business may send now.
 */
export async function handleStart(
  tx: Tx,
  hmac: Hmac,
  { word, whose: { owner, sharing, senders }, now, onlyLifts }: StartCall,
): Promise<boolean> {
  const { phone } = word
  await allowNumber(tx, hmac, { senders, phone })
  let started = false
  // Only the business that the text is routed to, not the others that share the number.
  if (owner && !onlyLifts) await returnByText(tx, hmac, { businessId: owner, phone }, now)
  for (const businessId of sharing) {
    const reasons = onlyLifts ? (['stop'] as const) : undefined
    const { lifted, held } = await liftStop(tx, hmac, { businessId, phone }, reasons)
    if (held || !(lifted || (businessId === owner && !onlyLifts))) continue
    await startTexts(tx, { businessId, phone, said: saidBy(word) }, now)
    if (businessId === owner) started = true
  }
  return started
}

function saidBy({ sender, body }: Word) {
  return { source: `text to ${sender}`, text: body }
}
