/**
 * What an assistant wrote and read in some of the jobs, call by call, for the page of third-party clients.
 * The tests of the jobs compare each with what happens, apart from ids, times and numbers;
 * `TRANSCRIPTS=write` stores what happens instead.
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'

export interface Exchange {
  tool: string
  input: unknown
  answer: unknown
}

/** The jobs that did not go straight before, or whose answers were mended for them. */
export const transcribed: readonly number[] = [
  1, 4, 5, 6, 9, 11, 12, 13, 17, 20, 22, 24, 25, 28, 31,
]

const file = (number: number) => new URL(`transcripts/${number}.json`, import.meta.url)

export const storedTranscript = (number: number): Exchange[] =>
  JSON.parse(readFileSync(file(number), 'utf8')) as Exchange[]

export function checkTranscript(number: number, exchanges: readonly Exchange[]): void {
  if (!transcribed.includes(number)) return
  const plain = withPlainIds(exchanges)
  if (process.env['TRANSCRIPTS'] === 'write') {
    writeFileSync(file(number), `${JSON.stringify(plain, null, 1)}\n`)
  }
  assert.deepEqual(outlineOf(plain), outlineOf(storedTranscript(number)), `transcript ${number}`)
}

/** Ids as `con_1`, hosts of this machine without their port, and of a found tool its name and title. */
function withPlainIds(exchanges: readonly Exchange[]): Exchange[] {
  const numbers = new Map<string, string>()
  const counts = new Map<string, number>()
  const text = JSON.stringify(exchanges.map(briefly))
    .replaceAll(/\b([a-z]{3})_[0-9a-hjkmnp-tv-z]{26}\b/g, (id, prefix: string) => {
      const known = numbers.get(id)
      if (known) return known
      const n = (counts.get(prefix) ?? 0) + 1
      counts.set(prefix, n)
      numbers.set(id, `${prefix}_${n}`)
      return `${prefix}_${n}`
    })
    .replaceAll(/http:\/\/(?:localhost|127\.0\.0\.1):\d+/g, 'https://crier.example')
    .replaceAll(/p=MII[\w+/=]+(?:\\" \\"[\w+/=]+)*/g, 'p=…')
    .replaceAll(/\d+-[0-9a-f]{12}-[0-9a-f]{12}-[0-9a-f]{12}-[0-9a-f]{24}/g, '1-…')
  return JSON.parse(text) as Exchange[]
}

const briefly = ({ tool, input, answer }: Exchange): Exchange => {
  if (tool !== 'meta.find') return { tool, input, answer }
  const { found } = answer as { found: { name: string; title: string }[] }
  return { tool, input, answer: { found: found.map(({ name, title }) => ({ name, title })) } }
}

/** What stays the same in each run. */
function outlineOf(value: unknown): unknown {
  if (typeof value === 'number') return 0
  if (typeof value === 'string') return value.replaceAll(/[0-9a-f]*\d[0-9a-f]*/g, '#')
  if (Array.isArray(value)) return value.slice(0, 1).map(outlineOf)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, outlineOf(entry)]))
}

const longestText = 700

/** The calls of a job as lines of a page, with long answers cut. */
export function transcriptLines(number: number): string[] {
  return storedTranscript(number).flatMap(({ tool, input, answer }) => [
    `→ ${tool} ${cut(JSON.stringify(input))}`,
    `← ${cut(JSON.stringify(answer))}`,
  ])
}

const cut = (text: string) => (text.length <= longestText ? text : `${text.slice(0, longestText)}…`)
