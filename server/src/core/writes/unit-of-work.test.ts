import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { someOrigin } from '../../../../tests/support/businesses/business.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { refused } from '../../../../tests/support/refused.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { hours } from '../../lib/time/clock.ts'
import { orRefusal, refuse } from '../errors.ts'
import { sweepIdempotencyKeys } from '../idempotency.ts'
import { newId } from '../ids.ts'
import type { Writing } from '../operation.ts'
import { createEngine, type Engine } from './unit-of-work.ts'

let database: TestDatabase
let engine: Engine
const clock = new ManualClock()
const businessId = newId('business')

before(async () => {
  database = await testDatabase()
  engine = createEngine({ db: database.db, clock })
  await database.db.run(sql`create table notes (id uuid primary key, text text not null)`)
})
after(() => database.drop())

const addNote = (tx: Db, text: string) =>
  tx.run(sql`insert into notes (id, text) values (${newId('job')}, ${text})`)

async function notes(text: string): Promise<number> {
  const { n } = await database.db.one<{ n: number }>(
    sql`select count(*) as n from notes where text = ${text}`,
  )
  return n
}

function call(input: Record<string, unknown>, operation = 'note.add', on = engine): Writing {
  return on.writingFor({ businessId, operation, input, origin: someOrigin() })
}

const write = (input: Record<string, unknown>, operation?: string) =>
  call(input, operation).write(async (tx) => {
    const text = String(input['text'])
    await addNote(tx, text)
    return { text, id: newId('job') }
  })

test('two concurrent calls with the same idempotency key have one effect and one result', async () => {
  const [one, two] = await Promise.all([
    write({ text: 'once', idempotency_key: 'k1' }),
    write({ text: 'once', idempotency_key: 'k1' }),
  ])
  assert.deepEqual(one, two)
  assert.equal(await notes('once'), 1)
})

test('when two nodes get the same idempotency key, one does the work and the other waits', async () => {
  const other = createEngine({ db: database.db, clock })
  const input = { text: 'nodes', idempotency_key: 'k-nodes' }
  const inside = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const first = call(input).write(async (tx) => {
    await addNote(tx, 'nodes')
    inside.resolve()
    await goOn.promise
    return 'of the first'
  })
  await inside.promise
  const second = call(input, 'note.add', other).write(async (tx) => {
    await addNote(tx, 'nodes')
    return 'of the second'
  })
  await untilSomeoneWaits()
  goOn.resolve()
  assert.deepEqual(await Promise.all([first, second]), ['of the first', 'of the first'])
  assert.equal(await notes('nodes'), 1)
})

test('calls of one business that wait for a row lock leave connections for other businesses', async () => {
  await addNote(database.db, 'held')
  const goOn = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const lock = (tx: Tx) => tx.run(sql`select 1 from notes where text = 'held' for update`)
  const holder = database.db.tx(async (tx) => {
    await lock(tx)
    held.resolve()
    await goOn.promise
  })
  await held.promise
  // More calls than there are connections.
  const waiting = Array.from({ length: 20 }, () => call({}).write(lock))
  await untilSomeoneWaits()
  const origin = someOrigin()
  const other = { businessId: newId('business'), operation: 'note.add', input: {}, origin }
  const one = engine.writingFor(other).write((tx) => addNote(tx, 'beside'))
  const first = await Promise.race([one, sleep(2_000, 'it waited')])
  goOn.resolve()
  await Promise.all([holder, one, ...waiting])
  assert.equal(first, 1)
})

test('slow reads of one business leave connections for other businesses', async () => {
  const reading = engine.readingFor(businessId)
  const slow = Array.from({ length: 10 }, () => reading.one(sql`select pg_sleep(1)`))
  const origin = someOrigin()
  const other = { businessId: newId('business'), operation: 'note.add', input: {}, origin }
  const from = performance.now()
  assert.equal(await engine.writingFor(other).write((tx) => addNote(tx, 'beside reads')), 1)
  const waited = performance.now() - from
  await Promise.all(slow)
  assert.ok(waited < 950, `it waited ${waited} ms`)
  assert.ok(performance.now() - from >= 1_990, 'five at a time, twice over')
})

test('a large read waits after an earlier one of its business; small reads and other businesses do not', async () => {
  const large = (rows: number) =>
    sql`select repeat('x', 5000) as text from generate_series(1, ${rows})`
  const timed = async (work: Promise<unknown>) => {
    const from = performance.now()
    await work
    return performance.now() - from
  }
  const reading = engine.readingFor(newId('business'))
  assert.equal((await reading.all(large(500))).length, 500)
  const [again, small, beside] = await Promise.all([
    timed(reading.all(large(100))),
    timed(reading.all(sql`select 1 as n`)),
    timed(engine.readingFor(businessId).all(large(100))),
  ])
  assert.ok(again >= 490, `after two and a half megabytes: ${again} ms`)
  // Half of that leaves a busy machine time for what does not wait.
  assert.ok(small < again / 2 && beside < again / 2, `${small} ms, ${beside} ms of ${again} ms`)
})

