/** The examples' inbox: answering first and working later neither loses nor repeats an event. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { CrierEvent } from '@crier-mail/sdk'
import { openInbox } from '../../examples/webhooks/inbox.ts'

const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-inbox-'))
after(() => rm(folder, { recursive: true }))
const event = (id: string) => ({ id, type: 'contact.created' }) as CrierEvent

test('slow work does not hold up receiving, and each event is worked on once', async () => {
  const worked: string[] = []
  const release = Promise.withResolvers<void>()
  const all = Promise.withResolvers<void>()
  const inbox = openInbox({
    file: path.join(folder, 'slow'),
    async work({ id }) {
      await release.promise
      worked.push(id)
      if (id === 'evt_2') all.resolve()
    },
  })
  for (const id of ['evt_1', 'evt_1', 'evt_2', 'evt_1']) inbox.add(event(id))
  assert.deepEqual(worked, [])
  release.resolve()
  await all.promise
  await inbox.close()
  assert.deepEqual(worked, ['evt_1', 'evt_2'])
})

test('failed work is retried and does not hold up other events', async () => {
  const worked: string[] = []
  const again = Promise.withResolvers<void>()
  const inbox = openInbox({
    file: path.join(folder, 'failing'),
    retryAfter: 10,
    async work({ id }) {
      worked.push(id)
      if (worked.length === 1) throw new Error('the printer is out of paper')
      if (worked.length === 3) again.resolve()
    },
  })
  inbox.add(event('evt_1'))
  inbox.add(event('evt_2'))
  await again.promise
  await inbox.close()
  assert.deepEqual(worked, ['evt_1', 'evt_2', 'evt_1'])
})

test('work left undone by a stopped program is done by the next one', async () => {
  const file = path.join(folder, 'restart')
  const entered = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const first = openInbox({
    file,
    async work() {
      entered.resolve()
      await release.promise
    },
  })
  first.add(event('evt_1'))
  first.add(event('evt_2'))
  await entered.promise
  const closed = first.close()
  release.resolve()
  await closed

  const worked: string[] = []
  const done = Promise.withResolvers<void>()
  const second = openInbox({
    file,
    async work({ id }) {
      worked.push(id)
      done.resolve()
    },
  })
  await done.promise
  await second.close()
  assert.deepEqual(worked, ['evt_2'])
})
