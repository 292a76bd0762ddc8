/**
 * What a goal is about. People write goals as orders to a writer ("Tell everyone that our
 * spring menu is here. Keep it short."); what goes into the mail is what they ordered told.
 */
import { shortened } from '../copy.ts'

export interface Topic {
  /** The first sentence, without the order and without its stop: `our spring menu is here`. */
  first: string
  /** What else there is to say, sentence by sentence. */
  more: readonly string[]
  /** Sentences that speak to the writer, and are not for readers. */
  orders: readonly string[]
}

const people =
  '(?:(?:all|our|my|the|these|those|every|some|new|old|loyal|existing|regular|past|lapsed|inactive|former|dormant|lost|quiet) )*(?:them|everyone|everybody|people|customers?|subscribers?|members?|readers?|clients?|guests?|users?|contacts?|audience|list|followers|students|supporters|donors|fans|visitors|regulars|friends|locals)'

// Each is cut off once more than it was found, so that "please write an email to announce" goes.
const openings = [
  /^(?:please|kindly|hi|hello)[,!]?\s+/i,
  /^(?:can|could|would) you\s+(?:please\s+)?/i,
  /^(?:i|we)(?:'d| would)? (?:want|like|need|wish)(?: you)? to\s+/i,
  new RegExp(
    `^(?:write|draft|create|make|prepare|compose|generate|send|do)(?: me| us)?(?: out)? (?:an?|the|our|one|this)?\\s*(?:[\\w-]+ ){0,3}?(?:e-?mail|newsletter|campaign|message|text|sms|mail|mailing|note|announcement|invitation|digest)\\b(?: campaign| message)?(?: (?:to|for) ${people})?(?:[:,]| (?:about|for|on|that|which|to|announcing|saying|telling ${people}(?: about| that)?))?(?:\\s+|$)`,
    'i',
  ),
  /^(?:announce|announcing|promote|promoting|advertise|introduce|introducing|present|share|publicise|publicize|highlight|mention|say|explain)(?: to \w+)?(?: that| the news (?:that|of))?\s+/i,
  new RegExp(
    `^(?:tell|inform|remind|notify|update|thank|alert)\\s+${people}\\s+(?:about|that|of|on|for)?\\s*`,
    'i',
  ),
  new RegExp(`^let ${people} know (?:about|that|of)?\\s*`, 'i'),
  new RegExp(`^invite ${people} to\\s+`, 'i'),
  new RegExp(
    `^(?:welcome|win back|re-?engage|bring back|re-?activate)\\s+${people}\\b[\\s,]*`,
    'i',
  ),
  /^(?:with|by (?:offering|giving)(?: (?:them|you))?|and)\s+/i,
]

const order =
  /^(?:keep|use|make|include|add|write|don'?t|do not|avoid|end|start|sign|mention|ask|be|no|please)\b/i

export function topicOf(goal: string): Topic {
  const sentences = goal.match(/.+?(?:[.!?…]+(?=\s|$)|$)/gu)?.map((one) => one.trim()) ?? [goal]
  const [opening = '', ...others] = sentences.filter((one) => one !== '')
  return {
    first: withoutStop(withoutOrder(opening)),
    more: others.filter((one) => !order.test(one)),
    orders: others.filter((one) => order.test(one) && /\w+\W+\w+/.test(one)),
  }
}

function withoutOrder(sentence: string): string {
  for (let text = sentence; ; ) {
    const cut = openings.reduce((left, opening) => left.replace(opening, ''), text)
    if (cut === text) return text
    text = cut
  }
}

function withoutStop(text: string): string {
  return text.replace(/^[\s,:;–-]+|[\s.…,:;–-]+$/gu, '')
}

/** A headline of it: the first clause where the whole is long. */
export function headlineOf(first: string, most: number): string {
  const text = first
  if (text.length <= most) return text
  const clause = /^.{15,}?(?=[,;:–(]|\s-\s)/u.exec(text)?.[0].trim()
  return clause !== undefined && clause.length <= most ? clause : shortened(text, most)
}

export function capitalised(text: string): string {
  const [first = ''] = text
  return first.toLocaleUpperCase() + text.slice(first.length)
}

/** As it stands within a sentence, unless its first word is a name or a number. */
export function ended(text: string): string {
  return /[.!?…]$/u.test(text) ? text : `${text}.`
}
