/** Sends a text that needs several segments as several texts, one after the other. */
import { setTimeout as sleep } from 'node:timers/promises'
import { seconds } from '../time/clock.ts'
import { partsOf, type SmsEncoding } from './segments.ts'
import type { SmsSent } from './transport.ts'

export interface TextPart {
  body: string
  encoding: SmsEncoding
  /** Joins the parts again on the phone; undefined where there is only one part. */
  header: Buffer | undefined
  /** Whether it is the last part, whose receipt counts for the whole text. */
  last: boolean
}

/** The waits before retries when a provider asks for patience in the middle of a text. */
const patience = [0.2, 1, 3].map(seconds)

/**
 * Once one part is accepted the text has begun. It is never sent anew, since the person would get
 * the beginning twice, so a failure after that leaves it unclear.
 */
export async function sendInParts(
  text: string,
  reference: number,
  send: (part: TextPart) => Promise<SmsSent>,
): Promise<SmsSent> {
  const { encoding, parts } = partsOf(text)
  const total = parts.length
  let sent: SmsSent = { result: 'untouched', fault: 'nothing was to be sent' }
  for (const [index, body] of parts.entries()) {
    const last = index === total - 1
    const header = total > 1 ? headerOf(reference, total, index + 1) : undefined
    const part = { body, encoding, header, last }
    sent = index === 0 ? await send(part) : await sendPatiently(() => send(part))
    if (sent.result === 'accepted') continue
    if (index === 0) return sent
    const why = sent.result === 'refused' ? `${sent.code} ${sent.words}` : sent.fault
    return { result: 'unclear', fault: `part ${index + 1} of ${total} did not follow: ${why}` }
  }
  return sent.result === 'accepted' ? { segments: total, ...sent } : sent
}

async function sendPatiently(send: () => Promise<SmsSent>): Promise<SmsSent> {
  let sent = await send()
  for (const pause of patience) {
    if (sent.result !== 'refused' || sent.final) return sent
    await sleep(pause)
    sent = await send()
  }
  return sent
}

/** 3GPP TS 23.040 section 9.2.3.24.1: six octets, including the length in front. */
function headerOf(reference: number, total: number, part: number): Buffer {
  return Buffer.from([5, 0, 3, reference & 0xff, total, part])
}
