/** The segment counter against the public one, on 100,000 generated texts. */
import { compareSegments } from '../tests/support/sms/segment-oracle.ts'

const texts = 100_000

export function segmentSoak(seed: number): string {
  const began = performance.now()
  const { differences } = compareSegments(texts, seed)
  const seconds = Math.round((performance.now() - began) / 1000)
  const counted = `${texts.toLocaleString('en')} texts in ${seconds} s`
  const told = `${counted}, ${differences.length} counted otherwise by the public counter.`
  if (differences.length > 0) {
    const [first] = differences
    throw new Error(`${told} The first: ${JSON.stringify(first)}`)
  }
  return `## Segments of texts\n\n${told}\n`
}
