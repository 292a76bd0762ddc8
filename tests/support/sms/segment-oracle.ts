/**
 * Texts around the ends of segments, counted by us and by Twilio's public counter (npm
 * sms-segments-calculator).
 */
import { SegmentedMessage } from 'sms-segments-calculator'
import { composeText, partsOf, segmentsOf } from '../../../server/src/lib/sms/segments.ts'

const gsm = ['a', 'Z', '7', ' ', 'é', 'Ω', '\n', '\r', '\r\n', '€', '[', '}', '^', '\\', '~', '\f']
const letters = ['ж', '中', 'ç', '`', '“', '\t', '\u00a0', 'e\u0301', 'ｱﾞ', 'ไม่', '각']
const emojis = ['👍', '👍🏽', '❤️', '1️⃣', '🇫🇷', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '👨‍👩‍👧‍👦', '🧑🏿‍🚀', '🏳️‍🌈']
/** Lengths at which segments become full, in septets and in UTF-16 units. */
const edges = [67, 70, 134, 140, 153, 160, 201, 268, 306]

export interface Comparison {
  texts: number
  differences: { text: string; theirs: string; ours: string }[]
}

export function compareSegments(texts: number, seed: number): Comparison {
  const draw = drawer(seed)
  const differences: Comparison['differences'] = []
  for (let n = 0; n < texts; n++) {
    const text = drawText(draw)
    const oracle = new SegmentedMessage(composeText(text))
    const theirs = `${oracle.encodingName.toLowerCase()} ${oracle.segmentsCount}`
    const { encoding, segments } = segmentsOf(text)
    const { parts } = partsOf(text)
    const whole = parts.length === segments && parts.join('') === composeText(text)
    const ours = `${encoding} ${segments}${whole ? '' : ', and other parts'}`
    if (ours !== theirs) differences.push({ text, theirs, ours })
  }
  return { texts, differences }
}

type Draw = (below: number) => number

/** A run of one character up to near an edge, and a few random ones across it. */
function drawText(draw: Draw): string {
  const plain = draw(2) === 0
  const alphabet = plain ? gsm : [...gsm, ...letters, ...emojis]
  const pick = () => alphabet[draw(alphabet.length)] ?? ''
  let text = ''
  for (let piece = draw(3); piece >= 0; piece--) {
    const run = plain ? 'a' : (['a', 'ж'][draw(2)] ?? '')
    const edge = edges[draw(edges.length)] ?? 0
    text += run.repeat(Math.max(0, edge - text.length - draw(6)))
    for (let more = draw(12); more > 0; more--) text += pick()
  }
  return text
}

/** The same numbers for the same seed (mulberry32). */
function drawer(seed: number): Draw {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below)
  }
}
