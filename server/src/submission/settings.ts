/** The X-Crier- fields of a submitted mail: what other fields of a mail cannot say. */
import { isRefusal, type Refusal, refuse } from '../core/errors.ts'
import { readJson } from '../core/json.ts'

const names = ['kind', 'tags', 'metadata', 'topic', 'idempotency-key', 'track'] as const
type Name = (typeof names)[number]

type Read = (value: string) => Record<string, unknown> | Refusal

const readers: Record<Name, Read> = {
  kind: (kind) => ({ kind, ...(kind === 'marketing' && { allow_duplicate: false }) }),
  tags: (value) => ({
    tags: [...new Set(value.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== ''),
  }),
  metadata(value) {
    const parsed = readJson(value, ['metadata'])
    if (isRefusal(parsed)) return parsed
    const metadata = parsed?.value
    if (typeof metadata === 'object' && metadata !== null) return { metadata }
    const text = 'X-Crier-Metadata takes a JSON object of texts, such as {"order": "1042"}.'
    return refuse('invalid_request', text, { field: 'metadata' })
  },
  topic: (topic) => ({ topic }),
  'idempotency-key': (key) => ({ idempotency_key: key }),
  track(value) {
    if (value === 'yes') return {}
    if (value === 'no') return { track_opens: false, track_clicks: false }
    return refuse('invalid_request', 'X-Crier-Track takes yes or no.', { field: 'track_opens' })
  },
}

/** Fields of `email.send`; what they hold is checked there. */
export function readSettings(
  fields: readonly (readonly [name: string, value: string])[],
): Record<string, unknown> | Refusal {
  const settings: Record<string, unknown> = {}
  const seen = new Set<string>()
  for (const [name, value] of fields) {
    const known = names.find((word) => word === name)
    if (!known || seen.has(name)) {
      const why = known ? 'is there twice' : 'is no field of Crier'
      const list = names.map((word) => `X-Crier-${spelled(word)}`).join(', ')
      return refuse('invalid_request', `X-Crier-${name.slice(0, 60)} ${why}. There are ${list}.`)
    }
    seen.add(name)
    const read = readers[known](value)
    if (read instanceof Error) return read
    Object.assign(settings, read)
  }
  return settings
}

/** `idempotency-key` as a mail program writes it: `Idempotency-Key`. */
function spelled(name: string): string {
  const words = name.split('-').map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
  return words.join('-')
}
