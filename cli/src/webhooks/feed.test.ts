import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CrierError, type CrierEvent } from '@crier-mail/sdk'
import { follow, type Page } from './feed.ts'

const event = (id: string) => ({ id, type: 'contact.created' }) as CrierEvent
const page = (next_cursor: string, ids: string[] = [], more = false): Page => ({
  events: ids.map(event),
  next_cursor,
  more,
})

/** Follows these pages until they are used up; returns the requests, waits and printed lines. */
async function followed(answers: (Page | Error)[], from = 'a') {
  const [asked, waited, said, events] = [[], [], [], []] as unknown as [
    string[],
    number[],
    string[],
    string[],
  ]
  const end = new Error('the answers are used up')
  const feed = follow(
    {
      async read(cursor) {
        asked.push(cursor)
        const answer = answers.shift() ?? end
        if (answer instanceof Error) throw answer
        return answer
      },
      wait: async (milliseconds) => void waited.push(milliseconds),
      say: (line) => said.push(line),
    },
    from,
  )
  const read = async () => {
    for await (const { events: some } of feed) events.push(...some.map(({ id }) => id))
  }
  const error = await read().catch((reason: unknown) => reason)
  return { asked, waited, said, events, error: error === end ? undefined : error }
}

const broken = (code: string, more: object = {}) =>
  new CrierError({ code, message: `It is ${code}.`, ...more })

test('the feed reads further pages at once while there are more, then pauses, up to two seconds', async () => {
  const { asked, waited, events } = await followed(
    [
      page('b', ['1', '2'], true),
      page('c', ['3']),
      page('c'),
      page('c'),
      page('c'),
      page('d', ['4']),
    ],
    'a',
  )
  assert.deepEqual(asked, ['a', 'b', 'c', 'c', 'c', 'c', 'd'])
  assert.deepEqual(events, ['1', '2', '3', '4'])
  assert.deepEqual(waited, [500, 1000, 2000, 2000, 500])
})

test('the feed retries an unreachable server with growing pauses, and no event is lost or read twice', async () => {
  const down = Array.from({ length: 7 }, () => broken('network'))
  const { asked, waited, said, events } = await followed([
    page('b', ['1']),
    ...down,
    page('c', ['2']),
  ])
  assert.deepEqual(events, ['1', '2'])
  assert.deepEqual(new Set(asked.slice(1, 9)), new Set(['b']))
  assert.deepEqual(waited.slice(1, 8), [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  assert.match(said[0] ?? '', /It is network\. Trying again in 1 s\./)
  assert.match(said.at(-1) ?? '', /back/)
})

test('the feed waits for as long as a rate limit says', async () => {
  const { waited } = await followed([broken('rate_limited', { retryAfter: 17 }), page('b')])
  assert.equal(waited[0], 17_000)
})

test('a cursor that has expired goes on from the oldest event, with a warning', async () => {
  const expired = broken('cursor_expired', { data: { oldest_cursor: 'old' } })
  const { asked, said } = await followed([expired, page('b')], 'a')
  assert.deepEqual(asked.slice(0, 2), ['a', 'old'])
  assert.match(said[0] ?? '', /gone/)
})

test('an error that waiting cannot cure ends the feed', async () => {
  for (const code of ['unauthorized', 'severed', 'invalid_request', 'scope_required']) {
    const { error, waited } = await followed([broken(code), page('b')])
    assert.equal((error as CrierError).code, code)
    assert.deepEqual(waited, [])
  }
})
