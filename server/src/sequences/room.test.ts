/** A plan says where tier, warm-up or caps have no room for what a sequence would send. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { preview, sequenceScene, shown } from '../../../tests/support/businesses/sequences.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { setBusiness } from '../accounts/settings/settings.ts'
import { days } from '../lib/time/clock.ts'
import { createTemplates } from '../templates/compile.ts'
import { roomGate } from './room.ts'
import { sequenceSave } from './save.ts'

let database: TestDatabase
const templates = createTemplates()
before(async () => {
  database = await testDatabase()
})
after(async () => {
  shown.warmUp = undefined
  await templates.close()
  await database.drop()
})

interface Planned {
  gates: { gate: string; result: string; findings?: Record<string, unknown>[] }[]
}

async function plannedScene(steps: object[], mails: number) {
  const scene = await sequenceScene({ db: database.db, templates })
  const sent = []
  for (let n = 0; n < mails; n++) sent.push(await scene.template(`Mail ${n}`))
  const { sequence_id } = await scene.caller.get<{ sequence_id: string }>(
    sequenceSave({ templates }),
    {
      name: 'S',
      enter: { on: 'consent.given' },
      steps: sent.flatMap((mail, n) => (n === 0 ? [mail] : [...steps, mail])),
    },
  )
  return {
    ...scene,
    async gate() {
      const { gates } = await scene.caller.get<Planned>(preview, { sequence_id })
      const quota = gates.find(({ gate }) => gate === 'quota')
      return [quota?.result, ...(quota?.findings ?? [])]
    },
  }
}

test('of a cap as many messages as fit within its days are no lack, and one more is', async () => {
  const { db, id, clock, gate } = await plannedScene([{ wait: '2 days' }], 4)
  const cap = (value: object) =>
    setBusiness(db, id, { key: 'attention', value: JSON.stringify(value), now: clock.now() })
  assert.deepEqual(await gate(), ['pass'])
  await cap({ max: 4, per: '7 days' })
  assert.deepEqual(await gate(), ['pass'])
  await cap({ max: 3, per: '6 days' })
  assert.deepEqual(await gate(), ['pass'])
  await cap({ max: 3, per: '7 days' })
  assert.deepEqual(await gate(), [
    'warn',
    { finding: 'no_room_under_cap', messages: 4, days: 7, max: 3 },
  ])
})

test('of a split the branch that sends most counts', async () => {
  const scene = await sequenceScene({ db: database.db, templates })
  const { db, id, clock, caller, template } = scene
  const mail = await template('A')
  const { sequence_id } = await caller.get<{ sequence_id: string }>(sequenceSave({ templates }), {
    name: 'S',
    enter: { on: 'consent.given' },
    steps: [
      mail,
      { split: [{ if: { tag: 'a' }, steps: [mail, mail] }, { steps: [mail] }] },
      { wait: '8 days' },
      mail,
    ],
  })
  const value = JSON.stringify({ max: 2, per: '1 week' })
  await setBusiness(db, id, { key: 'attention', value, now: clock.now() })
  const { gates } = await caller.get<Planned>(preview, { sequence_id })
  assert.deepEqual(gates.find(({ gate }) => gate === 'quota')?.findings, [
    { finding: 'no_room_under_cap', messages: 3, days: 7, max: 2 },
  ])
})

test('a sender that warms up has room for so many mails on one day', async () => {
  const { agree, settle, clock, gate } = await plannedScene([{ wait: '1 day' }], 2)
  for (const name of ['ana', 'bo', 'cy']) await agree(name)
  await settle()
  clock.forward(days(1))
  const warmUp = (today: number | null) => ({
    days: [5, 10],
    providers: [],
    newProvider: { today, daysLeft: 2 },
  })
  shown.warmUp = warmUp(6)
  assert.deepEqual(await gate(), ['pass'])
  shown.warmUp = warmUp(null)
  assert.deepEqual(await gate(), ['pass'])
  shown.warmUp = warmUp(5)
  assert.deepEqual(await gate(), ['warn', { finding: 'no_room_in_warm_up', most: 6, room: 5 }])
  shown.warmUp = undefined
})

test('a tier has room for so many messages a month', async () => {
  const { db, id, clock } = await sequenceScene({ db: database.db, templates })
  const context = {
    db,
    now: clock.now(),
    business: { id, name: 'Shop', tier: 'free' as const, role: 'owner' as const },
  }
  const gate = (last30Days: number, channels: ('email' | 'sms')[]) =>
    roomGate(
      context,
      { warmUpOf: async () => undefined },
      {
        definition: { kind: 'transactional', enter: { on: 'consent.given' }, steps: [] },
        channels,
        sender: undefined,
        entering: { last30Days, mostInADay: 1 },
      },
    )
  assert.equal((await gate(500, ['email', 'email'])).result, 'pass')
  const lacking = await gate(501, ['email', 'email'])
  assert.deepEqual(lacking.findings, [
    { finding: 'no_room_in_month', channel: 'email', needs: 1002, left: 1000 },
  ])
  const texts = await gate(1, ['sms'])
  assert.deepEqual(texts.findings, [
    { finding: 'no_room_in_month', channel: 'sms', needs: 1, left: 0 },
  ])
})
