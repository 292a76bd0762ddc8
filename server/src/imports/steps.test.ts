/** Whatever a file holds, a step of its reading is short, because all other calls wait for it. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findLayout } from './layout.ts'
import { readInSteps } from './reader.ts'

/** As much as is read without the thread (`reader.ts`). */
const size = 128 * 1024
/** Milliseconds of this thread's processor. The worst of these take some 20 on a usual machine. */
const longest = 100

function filled(text: string, bytes = size): Buffer {
  return Buffer.from(text.repeat(Math.ceil(bytes / Buffer.byteLength(text)))).subarray(0, bytes)
}
const inCell = (text: string, before: string) =>
  Buffer.concat([Buffer.from(before), filled(text, size - 200), Buffer.from('\n')])

/** Marks that stand in another order than the normalised one. */
const marks = '\u0316\u0301'
const nested = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
const keys = Array.from({ length: 6_000 }, (_, n) => `""k${n}"":1`).join()

const pieces: Readonly<Record<string, Buffer>> = {
  commas: filled(','),
  'a line of commas': inCell(',', ''),
  quotes: filled('"'),
  'lines of quotes': filled('"\n'),
  'three quotes a line': filled('"""\n'),
  'quotes in the wrong place': filled('"a"b\n'),
  'quotes that never close': filled('"a\n'),
  'short lines': filled('a\n'),
  'blank lines': filled('\n'),
  'carriage returns': filled('\r'),
  'addresses alone': filled('a@b.example\n'),
  'an endless domain': inCell('a.', 'a@'),
  'an endless number': inCell('1 ', '+'),
  'marks to be ordered': inCell(marks, 'a'),
  'marks in an address': inCell(marks, 'a@'),
  'nested JSON': Buffer.from(`a@b.example,"{""a"":${nested}}"\n`),
  'JSON with many keys': Buffer.from(`a@b.example,"{${keys}}"\n`),
  spaces: inCell(' ', 'a@b.example,'),
  'spaces that do not break': inCell('\u00a0', 'a@b.example,'),
  formulas: inCell("'=", 'a@b.example,'),
}

const mappings = [
  ['email', 'attributes.b'],
  ['email', 'attributes'],
  ['email', 'attributes.b:number'],
  ['email', 'tags'],
  ['email', 'language'],
  ['email', 'consent.email.at'],
  ['email', 'consent.email.topics'],
  ['phone', 'consent.email'],
  ['name', 'phone'],
]

const plan = {
  encoding: 'utf-8' as const,
  delimiter: ',',
  columns: ['a', 'b'],
  hasHeader: false,
  start: 0,
  known: null,
  tags: [],
  mode: 'update' as const,
  blanksErase: false,
  consent: { email: { source: 'Sign-up', text: 'Send me the newsletter.' } },
  fileName: 'people.csv',
}
const wanted = { addressesAlone: false, withProfiles: true, withCells: 5, withDoubtful: 5 }

function msOf(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

function longestStep(bytes: Buffer, targets: string[]): number {
  const asked = {
    ...wanted,
    bytes,
    isLast: true,
    plan: { ...plan, kind: 'contacts' as const, targets },
  }
  const steps = readInSteps(asked)
  let most = 0
  for (let isDone = false; !isDone; ) {
    const ms = msOf(() => {
      isDone = steps.next().done === true
    })
    most = Math.max(most, ms)
  }
  return most
}

/** A long first time does not count, because it may have compiled the code. */
function shortOrSecond(measure: () => number): number {
  const first = measure()
  return first < longest ? first : measure()
}

for (const [name, bytes] of Object.entries(pieces)) {
  test(`no step of a file of ${name} takes long`, () => {
    const look = () =>
      findLayout({ bytes, encoding: 'utf-8', markLength: 0, isWhole: false, kind: 'contacts' })
    const layoutMs = shortOrSecond(() => msOf(look))
    assert.ok(layoutMs < longest, `its layout took ${layoutMs} ms`)
    for (const targets of mappings) {
      const ms = shortOrSecond(() => longestStep(bytes, targets))
      assert.ok(ms < longest, `a step to ${targets.join()} took ${ms} ms`)
    }
  })
}
