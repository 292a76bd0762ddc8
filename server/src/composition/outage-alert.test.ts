import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLog } from '../../../tests/support/silent-log.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { limits, readConfig } from '../config.ts'
import type { Mail, Mailer } from '../lib/email/mailer.ts'
import { hours, minutes } from '../lib/time/clock.ts'
import { outageAlert } from './operator-alerts.ts'

function operator(settings: Record<string, string>) {
  const mails: Mail[] = []
  const clock = new ManualClock()
  const state = { relayIsAway: false }
  const mailer: Mailer = {
    async send(mail) {
      mails.push(mail)
      if (state.relayIsAway) throw new Error('the relay is away')
    },
  }
  const parts = { config: readConfig(settings), clock, log: silentLog }
  return { mails, clock, state, tell: outageAlert(parts, mailer) }
}

const address = { OPERATOR_EMAIL: 'ops@example.com' }
const ms = limits.alertOutageMs

test('an outage of a minute is mailed once a day, with the mend, and a shorter one is not', () => {
  const { mails, clock, tell } = operator(address)
  tell({ outage: 'read_only', ms: ms - 1 })
  assert.equal(mails.length, 0)
  for (let second = 0; second < 3; second++) tell({ outage: 'read_only', ms: ms + second * 1000 })
  assert.equal(mails.length, 1)
  assert.equal(mails[0]?.to, 'ops@example.com')
  assert.match(mails[0]?.text ?? '', /read-only.*default_transaction_read_only/s)
  tell({ outage: 'disk_full', ms })
  assert.match(mails[1]?.text ?? '', /no disk space left/)
  clock.forward(hours(24))
  tell({ outage: 'read_only', ms })
  assert.equal(mails.length, 3)
})

test('an alert that the relay did not take is tried again after five minutes', async () => {
  const { mails, clock, state, tell } = operator(address)
  state.relayIsAway = true
  tell({ outage: 'away', ms })
  await Promise.resolve()
  state.relayIsAway = false
  clock.forward(minutes(5) - 1)
  tell({ outage: 'away', ms })
  assert.equal(mails.length, 1)
  clock.forward(1)
  tell({ outage: 'away', ms })
  assert.equal(mails.length, 2)
})

test('without an address, and in a process that sends no mail, nobody is mailed', () => {
  for (const settings of [{}, { ...address, ROLE: 'api' }]) {
    const { mails, tell } = operator(settings as Record<string, string>)
    tell({ outage: 'disk_full', ms: ms * 10 })
    assert.equal(mails.length, 0)
  }
})
