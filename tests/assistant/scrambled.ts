/**
 * A connection whose assistant can know nothing in advance: each name of a tool and each id is
 * replaced by a random word, the same one for as long as the connection lasts.
 */
import { randomBytes } from 'node:crypto'
import { catalog } from '../operations/support/testbed.ts'

const spellings = [...catalog.map(({ name }) => name), 'meta.call'].flatMap((name) => [
  `svc_v1_${name.replace('.', '_')}`,
  `svc\\.v1\\.${name.replace('.', '\\.')}`,
  name.replace('.', '\\.'),
])
const longestFirst = spellings.toSorted((a, b) => b.length - a.length).join('|')
const names = new RegExp(`(?<![\\w.])(?:${longestFirst})(?!\\w)`, 'g')
const ids = /\b[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}\b/g
const ours = /\b[tk]_[0-9a-f]{12}\b/g

/** The tool behind each of its spellings. */
const toolOf = (spelling: string) => spelling.replace(/^svc[._]v1[._]/, '').replace('_', '.')

export function newScrambler() {
  const words = new Map<string, string>()
  const originals = new Map<string, string>()
  function wordFor(kind: 't' | 'k', original: string, key = original): string {
    const known = words.get(key)
    if (known) return known
    const word = `${kind}_${randomBytes(6).toString('hex')}`
    words.set(key, word)
    originals.set(word, original)
    return word
  }
  return {
    /** What the assistant reads. */
    scramble: (text: string) =>
      text
        .replaceAll(names, (name) => {
          const tool = toolOf(name)
          return wordFor('t', `svc.v1.${tool}`, tool)
        })
        .replaceAll(ids, (id) => wordFor('k', id)),
    /** What the service reads. */
    restore: (text: string) => text.replaceAll(ours, (word) => originals.get(word) ?? word),
  }
}
