/** Gates about texts: a way to unsubscribe, and the number of segments. */
import { segmentsOf } from '../../../lib/sms/segments.ts'
import type { Preview } from '../../../templates/previews.ts'
import { campaignLimits } from '../../campaign.ts'
import type { Gate } from './gate.ts'

/** The segments of the longest variant for an ordinary recipient, which is what the tier counts. */
export function segmentsPer(previews: readonly Preview[]): number {
  const samples = previews.filter(({ data }) => data === 'sample')
  return Math.max(0, ...samples.map(({ text }) => segmentsOf(text).segments))
}

export function segmentsGate(previews: readonly Preview[]): Gate {
  const gate = 'segments'
  const sizes = previews.map(({ text }) => segmentsOf(text))
  const mostSegments = Math.max(...sizes.map(({ segments }) => segments))
  const usual = segmentsPer(previews)
  const wide = sizes.some(({ encoding }) => encoding === 'ucs-2')
  const alphabet = wide ? ' Some characters are not in GSM-7, so that a part holds fewer.' : ''
  const evidence = `It has ${usual} parts, at most ${mostSegments}.${alphabet}`
  if (usual <= campaignLimits.segments) return { gate, result: 'pass', evidence }
  return {
    gate,
    result: 'warn',
    evidence: `${evidence} Each part is paid for.`,
    findings: [{ finding: 'parts', usual, most: mostSegments, wide }],
    remedy: `Shorten it to ${campaignLimits.segments} parts or fewer; plain letters take less room.`,
  }
}

export function stopGate(previews: readonly Preview[]): Gate {
  const gate = 'stop_word'
  if (previews.every(({ text }) => /\bSTOP\b/.test(text))) {
    return { gate, result: 'pass', evidence: 'It says that STOP ends it.' }
  }
  return {
    gate,
    result: 'block',
    evidence: 'It does not say how to end it.',
    findings: [{ finding: 'no_stop' }],
    remedy: 'Add words such as: Reply STOP to end.',
  }
}
