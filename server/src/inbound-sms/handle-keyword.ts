/** STOP and START, for all businesses that write to the person from the number they texted. */

import { liftStop, startTexts, stopTexts } from '../contacts/consent/text-consent.ts'
import { allowNumber, stopNumber } from '../contacts/suppression/stopped-numbers.ts'
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

/** None of them writes again; nor does whoever comes to write from that number. */
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
 * Brings back what STOP took, for each business that it took it from. The one whose text it
 * is has the person's word besides. Gives whether that one may write now.
 */
export async function handleStart(
  tx: Tx,
  hmac: Hmac,
  { word, whose: { owner, sharing, senders }, now }: KeywordCall,
): Promise<boolean> {
  const { phone } = word
  await allowNumber(tx, hmac, { senders, phone })
  let started = false
  for (const businessId of sharing) {
    const { lifted, held } = await liftStop(tx, hmac, { businessId, phone })
    if (held || !(lifted || businessId === owner)) continue
    await startTexts(tx, { businessId, phone, said: saidBy(word) }, now)
    if (businessId === owner) started = true
  }
  return started
}

function saidBy({ sender, body }: Word) {
  return { source: `text to ${sender}`, text: body }
}
