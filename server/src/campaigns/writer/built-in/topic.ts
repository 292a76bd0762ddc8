/**
 * The topic of a goal. People write goals as orders to a writer ("Tell everyone that our spring
 * menu is here. Keep it short."). The mail contains only the message in the order.
 */
import { withoutEnd } from '../../../lib/text/trim-end.ts'
import { detailsOf } from './details.ts'
import { cutTo, sentencesOf } from './sentences.ts'

export interface Topic {
  /** The first sentence, without the order and its full stop: `our spring menu is here`. */
  first: string
  /** The remaining message, sentence by sentence. */
  more: readonly string[]
  /** Sentences that address the writer and are not for readers. */
  orders: readonly string[]
}

const people =
  '(?:(?:all|our|my|the|these|those|every|some|new|old|loyal|existing|regular|past|lapsed|inactive|former|dormant|lost|quiet) )*(?:them|everyone|everybody|people|customers?|subscribers?|members?|readers?|clients?|guests?|users?|contacts?|audience|list|followers|students|supporters|donors|fans|visitors|regulars|friends|locals)'

// The list is applied until nothing changes, so "please write an email to announce" is removed.
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

// Orders that no reader should see, whatever details they contain.
const forbidding =
  /^(?:please )?(?:avoid|don'?t|do not|never) (?:use|using|mention|mentioning|write|say|include)\b/i
// Orders about the style. Other requests in a sentence may be addressed to the reader.
const styling = [
  /^(?:please )?(?:keep|make) (?:it|this|the (?:e-?mail|mail|text|message|tone|copy|subject|draft))\b/i,
  /^(?:please )?(?:write|phrase|avoid) /i,
  /^no (?:emojis?|exclamation|slang|jargon|hype|hard sell)\b/i,
  /^(?:please )?use (?:an?|our|plain|short|simple|few|no|emojis?)\b/i,
  /^be (?:brief|short|concise|friendly|polite|formal|warm|playful|direct)\b/i,
  /^sign (?:it|off)\b/i,
  /^(?:please )?(?:add|include|end with|start with|close with) (?:an?|the|our|one) (?:link|button|call to action|image|photo|picture|emoji|joke|logo)\b/i,
]
const telling = /^(?:please )?(?:mention|say|state|include)(?: that)? /i
const lengths = /\b\d{1,4} (?:words|characters|letters|sentences|paragraphs|lines)\b/gi

export function topicOf(goal: string): Topic {
  const [opening = '', ...others] = sentencesOf(goal)
  const orders = others.filter(isOrder)
  const first = withoutOrder(opening)
  return {
    first: withoutStop(first),
    more: others.filter((other) => !isOrder(other)).map(told),
    orders,
  }
}

function isOrder(sentence: string): boolean {
  if (forbidding.test(sentence)) return true
  if (!styling.some((exp) => exp.test(sentence))) return false
  return detailsOf(sentence.replaceAll(lengths, '')).length === 0
}

/** `Mention that we close at 18:00.` states a time for the reader. */
function told(sentence: string): string {
  return telling.test(sentence) ? sentence.replace(telling, '') : sentence
}

/** Removes an order only where no detail would be removed with it. */
function withoutOrder(sentence: string): string {
  const details = detailsOf(sentence)
  for (let text = sentence; ; ) {
    const cut = openings.reduce((left, opening) => {
      const rest = left.replace(opening, '')
      return details.every((detail) => rest.includes(detail)) ? rest : left
    }, text)
    if (cut === text) return text
    text = cut
  }
}

/** Removes the full stop at the end, except that of `p.m.` */
function withoutStop(text: string): string {
  let from = 0
  while (from < text.length && /[\s,:;]/.test(text[from] ?? '')) from++
  const kept = withoutEnd(text.slice(from), /\s/)
  return /[^.]\.$/.test(kept) && !/\.\p{L}\.$/u.test(kept) ? kept.slice(0, -1) : kept
}

/** The headline of the topic; empty where fewer than three words precede the first address. */
export function headlineOf(first: string, most: number): string {
  const words = first.split(' ')
  const address = words.findIndex((word) => word.includes('://'))
  const said = words.slice(0, address < 0 ? words.length : address)
  return said.length < words.length && said.length < 3 ? '' : cutTo(said.join(' '), most)
}