for (const [way, work] of [
  ['thrown', () => Promise.reject(refuse('conflict', 'No.'))],
  ['returned', () => Promise.resolve(refuse('conflict', 'No.'))],
] as const) {
  test(`a call whose refusal is ${way} frees its key for the second one that waited`, async () => {
    const text = `refusal ${way}`
    const input = { text, idempotency_key: text }
    const first = call(input).write(async (tx) => {
      await addNote(tx, text)
      return work()
    })
    const [outcome, second] = await Promise.all([orRefusal(() => first), write(input)])
    assert.equal(refused(outcome).message, 'No.')
    assert.equal(second.text, text)
    assert.equal(await notes(text), 1)
  })
}

test('a thrown refusal leaves no row and no key, and is judged anew when the call is repeated', async () => {
  const input = { text: 'later', idempotency_key: 'k-later' }
  let isFull = true
  const attempt = () =>
    call(input).write(async (tx) => {
      await addNote(tx, 'later')
      if (isFull) throw refuse('conflict', 'It is full.')
      return 'saved'
    })
  await assert.rejects(attempt(), { code: 'conflict' })
  await assert.rejects(attempt(), { code: 'conflict' })
  assert.equal(await notes('later'), 0)
  isFull = false
  assert.equal(await attempt(), 'saved')
  isFull = true
  assert.equal(await attempt(), 'saved', 'the first result is kept')
  assert.equal(await notes('later'), 1)
})

test('an idempotency key reused with other arguments or another operation is refused', async () => {
  await write({ text: 'mine', idempotency_key: 'k2' })
  for (const [input, operation] of [
    [{ text: 'other', idempotency_key: 'k2' }, 'note.add'],
    [{ text: 'mine', idempotency_key: 'k2' }, 'note.drop'],
  ] as const) {
    const { code, details, message } = refused(await orRefusal(() => write(input, operation)))
    assert.equal(code, 'conflict')
    assert.equal(details.field, 'idempotency_key')
    assert.match(message, /"k2"/)
    const again = details.fix?.arguments ?? {}
    assert.equal(again['text'], input.text)
    assert.notEqual(again['idempotency_key'], 'k2')
  }
  assert.equal(await notes('other'), 0)
  assert.equal(await notes('mine'), 1)
})

test('the order of arguments and an explicit business_id do not make a call different', async () => {
  const [a, b] = [
    await write({ text: 'same', deep: { x: 1, y: [{ p: 1, q: 2 }] }, idempotency_key: 'k3' }),
    await write({
      idempotency_key: 'k3',
      business_id: 'bus_1',
      deep: { y: [{ q: 2, p: 1 }], x: 1 },
      text: 'same',
    }),
  ]
  assert.deepEqual(a, b)
  assert.equal(await notes('same'), 1)
})

test('an idempotency key belongs to its business', async () => {
  const input = { text: 'theirs', idempotency_key: 'k4' }
  await write(input)
  await engine
    .writingFor({
      businessId: newId('business'),
      operation: 'note.add',
      input,
      origin: someOrigin(),
    })
    .write((tx) => addNote(tx, 'theirs'))
  assert.equal(await notes('theirs'), 2)
})

test('a result is kept for exactly 24 hours under its idempotency key; then the key is free', async () => {
  const input = { text: 'day', idempotency_key: 'k5' }
  const first = await write(input)
  clock.forward(hours(24) - 1)
  assert.deepEqual(await write(input), first)
  clock.forward(1)
  assert.notDeepEqual(await write(input), first)
  assert.equal(await notes('day'), 2)
})

test('the sweep deletes idempotency keys after 24 hours and keeps newer ones', async () => {
  await write({ text: 'old', idempotency_key: 'old' })
  clock.forward(hours(24))
  await write({ text: 'young', idempotency_key: 'young' })
  await sweepIdempotencyKeys(database.db, clock.now())
  const kept = await database.db.all(sql`select key from idempotency_keys`)
  assert.deepEqual(kept, [{ key: 'young' }])
})

test('a call that fails leaves neither its rows nor its idempotency key', async () => {
  const input = { text: 'fails', idempotency_key: 'k6' }
  const broken = call(input).write(async (tx) => {
    await addNote(tx, 'fails')
    throw new Error('broken')
  })
  await assert.rejects(broken, /broken/)
  assert.equal(await notes('fails'), 0)
  await write(input)
  assert.equal(await notes('fails'), 1)
})

test('a call with an idempotency key cannot write twice', async () => {
  const writing = call({ idempotency_key: 'k7' })
  await writing.write(async () => 1)
  assert.throws(() => writing.write(async () => 2), /writes twice/)
})

test('a transaction with a deadlock is repeated, and the result is that of the last run', async () => {
  let runs = 0
  const answer = await call({ idempotency_key: 'k8' }).write(async (tx) => {
    runs++
    await addNote(tx, 'again')
    if (runs < 3) await deadlock(tx)
    return runs
  })
  assert.equal(answer, 3)
  assert.equal(await notes('again'), 1)
})

/** Fails as PostgreSQL does when it detects a deadlock. */
function deadlock(tx: Tx): Promise<number> {
  return tx.run(sql`do $$ begin raise exception using errcode = '40P01'; end $$`)
}

/** Resolves once a statement of this database waits for another transaction. */
async function untilSomeoneWaits(): Promise<void> {
  for (;;) {
    const { n } = await database.db.one<{ n: number }>(sql`
      select count(*) as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
    `)
    if (n > 0) return
  }
}
